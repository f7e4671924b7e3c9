"""Waits that nothing ends: on locks, queues, events, others that come to their end, states that are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.limits import EFFECTIVE
from agent_architecture.model.resilience import Wait, WaitKind
from agent_architecture.model.settings import Origin
from agent_architecture.model.system import AgentSystem

SCRIPTS: Final = ("js", "jsx", "ts", "tsx")
"""Endings of JavaScript's and TypeScript's files, whose timers count milliseconds."""
PARTLY: Final = 0.5
"""What is waited for ends by itself."""
JOINED: Final = 0.2
"""What is joined are calls under the time-out of their own clients."""
WHAT: Final = {
    WaitKind.LOCK: "waits until released",
    WaitKind.SIGNAL: "waits for other tasks",
    WaitKind.POLL: "This loop polls for a state",
    WaitKind.BLOCKING: "blocks the event loop",
}


@detector(
    title="A wait without a time-out",
    impact=Severity.HIGH,
    effort=Effort.MEDIUM,
    fix="Give the wait a time-out, hold no lock while a model is asked, and call nothing that blocks in a coroutine.",
    references=("CWE-833", "CWE-662", "CWE-834", "OWASP LLM06:2026", "OWASP ASI08", "AISVS 9.1.1"),
)
def deadlock_risk(system: AgentSystem) -> Iterator[Verdict]:
    """Every wait of an agent, its tools and the code around them."""
    for wait in system.waits:
        yield judge(wait)


def judge(wait: Wait) -> Verdict:
    """The verdict on one wait."""
    what = WHAT[wait.kind] if wait.kind is WaitKind.POLL else f"{wait.symbol} {WHAT[wait.kind]}"
    related = (wait.stuck,) if wait.stuck is not None else ()
    if wait.circular and wait.stuck is not None:
        reason = f"{what}, but line {wait.stuck.line} waits for it again while it is held: deadlock."
        return gap(wait, reason, confidence=wait.confidence, related=related)
    if wait.kind is WaitKind.BLOCKING:
        return _blocking(wait, what)
    limit = wait.time_limit
    if limit.origin is Origin.UNKNOWN:
        return unknown(wait, f"{what}: its time-out comes from {limit.source}.", confidence=wait.confidence)
    if limit.values and all(value is not None for value in limit.values):
        return ok(wait, f"{what}, {_until(wait)}.", confidence=wait.confidence)
    nothing = "no time-out"
    if limit.is_known:
        whose = limit.default_of or "written here"
        nothing = f"its time-out is None ({whose})"
    if wait.stuck is not None:
        reason = f"{what}: {nothing}, its holder waits without a limit (line {wait.stuck.line})."
        return gap(wait, reason, confidence=wait.confidence, related=related)
    if wait.idle:
        reason = f"{what}; its holders only compute, and wait for nothing."
        return ok(wait, reason, confidence=wait.confidence)
    steps = wait.steps.value
    if isinstance(steps, (int, float)) and steps > EFFECTIVE:
        reason = f"{what}: {nothing}, only the {steps:g} steps of the inner agent end it."
        return gap(wait, reason, confidence=wait.confidence)
    if wait.ends:
        reason = f"{what}: {nothing}, but {wait.ends} ends by itself."
        return gap(wait, reason, risk=JOINED if wait.by_clients else PARTLY, confidence=wait.confidence)
    return gap(wait, f"{what}: {nothing}.", confidence=wait.confidence)


def _until(wait: Wait) -> str:
    value = wait.time_limit.value
    amount = f"{value:g}" if isinstance(value, (int, float)) and not isinstance(value, bool) else "a limit"
    if wait.kind is WaitKind.POLL:
        return f"with a limit of {amount}" if amount != "a limit" else "with a limit"
    whose = f", {wait.time_limit.default_of}" if wait.time_limit.default_of else ""
    unit = "milliseconds" if wait.span.path.endswith(SCRIPTS) else "seconds"
    return f"{amount} {unit} at most{whose}" if amount != "a limit" else "with a time-out"


def _blocking(wait: Wait, what: str) -> Verdict:
    related = () if wait.within is None else (wait.within,)
    if wait.within is not None:
        what = f"{what} (at {wait.within.path}:{wait.within.line})"
    if wait.ends or _is_stepped(wait):
        reason = f"{what} until it returns: no other task runs, no time-out fires."
        return gap(wait, reason, risk=PARTLY, confidence=wait.confidence, related=related)
    limit = wait.time_limit
    if limit.origin is Origin.UNKNOWN:
        reason = f"{what}: its time-out comes from {limit.source}."
        return unknown(wait, reason, confidence=wait.confidence, related=related)
    if any(value is not None for value in limit.values):
        reason = f"{what}, with a time-out of its own."
        return ok(wait, reason, confidence=wait.confidence, related=related)
    reason = f"{what}, with no time limit: no other task runs."
    return gap(wait, reason, confidence=wait.confidence, related=related)


def _is_stepped(wait: Wait) -> bool:
    """Whether the project bounds the steps of a run that blocks by a small number (a wait on what is bounded)."""
    numbers = [value for value in wait.steps.values if isinstance(value, (int, float))]
    return wait.steps.origin is Origin.WRITTEN and bool(numbers) and all(value <= EFFECTIVE for value in numbers)
