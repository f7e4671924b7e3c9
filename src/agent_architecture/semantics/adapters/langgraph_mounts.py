"""LangGraph's graphs of agents: an agent that is a node of a graph gets work from it.

A row cannot say this: the node belongs to a builder, and the agent to what is compiled of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.system import Handoff
from agent_architecture.semantics.adapters.langgraph import NODE, builder_calls
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.packs.addresses import parse_address

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.adapters.known_agents import KnownAgents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

ACTION: Final = parse_address("1 | action | 0 | node | executor")
"""Behind the name, alone, or before it."""


def mounted(context: Context, agents: KnownAgents) -> Iterator[Handoff]:
    """The edges from each compiled graph to the agents among its nodes, where the node is added."""
    compiled: dict[int, list[Match]] = {}
    for match in context.of_kind("agent"):
        builder = context.made(match.api, "graph")
        if builder is not None:
            compiled.setdefault(id(builder.node), []).append(match)
    for key, site in builder_calls(context, NODE):
        actions = expressions(context.program, site.call, ACTION)
        for action in actions if key in compiled else ():
            for target in map(agents.agent_of, context.made_by(context.program.value_of(action), "agent")):
                for source in map(agents.agent_of, compiled[key]):
                    if source is not target:
                        symbol = f"{source.symbol} → {target.symbol}"
                        yield Handoff(action.span, symbol, source.framework, source, target)
