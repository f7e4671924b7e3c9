"""Delegation cycles: agents that can hand the work back and forth, and what ends it."""

from __future__ import annotations

from collections.abc import Iterator

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.limits import RISK_TIGHT_DEFAULT, Judgement, judge_limit
from agent_architecture.model.confidence import Degree
from agent_architecture.model.graph import Delegations
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
    """Every line that declares delegations, by the worst of its edges."""
    worst: dict[tuple[str, int], Verdict] = {}
    graph = Delegations(system.handoffs)
    guessed = frozenset(id(edge) for edge in system.handoffs if edge.degree is Degree.GUESSED)
    told = Delegations(edge for edge in system.handoffs if id(edge) not in guessed)
    for edge in system.handoffs:
        if id(edge) not in guessed and graph.on_cycle(edge) and not told.on_cycle(edge):
            verdict = unknown(
                edge, f"Only a guessed edge leads from {edge.target.symbol} back to {edge.source.symbol}."
            )
        else:
            verdict = judge(system, graph, edge)
        line = (edge.span.path, edge.span.line)
        if line not in worst or _badness(verdict.risk) > _badness(worst[line].risk):
            worst[line] = verdict
    yield from worst.values()


def judge(system: AgentSystem, graph: Delegations, edge: Handoff) -> Verdict:
    """The verdict on one edge; on a cycle, by the loosest run that can enter it."""
    if not graph.on_cycle(edge):
        return ok(edge, f"{edge.target.symbol} cannot hand back to {edge.source.symbol}.")
    cycle = f"{edge.target.symbol} can hand back to {edge.source.symbol}"
    before = graph.reaching(edge.source)
    entering = tuple(site for site in system.agent_sites if any(id(agent) in before for agent in site.agents))
    runs = entering or _unresolved(system, edge)
    if not runs:
        return unknown(edge, f"{cycle}; no run that enters the cycle was found, so its turn limit is not known.")
    loosest = max((judge_limit(site.step_limit, "turn limit") for site in runs), key=_looseness)
    related = tuple(site.span for site in runs)
    reason = f"{cycle}: {loosest.seen}."
    if loosest.risk is None:
        return unknown(edge, reason, related=related)
    return gap(edge, reason, risk=_risk(loosest.risk), related=related)


def _risk(limit: float) -> float:
    """The risk of a cycle under a limit of this risk."""
    if limit == 0:
        return BOUNDED
    return RISK_TIGHT_DEFAULT if limit <= RISK_TIGHT_DEFAULT else 1.0


def _looseness(found: Judgement) -> float:
    return _badness(found.risk)


def _badness(risk: float | None) -> float:
    """What cannot be read hides all but what is known to be unbounded."""
    return 0.9 if risk is None else risk


def _unresolved(system: AgentSystem, edge: Handoff) -> tuple[Site, ...]:
    """Runs of the same library whose agent is picked at run time: they may start any of its agents."""
    return tuple(site for site in system.agent_sites if not site.agents and site.framework == edge.framework)
