"""Agents whose answers come back, as results, to the one that gave them work."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.system import Handoff
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match


def reports_back(context: Context, agents: Agents) -> Iterator[tuple[Handoff, Match]]:
    """The hand-overs whose agent hears what the other one answers, each with the match that made the other one."""
    made = {id(agents.agent_of(match)): match for match in context.of_kind("agent")}
    for edge in agents.handoffs:
        source, target = made.get(id(edge.source)), made.get(id(edge.target))
        if source is not None and target is not None and source.row.constants.get("hears_back") is True:
            yield edge, target
