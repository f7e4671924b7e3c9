"""What rows cannot say of AutoGen: tools that are registered with an agent later, and the edges of a GraphFlow.

Rules: autogen/agentchat/conversable_agent.py (`register_function` and the decorator `register_for_llm` give a tool to
the agent that may call it), autogen_agentchat/teams/_group_chat/_graph (`add_edge` leads from one agent to another; a
flow without a cycle runs each agent once).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Const, Values
from agent_architecture.semantics.addresses import parse_address
from agent_architecture.semantics.graphs import ANY, Built
from agent_architecture.semantics.match import makers, resolved
from agent_architecture.semantics.read import at_call
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.context import Context
    from agent_architecture.semantics.match import Match

REGISTER: Final = "py:autogen.register_function"
FLOW: Final = "py:autogen_agentchat.teams.GraphFlow"
BUILDER: Final = "py:autogen_agentchat.teams.DiGraphBuilder"


def registered_tools(context: Context) -> Iterator[tuple[Match, ir.Expr]]:
    """The tools that are registered with an agent after it was made."""
    for site in context.program.calls("register_function"):
        if any(context.packs.canonical(api.path) == REGISTER for api in resolved(context.program, site.call.callee)):
            yield from ((agent, site.call) for agent in context.made_by(_at(context, site.call, "caller"), "agent"))


def graph_flows(context: Context) -> dict[int, Built]:
    """The graph of every GraphFlow whose builder is in sight, by the node that makes the flow."""
    edges = _edges(context)
    found: dict[int, Built] = {}
    for match in context.of_kind("agent"):
        if context.packs.canonical(match.api.path) != FLOW:
            continue
        for value in _at(context, match.arguments, "graph | 1"):
            for node in makers(value):
                if id(node) in edges:
                    graph = found.setdefault(id(match.node), Built(passes=False))
                    graph.edges |= edges[id(node)]
                    graph.inner.extend(context.made_by(_at(context, match.arguments, "participants[] | 0[]"), "agent"))
    return found


def _edges(context: Context) -> dict[int, set[tuple[str, str]]]:
    """The edges of every graph builder, by the node that makes it."""
    found: dict[int, set[tuple[str, str]]] = {}
    for site in context.program.calls("add_edge"):
        for api in resolved(context.program, site.call.callee):
            if api.path.startswith(BUILDER):
                sources = _labels(context, _at(context, site.call, "source | 0"))
                targets = _labels(context, _at(context, site.call, "target | 1"))
                pairs = {(source, target) for source in sources for target in targets}
                for node in makers(api):
                    if isinstance(node, ir.Call):
                        found.setdefault(id(node), set()).update(pairs)
    return found


def _labels(context: Context, values: Values) -> tuple[str, ...]:
    """What stands for an agent in a graph: the name that is written, or the place where the agent is made."""
    labels = [str(value.value) for value in values if isinstance(value, Const)]
    labels.extend(repr(match.node.span) for match in context.made_by(values, "agent"))
    return tuple(labels) or (ANY,)


def _at(context: Context, call: ir.Call | None, address: str) -> Values:
    return at_call(context.program, call, None, parse_address(address)).values
