"""Workflows of Microsoft Agent Framework as graphs: their edges lead from one object to another.

Rule: agent_framework/_workflows/_workflow_builder.py. Executors and agents are nodes, each object one; a workflow
without a cycle runs each of them once.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from agent_architecture.model.system import Handoff
from agent_architecture.names.values import Api, Const, Func, Instance, Items
from agent_architecture.semantics.adapters.graphs import Built
from agent_architecture.semantics.adapters.step_names import ANY
from agent_architecture.semantics.matching.makers import makers
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import at_call, expressions
from agent_architecture.semantics.packs.addresses import parse_address
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.values import Value, Values
    from agent_architecture.semantics.adapters.known_agents import KnownAgents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

PACK: Final = "agent-framework"
EDGES: Final = ("add_edge", "add_fan_out_edges", "add_fan_in_edges", "add_multi_selection_edge_group")
CASES: Final = "add_switch_case_edge_group"
CHAIN: Final = "add_chain"
HANDOFF: Final = "add_handoff"
BUILDER: Final = "py:agent_framework.orchestrations.HandoffBuilder"
PIPELINES: Final = ("SequentialBuilder", "ConcurrentBuilder")


def workflows(context: Context) -> dict[int, Built]:
    """The graph of every workflow builder, by the node that makes it, and of every pipeline, by its own."""
    found = {id(m.node): Built(passes=False) for m in _builders(context)}
    for name, call, builder in _told(context):
        _add(context, found[id(builder)], name, call)
    for match in context.of_kind("agent"):
        path = context.packs.canonical(match.api.path)
        if match.row.where.pack == PACK and any(f"{name}()" in path for name in PIPELINES):
            graph = found[id(match.node)] = Built(passes=False)
            read = at_call(context.program, match.arguments, match.api.receiver, match.row.relations["agents"])
            graph.inner.extend(context.made_by(read.values, "agent"))
    return found


def added_handoffs(context: Context) -> Iterator[tuple[Match, ir.Expr]]:
    """The hand-overs that a builder is told of, after its agents were made: `.add_handoff(desk, [clerk])`."""
    for site in context.program.calls(HANDOFF):
        paths = (context.packs.canonical(api.path) for api in resolved(context.program, site.call.callee))
        if any(path.startswith(BUILDER) for path in paths):
            targets = expressions(context.program, site.call, parse_address("targets | 1"))
            for agent in context.made_by(_at(context, site.call, "source | 0"), "agent"):
                yield from ((agent, target) for target in targets)


def edges(context: Context, agents: KnownAgents) -> Iterator[Handoff]:
    """The edges of workflows between two agents, each where the builder is told of it."""
    for name, call, _ in _told(context):
        place = call.callee.name_span if isinstance(call.callee, ir.Member) else call.span
        for sources, targets in _ends(context, name, call):
            for first in context.made_by(sources, "agent"):
                for second in context.made_by(targets, "agent"):
                    source, target = agents.agent_of(first), agents.agent_of(second)
                    yield Handoff(place, f"{source.symbol} → {target.symbol}", source.framework, source, target)


def _builders(context: Context) -> tuple[Match, ...]:
    return tuple(match for match in context.of_kind("graph") if match.row.where.pack == PACK)


def _told(context: Context) -> Iterator[tuple[str, ir.Call, ir.Node]]:
    """The calls that tell a builder of edges: the method's name, the call, and what makes the builder."""
    builders = {id(match.node) for match in _builders(context)}
    for name in (*EDGES, CASES, CHAIN) if builders else ():
        for site in context.program.calls(name):
            for api in resolved(context.program, site.call.callee):
                yield from ((name, site.call, node) for node in makers(api) if id(node) in builders)


def _ends(context: Context, name: str, call: ir.Call) -> Iterator[tuple[Values, Values]]:
    """What the edges of a call lead from, and to."""
    if name == CHAIN:
        yield from pairwise((value,) for value in _elements(context, _at(context, call, "executors | 0")))
        return
    sources = _at(context, call, "source | sources | 0")
    targets = _at(context, call, "cases[].target | 1[].target" if name == CASES else "target | targets | 1")
    yield tuple(_elements(context, sources)), tuple(_elements(context, targets))


def _add(context: Context, graph: Built, name: str, call: ir.Call) -> None:
    for ends in _ends(context, name, call):
        sources, targets = (tuple(_nodes(context, graph, values)) for values in ends)
        graph.edges.update((a, b) for a in sources for b in targets)


def _nodes(context: Context, graph: Built, values: Values) -> Iterator[str]:
    """The names of nodes: of an object the place where it is made, of a function or a registered node its name."""
    for value in values:
        label = _label(context, value)
        agents = context.made_by((value,), "agent")
        graph.inner.extend(agent for agent in agents if agent not in graph.inner)
        graph.nodes.add(label)
        yield label


def _label(context: Context, value: Value) -> str:
    made = context.made(value, "agent")
    match value:
        case _ if made is not None:
            return repr(made.node.span)
        case Instance(call=ir.Call() as call):
            return repr(call.span)
        case Func():
            return value.function.qualname
        case Const(value=str() as name):
            return name
        case Api(node=ir.Call() as call):
            return repr(call.span)
        case _:
            return ANY


def _elements(context: Context, values: Values) -> Iterator[Value]:
    for value in values:
        if isinstance(value, Items):
            yield from (inner for item in value.items for inner in context.program.value_of(item))
        else:
            yield value


def _at(context: Context, call: ir.Call, address: str) -> Values:
    return at_call(context.program, call, None, parse_address(address)).values
