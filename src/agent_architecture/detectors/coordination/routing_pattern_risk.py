"""Routers that follow an answer nobody checked, to places nobody listed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.decisions import Deciding, Router
from agent_architecture.model.system import AgentSystem
from agent_architecture.wording import fitting

EACH: Final = 0.25
"""For each of four parts that is missing."""
BY: Final = {
    Deciding.CODE: "on numbers and flags",
    Deciding.MODEL: "on a model's answer",
    Deciding.TEXT: "on words found in a text",
    Deciding.STATE: "on a label in the state",
}


@detector(
    title="A router without listed labels, default or check",
    impact=Severity.MEDIUM,
    effort=Effort.MEDIUM,
    fix="Ask for one of a fixed list of labels, check the answer, and send everything else to a default or a person.",
    parts={
        "labels": "Ask for one of a fixed list of labels.",
        "default": "Send every other answer to a default or a person.",
        "validation": "Check the answer against the labels before it is followed.",
        "confidence": "Ask how sure the answer is, or whether the caller may go there.",
    },
    references=("CWE-470", "CWE-754", "CWE-841", "OWASP ASI01", "OWASP ASI08", "OWASP LLM10:2026", "AISVS 7.1.1"),
)
def routing_pattern_risk(system: AgentSystem) -> Iterator[Verdict]:
    """Every router."""
    for router in system.routers:
        yield judge(router)


def judge(router: Router) -> Verdict:
    """The verdict on one router. One that decides by code alone has no answer to check and needs no confidence."""
    missing: dict[str, str] = {}
    if not router.closed or router.by is Deciding.TEXT:
        missing["labels"] = "no closed label list"
    if not router.default:
        missing["default"] = "no default"
    if router.by in {Deciding.MODEL, Deciding.TEXT}:
        if not router.validated or router.by is Deciding.TEXT:
            missing["validation"] = "no validation"
        if not router.checked:
            missing["confidence"] = "no confidence or permission check"
    begin = f"{router.symbol} routes {BY[router.by]}"
    if missing:
        reason = fitting(f"{begin}: ", tuple(missing.values()))
        return gap(router, reason, risk=EACH * len(missing), lacks=missing)
    if router.by is Deciding.STATE and not (router.validated and router.checked):
        return unknown(router, f"{begin}, with listed labels and a default; who sets the label cannot be read.")
    return ok(router, f"{begin}, with listed labels and a default.")
