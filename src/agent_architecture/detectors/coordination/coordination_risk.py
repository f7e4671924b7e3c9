"""Teams of agents with nobody who ends the work, no listed ways, no form of messages, no time limit, no way out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.limits import judge_limit
from agent_architecture.model.coordination import Team
from agent_architecture.model.settings import Origin
from agent_architecture.model.system import AgentSystem
from agent_architecture.wording import fitting, named

EACH: Final = 0.2
"""For each of five parts that is missing."""


@detector(
    title="Agents that work together without a contract",
    impact=Severity.MEDIUM,
    effort=Effort.MEDIUM,
    fix="Let one agent own the end, list who may pass work to whom, give messages a schema, and bound every wait.",
    parts={
        "end": "Let one agent own the end, or bound the run.",
        "routes": "List who may pass work to whom.",
        "schema": "Give the messages between agents a schema.",
        "time": "Give every wait for another agent a time limit.",
        "failure": "Handle the failure of one agent where the team is run.",
    },
    references=("CWE-841", "CWE-662", "CWE-755", "OWASP ASI07", "OWASP ASI08", "AISVS 9.5.5", "AISVS 9.1.3"),
)
def coordination_risk(system: AgentSystem) -> Iterator[Verdict]:
    """Every team of at least two agents."""
    for team in system.teams:
        yield judge(team)


def judge(team: Team) -> Verdict:
    """The verdict on one team: what of the five parts it lacks; what a caller decides that was not found is open."""
    missing = {} if _has_end(team) else {"end": "no owner of the end or step limit"}
    if not team.drawn:
        missing["routes"] = "no list of who may pass work to whom"
    if not team.typed:
        missing["schema"] = "no message schema"
    open_ones: dict[str, str] = {}
    limit = team.time_limit
    if limit.origin is Origin.UNKNOWN:
        open_ones["time"] = f"its time limit comes from {limit.source}"
    elif not any(value is not None for value in limit.values):
        (missing if team.entered else open_ones)["time"] = "no time limit"
    if team.handled is None:
        (missing if team.entered else open_ones)["failure"] = "no handling of a failed agent"
    begin = f"Team of {named(team.members)}"
    if missing:
        risk = min(1.0, EACH * len(missing))
        reason = fitting(f"{begin}: ", tuple(missing.values()))
        return gap(team, reason, risk=round(risk, 1), related=team.related, lacks=missing)
    if open_ones:
        begin = begin if team.entered else f"{begin}, which nothing here is seen to run"
        return unknown(team, fitting(f"{begin}: ", tuple(open_ones.values())), related=team.related)
    return ok(team, f"{begin}, led by {team.leader}: has routes, message schema, time limit and failure handling.")


def _has_end(team: Team) -> bool:
    if team.in_turns:
        return False
    bounded = team.limit.origin is Origin.WRITTEN and judge_limit(team.limit, "step limit").risk == 0
    return bounded or not team.circular
