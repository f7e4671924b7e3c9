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
    from agent_architecture.syntax import ir

ACTION: Final = parse_address("1 | action | 0 | node | executor")
"""Behind the name, alone, or before it."""


def mounted(context: Context, agents: KnownAgents) -> Iterator[Handoff]:
    """The edges from each compiled graph to the agents among its nodes, where the node is added."""
    for graph, action in steps_added(context):
        source = agents.agent_of(graph)
        for target in map(agents.agent_of, context.made_by(context.program.value_of(action), "agent")):
            if source is not target:
                yield Handoff(action.span, f"{source.symbol} → {target.symbol}", source.framework, source, target)


def steps_added(context: Context) -> Iterator[tuple[Match, ir.Expr]]:
    """Each compiled graph, with what is added to its builder as a node."""
    compiled: dict[int, list[Match]] = {}
    for match in context.of_kind("agent"):
        builder = context.made(match.api, "graph")
        if builder is not None:
            compiled.setdefault(id(builder.node), []).append(match)
    for key, site in builder_calls(context, NODE):
        for action in expressions(context.program, site.call, ACTION) if key in compiled else ():
            yield from ((graph, action) for graph in compiled[key])
