"""Operations that leave more when they are done twice, without a key or a look for what was done before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown, within
from agent_architecture.impact import DOING, WEIGHT_EFFECTFUL, only_asks, power
from agent_architecture.model.effects import Effect, Shaped
from agent_architecture.model.repeats import Again, Operation
from agent_architecture.model.system import AgentSystem, Confidence, Tool

BY_CODE: Final = 1.0
"""A retry, a resumed step, a replay or a webhook does it again."""
BY_MODEL: Final = 0.5
"""Only the model can ask for it a second time."""

SAME_STATE: Final = frozenset({
    "cancel", "delete", "update", "modify", "revoke", "drop", "uninstall", "install", "shutdown", "restart", "reboot",
    "grant", "assign",
})  # fmt: skip
"""First words of names of tools after which a second call finds nothing left to do."""


@detector(
    title="An effect that a repetition does twice",
    impact=Severity.MEDIUM,
    effort=Effort.MEDIUM,
    fix="Pass an idempotency key that stays the same when the call is repeated (the tool call's id), or write so that "
    "a second time finds it done: an upsert, a condition, a table of what was done.",
    references=("CWE-837", "CWE-841", "CWE-362", "OWASP ASI08", "OWASP ASI02", "OWASP LLM03:2026", "AISVS 9.2.3"),
)
def idempotency_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every tool that changes something outside, and every other operation that code does again by itself."""
    done: dict[int, list[Operation]] = {}
    for operation in system.operations:
        if operation.tool is None:
            yield judge([operation])
        elif not _only_looks(operation.tool, operation.effect):
            done.setdefault(id(operation.tool), []).append(operation)
    for tool in system.tools:
        if id(tool) in done:
            yield judge(done[id(tool)])
        elif power(tool).effectful and power(tool).effect is None:
            yield _declared(tool)


def _only_looks(tool: Tool, effect: Effect) -> bool:
    """Whether a tool that asks for something does this on its way: its request, entries of its own."""
    own = effect.kind == "write_file" and effect.shaped is Shaped.NOT
    return only_asks(tool, effect) and (own or effect.kind in {"network_write", "database", "database_write"})


def judge(operations: list[Operation]) -> Verdict:
    """The verdict on one tool, or on one call: its worst operation."""
    risks = [_risk(operation) for operation in operations]
    worst = max(zip(risks, operations, strict=True), key=lambda each: -1.0 if each[0] is None else each[0])
    risk, operation = worst
    if risk:
        related = (operation.effect.span, *(one.span for one in operation.repeated))
        reason = _reason(operation, risk)
        sure = operation.confidence
        return gap(operation, reason, risk=risk, weight=WEIGHT_EFFECTFUL, confidence=sure, related=related)
    hidden = next((one for one in operations if _risk(one) is None), None)
    if hidden is not None:
        reason = f"{hidden.effect.symbol}: what a second call changes cannot be read."
        return unknown(hidden, reason, weight=WEIGHT_EFFECTFUL, related=(hidden.effect.span,))
    keyed = next((one for one in operations if one.key is not None), operation)
    how = f"it has {keyed.key_name}" if keyed.key is not None else "it ends in the same state"
    reason = f"{within(keyed.effect.symbol, keyed.symbol)} is safe to repeat: {how}."
    return ok(keyed, reason, weight=WEIGHT_EFFECTFUL, confidence=keyed.confidence, related=(keyed.effect.span,))


def _risk(operation: Operation) -> float | None:
    """0 where a second time is harmless, None where that cannot be read."""
    if operation.again is Again.SAME or operation.key is not None:
        return 0.0
    if operation.again is Again.UNKNOWN:
        return None
    return BY_CODE if operation.repeated else BY_MODEL


def _reason(operation: Operation, risk: float) -> str:
    doing = DOING.get(operation.effect.kind, "changes something outside")
    by = "" if operation.effect.symbol == operation.symbol else f" ({operation.effect.symbol})"
    does = f"{operation.symbol} {doing}{by}"
    what = does if operation.tool is not None else operation.effect.symbol
    key = "its idempotency key is new each time" if operation.fresh is not None else "no idempotency key"
    if risk == BY_CODE:
        how = operation.repeated[0].how
        return f"{what} is repeated by {how}: {key}." if operation.tool is None else f"{what}; {how} repeats it: {key}."
    return f"{what}; a second call repeats it: {key}."


def _declared(tool: Tool) -> Verdict:
    """A tool that is known by its name alone."""
    first = tool.name.lower().replace("-", "_").partition("_")[0]
    doing = power(tool).doing
    if any(first.startswith(word) for word in SAME_STATE):
        reason = f"{tool.name} {doing}: whether a second call repeats it cannot be read."
        return unknown(tool, reason, weight=WEIGHT_EFFECTFUL, confidence=Confidence.LOW)
    reason = f"{tool.name} {doing}; a second call repeats it: no idempotency key."
    return gap(tool, reason, risk=BY_MODEL, weight=WEIGHT_EFFECTFUL, confidence=Confidence.LOW)
