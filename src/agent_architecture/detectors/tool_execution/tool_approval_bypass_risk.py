"""Approvals that something goes past: switched off, answered by code, by the model, or once for all calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.impact import WEIGHT_EFFECTFUL, WEIGHT_PLAIN, is_unread, power
from agent_architecture.model.approvals import Approval, Bypass, BypassKind
from agent_architecture.model.system import AgentSystem

WHOLE: Final = frozenset({BypassKind.OFF, BypassKind.AGREES, BypassKind.MODEL, BypassKind.ANYTHING})
"""Ways by which every call passes; by the others some do."""
SOME: Final = 0.5
"""A question that some way to the effect does not pass."""

LACKS: Final = dict.fromkeys((BypassKind.OFF, BypassKind.OTHER_WAY), "asked") | {
    BypassKind.AGREES: "person",
    BypassKind.MODEL: "person",
    BypassKind.JUDGED: "person",
    BypassKind.ANYTHING: "rules",
    BypassKind.RULE: "rules",
    BypassKind.SWITCH: "switch",
    BypassKind.REMEMBERED: "each",
    BypassKind.SILENCE: "silence",
}
"""The part of the control that a way past it takes away."""


@detector(
    title="An approval that can be passed by",
    impact=Severity.CRITICAL,
    effort=Effort.LOW,
    fix="Ask inside the code that runs the tool, take silence and errors for a no, and let neither the model nor a "
    "switch, a prefix of a command or an earlier answer stand for the person.",
    references=("CWE-862", "CWE-693", "OWASP ASI09", "OWASP ASI02", "OWASP LLM03:2026", "AISVS 9.2.1", "AISVS 9.2.8"),
    parts={
        "asked": "Ask a person inside the code that runs the tool.",
        "person": "Let a person answer, not code or the model.",
        "rules": "List the exact commands that may pass, and ask for all others.",
        "switch": "Let no option or variable switch the question off.",
        "each": "Ask for each call anew.",
        "silence": "Take silence and errors for a no.",
    },
)
def tool_approval_bypass_risk(system: AgentSystem) -> Iterator[Verdict]:
    """Every place where an approval is configured or asked for, unless all that it concerns changes nothing."""
    for approval in system.approvals:
        if approval.open or any(power(tool).effectful for tool in approval.tools):
            yield judge(system, approval)


def judge(system: AgentSystem, approval: Approval) -> Verdict:
    """The verdict on one place: the widest way past it counts."""
    weight = _weight(approval)
    ways = sorted((way for way in approval.bypasses if _matters(way)), key=lambda way: (_risk(way), way.span))
    what = f"{approval.symbol}: " if approval.symbol else ""
    if ways:
        worst = max(ways, key=_risk)
        more = f" ({len(ways) - 1} more)" if len(ways) > 1 else ""
        related = tuple(way.span for way in ways if way.span != approval.span)[:4]
        reason = f"{what}{_lower(worst.what)}{more}."
        risk = _all_or_some(approval, ways)
        lacks = (LACKS[worst.kind],)
        return gap(
            approval, reason, risk=risk, weight=weight, confidence=approval.confidence, related=related, lacks=lacks
        )
    if approval.unreadable:
        return unknown(approval, f"{what}whether it asks a person comes from {approval.unreadable}.", weight=weight)
    unread = next((way.tool for way in approval.bypasses if way.tool is not None and is_unread(system, way.tool)), None)
    if unread is not None:
        reason = f"{what}nobody is asked for {unread.name}, of which nothing says what it does."
        return unknown(approval, reason, weight=weight)
    return ok(approval, f"{what}a person is asked on every path.", weight=weight)


def _matters(way: Bypass) -> bool:
    return way.tool is None or power(way.tool).effectful


def _risk(way: Bypass) -> float:
    return 1.0 if way.kind in WHOLE else SOME


def _all_or_some(approval: Approval, ways: list[Bypass]) -> float:
    """A question that is switched off for one tool of several is still asked for the others."""
    whole = [way for way in ways if way.kind in WHOLE]
    if any(way.tool is None or way.kind in {BypassKind.MODEL, BypassKind.ANYTHING} for way in whole):
        return 1.0
    named = {id(way.tool) for way in whole}
    acting = {id(tool) for tool in approval.tools if power(tool).effectful}
    return 1.0 if whole and acting and acting <= named and not approval.open else SOME


def _weight(approval: Approval) -> float:
    acts = approval.open or any(power(tool).effectful for tool in approval.tools)
    return WEIGHT_EFFECTFUL if acts else WEIGHT_PLAIN


def _lower(text: str) -> str:
    """A sentence as the end of another one; a name keeps its spelling."""
    first = text.partition(" ")[0]
    return text[:1].lower() + text[1:] if first.istitle() else text
