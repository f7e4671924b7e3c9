"""Agents that nobody evaluates, or whose evaluations see too little: answers only, one trial, no attack, no gate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok
from agent_architecture.model.confidence import Confidence
from agent_architecture.model.system import AgentSystem, CiJob, EvalSuite

TRIALS: Final = 3
"""Agents differ from run to run: below three trials, a lucky one cannot be told from a reliable one."""

UNIT_TESTED: Final = 0.2
ANSWERS_GRADED: Final = 0.4
STEPS_CHECKED: Final = 0.6
REPEATED: Final = 0.8
GATED: Final = 1.0


@detector(
    title="Agent without mature evaluations",
    impact=Severity.MEDIUM,
    effort=Effort.HIGH,
    fix="Run a dataset of cases against the agent, check its tool calls or final state, repeat each case, and gate CI.",
    references=("CWE-693", "OWASP LLM01:2026", "NIST AI RMF MEASURE 2.3", "NIST AI RMF MEASURE 2.7"),
    parts={
        "cases": "Run a dataset of cases against the agent, with a grader.",
        "started": "Start the evaluation in CI or from a script.",
        "steps": "Check the agent's tool calls or the state at the end, not only its answer.",
        "trials": "Run each case at least three times.",
        "attacks": "Add cases that attack the agent.",
        "gate": "Run it in CI, and fail below a threshold.",
    },
)
def agent_eval_maturity_gap(system: AgentSystem) -> Iterator[Verdict]:
    """One verdict for the project: how mature its evaluations are, and what the next level needs."""
    if not system.agent_sites:
        return
    level, reason, lacks = maturity(system)
    subject = system.evaluated_at
    related = tuple(suite.span for suite in system.eval_suites if suite.span != subject.span)[:5]
    confidence = _confidence(system, level)
    if level == GATED:
        yield ok(subject, reason, confidence=confidence, related=related)
    else:
        yield gap(subject, reason, risk=round(1 - level, 2), confidence=confidence, related=related, lacks=lacks)


def maturity(system: AgentSystem) -> tuple[float, str, tuple[str, ...]]:
    """The highest level whose conditions hold with all lower ones from 0.4 on, why it is not the next, what lacks."""
    run = system.graded
    if not run:
        return _without_evaluation(system)
    first = f"Evaluation {run[0].symbol} ({run[0].span})"
    if not any(suite.trajectory for suite in run):
        return ANSWERS_GRADED, f"{first} grades final answers only: no tool calls, no end state.", ("steps",)
    if not any(is_repeated(suite) for suite in run):
        return STEPS_CHECKED, f"{first} checks steps; {_trials(run)}.", ("trials",)
    missing = _missing(system, run)
    if missing:
        return REPEATED, f"{first} {' and '.join(missing.values())}.", tuple(missing)
    gate = next(job for job in system.ci_jobs if job.threshold)
    return GATED, f"{first} is complete and gates CI ({gate.span}).", ()


def _without_evaluation(system: AgentSystem) -> tuple[float, str, tuple[str, ...]]:
    run = [suite for suite in system.eval_suites if suite.started_by]
    mocked = next((suite for suite in run if suite.mocked_model), None)
    single = next((suite for suite in run if suite.scorer and not suite.mocked_model), None)
    idle = next((suite for suite in system.evaluations if not suite.started_by), None)
    unscored = next(iter(system.evaluations), None)
    if single is not None:
        return UNIT_TESTED, f"Evaluation {single.symbol} ({single.span}) has a single case, no dataset.", ("cases",)
    if mocked is not None:
        return (
            UNIT_TESTED,
            f"Tests run the agent with a mocked model ({mocked.span}): no real answer is graded.",
            ("cases",),
        )
    if idle is not None:
        return (
            0.0,
            f"Evaluation {idle.symbol} ({idle.span}) is never run: no CI step, script or test starts it.",
            ("started",),
        )
    if unscored is not None:
        where = f"{unscored.symbol} ({unscored.span})"
        return 0.0, f"Evaluation {where} grades nothing: its scorer is missing or a placeholder.", ("cases",)
    return 0.0, "No evaluation of this agent: no dataset of cases, no grader.", ("cases",)


def is_repeated(suite: EvalSuite) -> bool:
    """Whether each case is run often enough to see how reliable the agent is."""
    return any(isinstance(value, (int, float)) and value >= TRIALS for value in suite.trials.values)


def _trials(run: tuple[EvalSuite, ...]) -> str:
    hidden = next((suite.trials.source for suite in run if suite.trials.origin == "unknown"), None)
    if hidden is not None:
        return f"how often it runs a case comes from {hidden}"
    known = [v for s in run for v in s.trials.values if isinstance(v, (int, float))]
    times = f"{max(known):g} times" if known and max(known) > 1 else "once"
    return f"it runs each case {times}, not {TRIALS} times"


def _missing(system: AgentSystem, run: tuple[EvalSuite, ...]) -> dict[str, str]:
    parts = {} if any(suite.adversarial for suite in run) else {"attacks": "has no adversarial case"}
    if not system.ci_jobs:
        parts["gate"] = "is in no CI step"
    elif not any(job.threshold for job in system.ci_jobs):
        parts["gate"] = f"does not fail CI ({_first(system.ci_jobs)})"
    return parts


def _first(jobs: tuple[CiJob, ...]) -> str:
    return str(jobs[0].span)


def _confidence(system: AgentSystem, level: float) -> Confidence:
    """High for nothing and for what a library says; what only structure tells lowers it."""
    used = system.graded if level >= ANSWERS_GRADED else system.eval_suites
    order = (Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW)
    return min((suite.confidence for suite in used), key=order.index, default=Confidence.HIGH)


def signals(system: AgentSystem, verdicts: tuple[Verdict, ...]) -> dict[str, float]:
    """The four evaluation signals."""
    risk = verdicts[0].risk if verdicts else None
    suites = system.evaluations
    seen = sum(suite.trajectory for suite in suites) / len(suites) if suites else 0.0
    return {
        "agent_eval_maturity_score": 1 - (risk or 0.0),
        "trajectory_eval_coverage": seen if system.agent_sites else 1.0,
        "adversarial_eval_present": float(any(suite.adversarial for suite in suites)),
        "stochastic_runs_present": float(any(is_repeated(suite) for suite in suites)),
    }
