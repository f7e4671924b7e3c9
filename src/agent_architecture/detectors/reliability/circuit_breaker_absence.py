"""Calls that are made again and again, and that nothing stops when what they call keeps failing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.resilience import RemoteUse
from agent_architecture.model.settings import Origin, Setting
from agent_architecture.model.system import AgentSystem

PARTLY: Final = 0.5


@detector(
    title="Nothing stops calls to a dependency that keeps failing",
    impact=Severity.MEDIUM,
    effort=Effort.MEDIUM,
    fix="Put a circuit breaker around the call, or a fallback with a cooldown: another model, or a flagged answer.",
    references=("CWE-754", "CWE-755", "CWE-703", "CWE-400", "OWASP LLM06:2026", "OWASP ASI08", "AISVS 9.1.3"),
)
def circuit_breaker_absence(system: AgentSystem) -> Iterator[Verdict]:
    """Every call to a model or another machine in a loop, a fan-out or a tool."""
    for use in system.remote_uses:
        yield judge(use)


def judge(use: RemoteUse) -> Verdict:
    """The verdict on one call."""
    begin = f"{use.symbol} {use.where}"
    if use.breaker is not None:
        reason = f"{begin}: a circuit breaker stops it after repeated failures."
        return ok(use, reason, related=(use.breaker,))
    if use.skipped is not None:
        reason = f"{begin}: its circuit breaker does not cover every path."
        return gap(use, reason, risk=PARTLY, related=(use.skipped, *use.also))
    if use.cooldown.origin is Origin.UNKNOWN:
        return unknown(use, f"{begin}: its cooldown comes from {use.cooldown.source}.")
    rests = [value for value in use.cooldown.values if isinstance(value, (int, float)) and value > 0]
    if rests and len(rests) == len(use.cooldown.values):
        whose = use.cooldown.default_of or "set here"
        return ok(use, f"{begin}: failures cool down for {rests[0]:g} seconds ({whose}).")
    if use.fallback is None:
        return gap(use, f"{begin}: no circuit breaker, no fallback, {_time(use.time_limit)}.", related=use.also)
    if _ends(use.time_limit):
        reason = f"{begin}: a fallback and a time-out, but no circuit breaker."
        return gap(use, reason, risk=PARTLY, related=(use.fallback, *use.also))
    reason = f"{begin}: a fallback, but no circuit breaker, {_time(use.time_limit)}."
    return gap(use, reason, related=(use.fallback, *use.also))


def _ends(limit: Setting) -> bool:
    """Whether a call ends after a time; what cannot be read is somebody's limit."""
    if limit.origin is Origin.UNKNOWN:
        return True
    return bool(limit.values) and all(value is not None and value is not False for value in limit.values)


def _time(limit: Setting) -> str:
    if limit.origin is Origin.UNKNOWN:
        return f"time-out from {limit.source}"
    if not _ends(limit):
        return "no time-out"
    whose = limit.default_of or "set here"
    amount = f" {limit.value:g}" if isinstance(limit.value, (int, float)) else ""
    return f"time-out{amount} ({whose})"
