"""Teams of agents with nobody who ends the work, no listed ways, no form of messages, no time limit, no way out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.limits import judge_limit
from agent_architecture.model.coordination import Team
from agent_architecture.model.settings import Origin
from agent_architecture.model.system import AgentSystem

EACH: Final = 0.2
"""For each of five parts that is missing (spec/detectors.md, ruling 50)."""
NAMED: Final = 6
"""Agents that a reason names."""


@detector(
    title="Agents that work together without a contract",
    impact=Severity.MEDIUM,
    effort=Effort.MEDIUM,
    fix="Let one agent own the end, list who may pass work to whom, give messages a schema, and bound every wait.",
    references=("CWE-841", "CWE-662", "CWE-755", "OWASP ASI07", "OWASP ASI08", "AISVS 9.5.5", "AISVS 9.1.3"),
)
def coordination_risk(system: AgentSystem) -> Iterator[Verdict]:
    """Every team of at least two agents."""
    for team in system.teams:
        yield judge(team)


def judge(team: Team) -> Verdict:
    """The verdict on one team: what of the five parts it lacks; what a caller decides that was not found is open."""
    missing = [] if _has_end(team) else ["nobody owns its end: the work can go round among them, and no limit is set"]
    if not team.drawn:
        missing.append("anyone may pass the work to anyone")
    if not team.typed:
        missing.append("what they pass on has no declared form")
    open_ones = []
    limit = team.time_limit
    if limit.origin is Origin.UNKNOWN:
        open_ones.append(f"its time limit comes from {limit.source}")
    elif not any(value is not None for value in limit.values):
        (missing if team.entered else open_ones).append("nobody waits for them for a limited time only")
    if team.handled is None:
        (missing if team.entered else open_ones).append("the failure of one is dealt with nowhere")
    names = ", ".join(team.members[:NAMED]) + (" and others" if len(team.members) > NAMED else "")
    begin = f"{len(team.members)} agents work together ({names})"
    if missing:
        risk = min(1.0, EACH * len(missing))
        return gap(team, f"{begin}; {'; '.join(missing)}.", risk=round(risk, 1), related=team.related)
    if open_ones:
        return unknown(team, f"{begin}; who runs them was not found, or {'; '.join(open_ones)}.", related=team.related)
    return ok(team, f"{begin}, led by {team.leader}, with listed ways, a form, a time limit and a way out.")


def _has_end(team: Team) -> bool:
    if team.in_turns:
        return False
    bounded = team.limit.origin is Origin.WRITTEN and judge_limit(team.limit, "step limit").risk == 0
    return bounded or not team.circular
