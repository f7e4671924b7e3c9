"""Routers that follow an answer nobody checked, to places nobody listed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.decisions import Deciding, Router
from agent_architecture.model.system import AgentSystem
from agent_architecture.wording import fitting

EACH: Final = 0.25
"""For each of four parts that is missing (spec/detectors.md, ruling 51)."""
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
        missing.append("no closed label list")
    if not router.default:
        missing.append("no default")
    if router.by in {Deciding.MODEL, Deciding.TEXT}:
        missing += [] if router.validated and router.by is not Deciding.TEXT else ["no validation"]
        missing += [] if router.checked else ["no confidence or permission check"]
    begin = f"{router.symbol} routes {BY[router.by]}"
    if missing:
        return gap(router, fitting(f"{begin}: ", missing), risk=EACH * len(missing))
    if router.by is Deciding.STATE and not (router.validated and router.checked):
        return unknown(router, f"{begin}, with listed labels and a default; who sets the label cannot be read.")
    return ok(router, f"{begin}, with listed labels and a default.")
