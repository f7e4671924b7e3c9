"""Tools that keep things between calls without a bound, or without ever letting go of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.impact import power
from agent_architecture.limits import judge_size
from agent_architecture.model.settings import Origin
from agent_architecture.model.state import Held, StateHolder
from agent_architecture.model.system import AgentSystem, Tool
from agent_architecture.records import NamedTuple

PART: Final = 0.5
"""Bound and clean-up: half each (ruling 7)."""
OUTWARD_WEIGHT: Final = 3.0
"""A tool with effects outside the process counts more."""
WHAT: Final = {
    Held.CONTAINER: "keeps state in",
    Held.CACHE: "keeps results in the cache",
    Held.HANDLE: "opens",
    Held.FILES: "creates files with",
}

LACKS: Final = {Held.CONTAINER: "kept", Held.CACHE: "kept", Held.HANDLE: "opened", Held.FILES: "files"}
"""The part of the control that a holder needs."""


class Judged(NamedTuple):
    """One holder: its risk (None: not readable), and what was seen."""

    holder: StateHolder
    risk: float | None
    seen: str


@detector(
    title="Tool that keeps state without a limit",
    impact=Severity.LOW,
    effort=Effort.MEDIUM,
    fix="Bound what the tool keeps (a size or a time to live), and close or remove it when the work is done.",
    references=("CWE-770", "CWE-772", "CWE-1325", "OWASP LLM06:2026", "AISVS 9.1.1"),
    parts={
        "kept": "Bound what the tool keeps: a size or a time to live.",
        "opened": "Close what the tool opens when the work is done.",
        "files": "Remove the files when the work is done.",
    },
)
def tool_state_limits_score(system: AgentSystem) -> Iterator[Verdict]:
    """Every tool that keeps something between its calls: its worst holder counts."""
    held: dict[int, list[StateHolder]] = {}
    for holder in system.state_holders:
        for tool in _keepers(holder):
            held.setdefault(id(tool), []).append(holder)
    for tool in system.tools:
        if id(tool) in held:
            yield judge(tool, [judge_holder(holder) for holder in held[id(tool)]])


def _keepers(holder: StateHolder) -> tuple[Tool, ...]:
    """The tools of the file that the state stands in, if any: one from elsewhere, which runs these, keeps nothing."""
    own = tuple(tool for tool in holder.tools if tool.span.path == holder.span.path)
    return own or holder.tools


def judge_holder(holder: StateHolder) -> Judged:
    """One holder by its two parts. A cache with a bound lets go of the oldest by itself."""
    size = judge_size(holder.bound, holder.cleans)
    if size.risk is None or holder.ttl.origin is Origin.UNKNOWN:
        return Judged(
            holder, None, size.seen if size.risk is None else f"its time to live comes from {holder.ttl.source}"
        )
    expires = holder.ttl.is_known and any(isinstance(v, (int, float, str)) and v for v in holder.ttl.values)
    is_bounded = size.risk == 0
    is_cleaned = expires or any(holder.cleans.values) or (holder.held is Held.CACHE and is_bounded)
    if is_bounded and is_cleaned:
        return Judged(holder, 0.0, size.seen if holder.held is not Held.HANDLE else "closed again")
    if is_bounded:
        kept = "never closed" if holder.held is Held.HANDLE else f"{size.seen}, entries never removed"
        return Judged(holder, PART, kept)
    if is_cleaned:
        how = f"entries expire (TTL {holder.ttl.value})" if expires else "entries are removed"
        return Judged(holder, PART, f"{how}, but {size.seen} before that")
    return Judged(holder, 1.0, f"{size.seen}, entries never removed")


def judge(tool: Tool, judged: list[Judged]) -> Verdict:
    """The verdict on one tool."""
    weight = OUTWARD_WEIGHT if tool.effects and power(tool).effectful else 1.0
    worst = max(judged, key=lambda each: -1.0 if each.risk is None else each.risk)
    holder = worst.holder
    name = (
        f"line {holder.span.line}" if holder.span.path == tool.span.path else f"{holder.span.path}:{holder.span.line}"
    )
    reason = f"{tool.name} {WHAT[holder.held]} {holder.symbol} ({name}): {worst.seen}."
    related = tuple(s.span for s in (holder.bound, holder.ttl, holder.cleans) if s.span is not None)
    spans = (holder.span, *related)
    hidden = next((each for each in judged if each.risk is None), None)
    if hidden is not None and not worst.risk:
        reason = f"{tool.name} {WHAT[hidden.holder.held]} {hidden.holder.symbol}: {hidden.seen}."
        return unknown(tool, reason, weight=weight, confidence=holder.confidence, related=spans)
    if not worst.risk:
        return ok(tool, reason, weight=weight, confidence=holder.confidence, related=spans)
    return gap(
        tool,
        reason,
        risk=worst.risk,
        weight=weight,
        confidence=holder.confidence,
        related=spans,
        lacks=(LACKS[holder.held],),
    )
