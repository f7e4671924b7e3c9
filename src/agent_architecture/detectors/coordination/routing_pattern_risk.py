"""Routers that follow an answer nobody checked, to places nobody listed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.decisions import Deciding, Router
from agent_architecture.model.system import AgentSystem

EACH: Final = 0.25
"""For each of four parts that is missing (spec/detectors.md, ruling 51)."""
BY: Final = {
    Deciding.CODE: "by numbers and flags",
    Deciding.MODEL: "by what a model answers",
    Deciding.TEXT: "by words that it looks for in a text",
    Deciding.STATE: "by a label in the state",
}


@detector(
    title="A router without listed labels, default or check",
    impact=Severity.MEDIUM,
    effort=Effort.MEDIUM,
    fix="Ask for one of a fixed list of labels, check the answer, and send everything else to a default or a person.",
    references=("CWE-470", "CWE-754", "CWE-841", "OWASP ASI01", "OWASP ASI08", "OWASP LLM10:2026", "AISVS 7.1.1"),
)
def routing_pattern_risk(system: AgentSystem) -> Iterator[Verdict]:
    """Every router."""
    for router in system.routers:
        yield judge(router)


def judge(router: Router) -> Verdict:
    """The verdict on one router. One that decides by code alone has no answer to check and needs no confidence."""
    missing = []
    if not router.closed or router.by is Deciding.TEXT:
        missing.append("its labels are no closed list")
    if not router.default:
        missing.append("nothing catches an answer that it does not know")
    if router.by in {Deciding.MODEL, Deciding.TEXT}:
        missing += [] if router.validated and router.by is not Deciding.TEXT else ["nothing checks the answer"]
        missing += [] if router.checked else ["nothing asks how sure the answer is, or who may go there"]
    begin = f"{router.symbol} chooses {BY[router.by]}"
    if missing:
        return gap(router, f"{begin}; {', '.join(missing)}.", risk=EACH * len(missing))
    if router.by is Deciding.STATE and not (router.validated and router.checked):
        return unknown(router, f"{begin}, among listed ways with a default; who wrote the label cannot be read.")
    return ok(router, f"{begin}, among listed ways, with a way for everything else.")
