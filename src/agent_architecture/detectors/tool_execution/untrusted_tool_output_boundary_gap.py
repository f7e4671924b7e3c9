"""Text of tools, pages, documents and peers that enters a conversation with nothing that says it is data."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, sentence, unknown
from agent_architecture.model.outputs import Boundary, Slot, UntrustedFlow
from agent_architecture.model.system import AgentSystem
from agent_architecture.wording import FROM

if TYPE_CHECKING:
    from agent_architecture.sources.source import Span

RISK: Final = {
    (Slot.TOOL, Boundary.NONE): 0.5,
    (Slot.TOOL, Boundary.DELIMITED): 0.2,
    (Slot.USER, Boundary.NONE): 1.0,
    (Slot.USER, Boundary.DELIMITED): 0.5,
    (Slot.ASSISTANT, Boundary.NONE): 1.0,
    (Slot.ASSISTANT, Boundary.DELIMITED): 0.5,
}
"""What a text risks by where it enters and what marks it (ruling 29); what is not listed is controlled."""
REWRITTEN: Final = {Boundary.NONE: 0.5, Boundary.DELIMITED: 0.2}
"""The same for a text that a model of the project has written anew."""

JUDGED: Final = frozenset({Slot.TOOL, Slot.USER})
"""The system's slot belongs to `instruction_boundary_violation`."""
STRANGERS: Final = frozenset({"web", "mail", "retrieval", "peer"})
"""What is judged of a message that code writes as if the model had said it; the rest is a conversation that goes on."""

WHAT: Final = ("web", "mail", "retrieval", "peer", "tool", "file", "memory")
"""Origins that others write, in the order in which they are named first. The user's own words and the model's are none
of them.
"""

ARROW: Final = " → "
"""What stands between an agent and its tool in the name of a binding."""


@detector(
    title="Untrusted text without a boundary",
    impact=Severity.HIGH,
    effort=Effort.MEDIUM,
    fix="Keep foreign text out of user messages; mark it as data, screen it, or take only typed values from it.",
    references=("CWE-501", "CWE-349", "CWE-1427", "CWE-74", "OWASP ASI01", "OWASP LLM01:2026", "OWASP MCP03:2025",
                "OWASP MCP06:2025", "AISVS 9.3.5", "AISVS 9.3.6", "AISVS 10.4.2"),
)  # fmt: skip
def untrusted_tool_output_boundary_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every message that others' text enters, and every tool whose results a framework feeds back."""
    flows = (flow for flow in (*system.untrusted_flows, *system.retellings) if _is_judged(flow))
    messages = (tuple(found) for _, found in groupby(sorted(flows, key=_message_of), key=_message_of))
    told = sorted(((_entered(found), found) for found in messages), key=lambda each: each[0])
    for _, same in groupby(told, key=lambda each: each[0]):
        yield judge(tuple(flow for _, found in same for flow in found))


def _is_judged(flow: UntrustedFlow) -> bool:
    if flow.slot is Slot.ASSISTANT:
        return flow.origin in STRANGERS
    return flow.slot in JUDGED and flow.origin in WHAT and not flow.built_in


def _message_of(flow: UntrustedFlow) -> tuple[Span, str]:
    """A message is one subject, whatever roles it may have; so is a tool, whichever agents may call it."""
    return flow.span, flow.symbol.rpartition(ARROW)[2] if flow.fed else ""


def _entered(flows: tuple[UntrustedFlow, ...]) -> tuple[Span, str]:
    """What is put together once for several messages is one subject, too."""
    worst = max(flows, key=_badness)
    is_before = worst.enters is not None and not worst.span.contains(worst.enters)
    where = worst.enters if is_before and worst.enters is not None else worst.span
    return where, worst.symbol.rpartition(ARROW)[2] if worst.fed else ""


def judge(flows: tuple[UntrustedFlow, ...]) -> Verdict:
    """The verdict on one message or tool: of all that enters it, the least guarded counts."""
    worst = max(flows, key=_badness)
    flow = worst if worst.enters is None else worst._replace(span=worst.enters)
    what = FROM[flow.origin]
    where = f"the result of {flow.symbol.rpartition(ARROW)[2]}" if flow.fed else _message(flow.slot)
    related = tuple(dict.fromkeys((flow.source, *flow.trail)))
    risk = _risk(flow)
    if flow.rewritten:
        what = f"what a model wrote after it read {what}"
    if flow.boundary is Boundary.UNKNOWN:
        reason = f"{sentence(what)} enters {where} through a template or wrapper that cannot be read."
        return unknown(flow, reason, confidence=flow.confidence, related=related)
    if flow.boundary is Boundary.SCHEMA_ONLY and flow.near is not None:
        reason = (
            f"{sentence(what)} enters {where} as closed values, beside words that cannot be told ({_at(flow.near)})."
        )
        return unknown(flow, reason, confidence=flow.confidence, related=related)
    if risk is None:
        return ok(flow, _controlled(flow, what, where), confidence=flow.confidence, related=related)
    seen = _seen(flow)
    reason = f"{sentence(what)} enters {where} {seen}."
    return gap(flow, reason, risk=risk, confidence=flow.confidence, related=related)


def _risk(flow: UntrustedFlow) -> float | None:
    return REWRITTEN.get(flow.boundary) if flow.rewritten else RISK.get((flow.slot, flow.boundary))


def _at(span: Span) -> str:
    return f"{span.path}:{span.line}"


def _message(slot: Slot) -> str:
    return f"{'an' if slot is Slot.ASSISTANT else 'a'} {slot} message"


def _badness(flow: UntrustedFlow) -> tuple[float, bool, int]:
    risk = _risk(flow) or 0.0
    return risk, flow.boundary is Boundary.UNKNOWN, -WHAT.index(flow.origin)


def _seen(flow: UntrustedFlow) -> str:
    if flow.boundary is Boundary.DELIMITED:
        return "between delimiters, which a text can imitate"
    if flow.rewritten:
        return "unmarked: what the model was told may be in it"
    if flow.slot is Slot.ASSISTANT:
        return "unmarked, as if the model had said it"
    if flow.slot is Slot.USER:
        return "unmarked, as if the user had said it"
    return "unmarked: only its role tells it from instructions"


def _controlled(flow: UntrustedFlow, what: str, where: str) -> str:
    match flow.boundary:
        case Boundary.SANITISED:
            return f"{sentence(what)} is screened before it enters {where}."
        case Boundary.SCHEMA_ONLY:
            return f"{sentence(what)} enters {where} as numbers, flags or closed values only."
        case _:
            return f"{sentence(what)} is read by a model without tools, which answers in closed values."
