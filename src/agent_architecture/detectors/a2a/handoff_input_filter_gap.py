"""Hand-overs that take the whole conversation, results of tools included, to another agent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.handoffs import HandedOver
from agent_architecture.model.settings import Origin, Setting
from agent_architecture.model.system import AgentSystem

WHOLE: Final = "all"
LESS: Final = {
    "summary": "a summary of the conversation",
    "part": "part of the conversation",
    "task": "the task written for it",
}
TYPED: Final = 0.5
"""A declared form gives the hand-over a reason and a scope, and leaves the conversation as it is."""
ALIKE: Final = 0.5
"""The weight of an edge between agents of the same trust and tools (ruling 48)."""


@detector(
    title="Another agent is handed the whole conversation",
    impact=Severity.MEDIUM,
    effort=Effort.LOW,
    fix="Filter what goes along: drop results of tools, keep the last turns or a summary, or pass a typed task.",
    references=("CWE-200", "CWE-501", "OWASP ASI07", "OWASP ASI01", "OWASP ASI03", "OWASP LLM02:2026",
                "OWASP LLM01:2026", "OWASP MCP10:2025", "AISVS 9.5.5", "AISVS 9.3.5"),
)  # fmt: skip
def handoff_input_filter_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every edge that an agent lists itself; of those that a team or a graph has on one line, the worst."""
    lines: dict[tuple[str, int], list[HandedOver]] = {}
    for edge in system.handed:
        lines.setdefault((edge.span.path, edge.span.line), []).append(edge)
    for edges in lines.values():
        verdicts = [judge(edge) for edge in edges]
        yield from verdicts if all(edge.listed for edge in edges) else (max(verdicts, key=_badness),)


def judge(edge: HandedOver) -> Verdict:
    """The verdict on one edge."""
    weight = ALIKE if edge.alike else 1.0
    history = edge.history
    if history.is_known and WHOLE not in history.values:
        reason = f"{edge.symbol} passes on only {LESS[str(history.value)]}."
        return ok(edge, reason, weight=weight, confidence=edge.confidence, related=edge.related)
    if edge.filter.origin is Origin.UNKNOWN:
        reason = f"{edge.symbol}: its input filter comes from {edge.filter.source}."
        return unknown(edge, reason, weight=weight, related=edge.related)
    if _filters(edge.filter):
        reason = f"{edge.symbol} passes on the conversation after an input filter."
        return ok(edge, reason, weight=weight, confidence=edge.confidence, related=edge.related)
    if not history.is_known:
        source = history.source or "its library, which does not say"
        reason = f"{edge.symbol}: how much of the conversation is passed on comes from {source}."
        return unknown(edge, reason, weight=weight, related=edge.related)
    reason = f"{edge.symbol} passes on the whole conversation, tool results included{_seen(edge)}"
    if edge.form.origin is Origin.UNKNOWN or (edge.form.origin is Origin.WRITTEN and edge.form.value is not None):
        reason = f"{reason}; its input has a schema."
        return gap(edge, reason, risk=TYPED, weight=weight, confidence=edge.confidence, related=edge.related)
    return gap(edge, f"{reason}.", weight=weight, confidence=edge.confidence, related=edge.related)


def _filters(setting: Setting) -> bool:
    return setting.origin is Origin.WRITTEN and any(
        value is not None and value is not False for value in setting.values
    )


def _seen(edge: HandedOver) -> str:
    if edge.filter.origin is Origin.WRITTEN and edge.filter.value is False:
        return "; its filter returns it unchanged"
    if edge.filter.origin is Origin.WRITTEN:
        return "; its filter is switched off"
    if edge.history.origin is Origin.DEFAULT:
        return f" (the default of {edge.history.source})" if edge.history.source else ""
    return ""


def _badness(verdict: Verdict) -> float:
    """What cannot be read hides all but what is known to go along as a whole."""
    return 0.9 if verdict.risk is None else verdict.risk
