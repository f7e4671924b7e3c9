"""Agents that are traced or evaluated, and whose next change nothing compares with what they did before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok
from agent_architecture.model.settings import UNKNOWN_LIBRARY
from agent_architecture.model.system import AgentSystem, Confidence
from agent_architecture.model.tracing import Recording, WorkKind
from agent_architecture.wording import listed

PART: Final = 0.25
"""One of four parts: cases are graded, their steps are looked at, CI runs them, a bad result fails it."""


@detector(
    title="Traces that no change of the agent is compared with",
    impact=Severity.MEDIUM,
    effort=Effort.HIGH,
    fix="Turn recorded runs into cases, check the steps of each in CI, and let a result below the baseline fail.",
    references=(
        "CWE-1357",
        "OWASP ASI10",
        "OWASP LLM07:2026",
        "OWASP MCP08",
        "AISVS 12.3.4",
        "NIST AI RMF MEASURE 2.4",
    ),
    parts={
        "cases": "Turn recorded runs into cases, and grade them.",
        "steps": "Check the steps of each case.",
        "ci": "Run the cases in CI.",
        "gate": "Let a result below the baseline fail CI.",
    },
)
def trace_eval_regression_risk(system: AgentSystem) -> Iterator[Verdict]:
    """One verdict for a project whose agents are traced or evaluated."""
    if not system.agent_sites:
        return
    traced = _traced(system)
    if system.evaluations or (traced is not None and traced.is_on):
        yield judge(system, traced)
    elif traced is not None:
        reason = f"Runs are traced if {traced.enabled.source} says so, but never replayed or evaluated."
        yield gap(system.evaluated_at, reason, confidence=Confidence.MEDIUM)


def judge(system: AgentSystem, traced: Recording | None) -> Verdict:
    """The verdict on what is done with traces and evaluations: a quarter for each part that is missing."""
    subject = system.evaluated_at
    related = tuple(job.span for job in system.ci_jobs)[:5]
    run = system.graded
    if not run:
        return gap(subject, _nothing_compares(system, traced))
    missing = dict(_missing(system))
    order = (Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW)
    confidence = min((suite.confidence for suite in run), key=order.index)
    first = f"Evaluation {run[0].symbol} ({run[0].span})"
    if missing:
        reason = f"{first} {listed(list(missing.values()))}."
        risk = PART * len(missing)
        return gap(subject, reason, risk=risk, confidence=confidence, related=related, lacks=missing)
    gate = next(job.span for job in system.ci_jobs if job.threshold)
    return ok(subject, f"{first} checks steps; a bad result fails CI ({gate}).", confidence=confidence)


def _missing(system: AgentSystem) -> Iterator[tuple[str, str]]:
    if not any(suite.trajectory for suite in system.graded):
        yield "steps", "checks no steps"
    if not system.ci_jobs:
        yield "ci", "is in no CI step"
    if not any(job.threshold for job in system.ci_jobs):
        yield "gate", f"does not fail CI ({system.ci_jobs[0].span})" if system.ci_jobs else "blocks no change"


def _nothing_compares(system: AgentSystem, traced: Recording | None) -> str:
    idle = next((suite for suite in system.evaluations if not suite.started_by), None)
    if idle is not None:
        return f"Evaluation {idle.symbol} ({idle.span}) is never run: no change is compared with it."
    if system.evaluations:
        blind = system.evaluations[0]
        return f"Evaluation {blind.symbol} ({blind.span}) grades nothing: a broken agent passes it."
    by = "something" if traced is None else traced.by
    return f"Runs are recorded by {by}, but never replayed against a change."


def _traced(system: AgentSystem) -> Recording | None:
    """What records agents: something that is known to be on, else something that cannot be read."""
    found = [each for work in system.traced_work for each in work.recordings]
    runs = (work for work in system.traced_work if work.kind not in {WorkKind.TOOL, WorkKind.REMOTE})
    hidden = (each for work in runs for each in work.recordings if each.is_hidden and not _is_guess(each))
    return next((each for each in found if each.is_on), next(hidden, None))


def _is_guess(recording: Recording) -> bool:
    """Whether nothing speaks for a trace but a client that nobody knows: no project is traced by that."""
    return recording.enabled.source == UNKNOWN_LIBRARY


def signals(system: AgentSystem, verdicts: tuple[Verdict, ...]) -> dict[str, float]:
    """One minus the risk."""
    del system
    risk = verdicts[0].risk if verdicts else None
    return {"trace_eval_coverage": 1 - (risk or 0.0)}
