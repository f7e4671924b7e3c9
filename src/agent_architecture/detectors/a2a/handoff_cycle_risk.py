"""Delegation cycles: agents that can hand the work back and forth, and what ends it."""

from __future__ import annotations

from collections.abc import Iterator

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.limits import Judgement, judge_limit
from agent_architecture.model.graph import on_cycle, sites_reaching
from agent_architecture.model.system import AgentSystem, Handoff, Site

BOUNDED = 0.2
"""A cycle under an effective bound still spends the whole budget when two agents disagree."""


@detector(
    title="Agents can hand the work back and forth without end",
    impact=Severity.HIGH,
    effort=Effort.LOW,
    fix="Break the cycle, or bound the run that enters it with a turn limit that is sized to the task.",
    references=("CWE-674", "CWE-835", "OWASP LLM06:2026", "OWASP ASI08", "AISVS 9.1.2"),
)
def handoff_cycle_risk(system: AgentSystem) -> Iterator[Verdict]:
    """Every delegation edge."""
    for edge in system.handoffs:
        if on_cycle(system.handoffs, edge):
            yield judge(system, edge)
        else:
            yield ok(edge, f"{edge.target.symbol} cannot hand the work back to {edge.source.symbol}.")


def judge(system: AgentSystem, edge: Handoff) -> Verdict:
    """The verdict on an edge of a cycle, by the loosest run that can enter it."""
    cycle = f"{edge.target.symbol} can hand the work back to {edge.source.symbol}"
    runs = sites_reaching(system.sites, system.handoffs, edge.source) or _unresolved(system, edge)
    if not runs:
        return unknown(edge, f"{cycle}; no run that enters this cycle was found, so its turn limit is not known.")
    worst = max((judge_limit(site.step_limit, "turn limit") for site in runs), key=_order)
    related = tuple(site.span for site in runs)
    if worst.risk is None:
        return unknown(edge, f"{cycle}; of the run that enters it, {worst.seen}.", related=related)
    risk = max(worst.risk, BOUNDED)
    return gap(edge, f"{cycle}; of the run that enters it, {worst.seen}.", risk=risk, related=related)


def _order(found: Judgement) -> float:
    return 0.9 if found.risk is None else found.risk


def _unresolved(system: AgentSystem, edge: Handoff) -> tuple[Site, ...]:
    """Runs of the same library whose agent is picked at run time: they may start any of its agents."""
    return tuple(site for site in system.sites if not site.agents and site.framework == edge.framework)
