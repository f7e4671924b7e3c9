"""Decisions of agents that nobody can look up afterwards: tools picked, edges taken, routes, approvals, effects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.impact import WEIGHT_EFFECTFUL, power
from agent_architecture.model.decisions import DecisionKind, DecisionPoint
from agent_architecture.model.system import AgentSystem
from agent_architecture.model.tracing import Extent

PARTIAL: Final = 0.5
"""It is recorded on some of the ways on which it is reached (ruling "All")."""
SIGNALS: Final = {
    DecisionKind.CHOICE: "decision_point_logging_coverage_ratio",
    DecisionKind.TRANSITION: "state_transition_coverage_ratio",
    DecisionKind.ROUTE: "confidence_routing_logging_coverage_ratio",
    DecisionKind.OUTCOME: "outcome_tracking_coverage_ratio",
}


@detector(
    title="Decision of an agent that nothing records",
    impact=Severity.MEDIUM,
    effort=Effort.MEDIUM,
    fix="Write a log record or span event where it is decided: what was chosen, for which input, why, what came of it.",
    references=(
        "CWE-778",
        "CWE-223",
        "OWASP ASI09",
        "OWASP ASI10",
        "OWASP LLM03:2026",
        "OWASP MCP08",
        "AISVS 12.1.2",
        "AISVS 12.4.2",
    ),
)
def decision_observability_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every decision, one for each kind and line: the worst. Each kind weighs as much as the others together do. What
    came of a single effect belongs to the tool choice that led to it; the ratio of outcomes alone counts it.
    """
    worst: dict[tuple[str, int, DecisionKind], Verdict] = {}
    for point in system.decision_points:
        if point.tool is None:
            verdict = judge(point)
            place = (point.span.path, point.span.line, point.kind)
            worst[place] = max(verdict, worst.get(place, verdict), key=_badness)
    judged = Counter(kind for (_, _, kind), verdict in worst.items() if verdict.risk is not None)
    for (_, _, kind), verdict in worst.items():
        yield verdict if verdict.risk is None else verdict._replace(weight=1 / judged[kind])


def judge(point: DecisionPoint) -> Verdict:
    """The verdict on one decision, by the best that records it."""
    on, sure = [each for each in point.recordings if each.is_on], point.confidence
    whole = next((each for each in on if each.extent is not Extent.SOME_WAYS), None)
    if whole is not None:
        reason = f"{_begin(point)} is recorded by {whole.by}."
        return ok(point, reason, confidence=sure, related=whole.related)
    hidden = next((each for each in point.recordings if each.is_hidden), None)
    if hidden is not None:
        reason = f"{hidden.by} may record {point.what}: that comes from {hidden.enabled.source}."
        return unknown(point, reason, confidence=sure, related=hidden.related)
    if on:
        reason = f"{_begin(point)} is recorded by {on[0].by} on some paths only."
        return gap(point, reason, risk=PARTIAL, confidence=sure, related=on[0].related)
    return gap(point, f"No record of {point.what}{_instead(point)}.", confidence=sure)


def _instead(point: DecisionPoint) -> str:
    """What there is in place of a record."""
    if point.printed is not None:
        return f": {point.printed} only prints it"
    off = next((each for each in point.recordings if each.why_not), None)
    return f": {off.by} {off.why_not}" if off is not None else ": no trace, event or log"


def _begin(point: DecisionPoint) -> str:
    return point.what[0].upper() + point.what[1:]


def _badness(verdict: Verdict) -> float:
    """What is unknown is better than a gap, and worse than what is fine."""
    return 0.1 if verdict.risk is None else verdict.risk


def signals(system: AgentSystem, verdicts: tuple[Verdict, ...]) -> dict[str, float]:
    """The share of each kind that is recorded; the risk is one minus the mean of those that have points."""
    judged = [(v.subject.kind, v.risk) for v in verdicts if isinstance(v.subject, DecisionPoint)]
    judged += [(point.kind, judge(point).risk) for point in _effects(system)]
    return {name: _recorded(judged, kind) for kind, name in SIGNALS.items()}


def _effects(system: AgentSystem) -> Iterator[DecisionPoint]:
    """What came of the tools that act outside the process, one for each line."""
    seen: set[tuple[str, int]] = set()
    for point in system.decision_points:
        place = (point.span.path, point.span.line)
        if point.tool is not None and place not in seen and power(point.tool).weight == WEIGHT_EFFECTFUL:
            seen.add(place)
            yield point


def _recorded(judged: list[tuple[DecisionKind, float | None]], kind: DecisionKind) -> float:
    risks = [risk for each, risk in judged if each is kind and risk is not None]
    return 1 - sum(risks) / len(risks) if risks else 1.0
