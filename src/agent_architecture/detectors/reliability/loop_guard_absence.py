"""Agent runs and loops that nothing stops: no bound, one switched off, or one too high to matter."""

from __future__ import annotations

from collections.abc import Iterator

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.limits import Judgement, best_first, judge_bound, judge_run
from agent_architecture.model.system import AgentSystem, FeedbackPath, PathKind
from agent_architecture.sources.source import Span

EFFECTIVE_RISK = 0.5
"""Below this risk a path counts as having an effective budget."""


@detector(
    title="Agent run without an effective step limit",
    impact=Severity.HIGH,
    effort=Effort.LOW,
    fix="Give the run a step limit that is sized to the task, and handle the error that it raises.",
    references=("CWE-835", "CWE-834", "OWASP LLM06:2026", "OWASP ASI08", "AISVS 9.1.2"),
    parts={
        "run": "Give the run a step limit that is sized to the task, and handle the error that it raises.",
        "loop": "Count the passes, and leave the loop after a fixed number.",
        "recursion": "Hand a depth down, and stop at a fixed one.",
    },
)
def loop_guard_absence(system: AgentSystem) -> Iterator[Verdict]:
    """Every feedback path, with the best bound that it has."""
    for path in system.feedback_paths:
        yield judge(path)


def judge(path: FeedbackPath) -> Verdict:
    """The verdict on one feedback path: a framework's run by its step limit or by what its graph counts itself,
    hand-written code by its best bound.
    """
    what = _named(path)
    if path.kind is PathKind.RUN:
        found, seen_at = judge_run(path)
        return _verdict(path, found, f"{what}: {found.seen}.", (seen_at,) if seen_at else ())
    judged = [judge_bound(bound) for bound in path.bounds]
    if not judged:
        reason = f"{what} ends only when the model says so: no counter, deadline or budget."
        return gap(path, reason, confidence=path.confidence, lacks=_lacks(path))
    best = min(judged, key=best_first)
    related = tuple(bound.span for bound in path.bounds)
    return _verdict(path, best, f"{what}: {best.seen}.", related)


def _named(path: FeedbackPath) -> str:
    match path.kind:
        case PathKind.RUN:
            return path.symbol or "This run"
        case PathKind.LOOP:
            return f"The loop in {path.symbol}" if path.symbol else "This loop"
        case _:
            return f"The recursion of {path.symbol}" if path.symbol else "This recursion"


def _lacks(path: FeedbackPath) -> tuple[str, ...]:
    return {PathKind.RUN: ("run",), PathKind.LOOP: ("loop",)}.get(path.kind, ("recursion",))


def _verdict(path: FeedbackPath, found: Judgement, reason: str, related: tuple[Span, ...]) -> Verdict:
    if found.risk is None:
        return unknown(path, reason, confidence=path.confidence, related=related)
    if found.risk == 0:
        return ok(path, reason, confidence=path.confidence, related=related)
    return gap(path, reason, risk=found.risk, confidence=path.confidence, related=related, lacks=_lacks(path))


def signals(system: AgentSystem, verdicts: tuple[Verdict, ...]) -> dict[str, float]:
    """The three loop-guard signals."""
    judged = [verdict.risk for verdict in verdicts if verdict.risk is not None]
    effective = sum(risk < EFFECTIVE_RISK for risk in judged)
    pairs = [passed for path in system.feedback_paths for passed in path.budget_passed]
    return {
        "effective_step_budget_ratio": effective / len(judged) if judged else 1.0,
        "budget_propagation_coverage": sum(pairs) / len(pairs) if pairs else 1.0,
        "max_nested_loop_depth": float(max((path.depth for path in system.feedback_paths), default=0)),
    }
