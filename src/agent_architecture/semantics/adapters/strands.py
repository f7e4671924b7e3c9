"""Strands' graphs in both languages: nodes are agents, edges lead from one node to another.

Rows cannot say this: an edge is a call on the builder (Python), or a pair in a list (JavaScript), and names its nodes
by their ids or by what `add_node` returned. Rule: strands/multiagent/graph.py, dist/src/multiagent/graph.js.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api, Const, Entries, Items
from agent_architecture.semantics.adapters.graphs import Built
from agent_architecture.semantics.adapters.langgraph import builder_calls
from agent_architecture.semantics.adapters.step_names import ANY
from agent_architecture.semantics.matching.read import at_call, within
from agent_architecture.semantics.packs.addresses import parse_address
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.values import Value, Values
    from agent_architecture.semantics.matching.context import Context

PACK: Final = "strands"
NODE: Final = "add_node"
EDGE: Final = "add_edge"
GRAPH: Final = "npm:@strands-agents/sdk:Graph"
ENDS: Final = tuple(parse_address(end) for end in ("0 | source", "1 | target"))


def orchestrations(context: Context) -> dict[int, Built]:
    """The graph of every builder, by the node that makes it, and of every JavaScript graph, by its own."""
    found = {id(m.node): Built(passes=False) for m in context.of_kind("graph") if m.row.where.pack == PACK}
    for key, site in builder_calls(context, (NODE, EDGE)) if found else ():
        if key in found and isinstance(site.call.callee, ir.Member):
            _add(context, found[key], site.call, site.call.callee.name)
    for match in context.of_kind("agent"):
        if match.row.where.pack == PACK and context.packs.canonical(match.api.path) == GRAPH:
            graph = found[id(match.node)] = Built(passes=False)
            nodes = at_call(context.program, match.arguments, None, parse_address("0.nodes[] | 0.nodes[].agent")).values
            graph.inner.extend(context.made_by(nodes, "agent"))
            for edge in at_call(context.program, match.arguments, None, parse_address("0.edges[]")).values:
                ends = [_labels(context, _end(context, edge, number)) for number in range(2)]
                graph.edges.update((a, b) for a in ends[0] for b in ends[1])
    return found


def _add(context: Context, graph: Built, call: ir.Call, name: str) -> None:
    if name == NODE:
        graph.nodes.add(_own_label(context, call))
        graph.inner.extend(context.made_by(_at(context, call, "executor | 0"), "agent"))
        return
    ends = [_labels(context, _at(context, call, end)) for end in ("from_node | 0", "to_node | 1")]
    graph.edges.update((a, b) for a in ends[0] for b in ends[1])


def _end(context: Context, edge: Value, number: int) -> Values:
    """One end of an edge that is written as a pair or as an object."""
    if isinstance(edge, (Items, Entries)):
        return within(context.program, edge, ENDS[number]).values
    return ()


def _labels(context: Context, values: Values) -> tuple[str, ...]:
    return tuple(label for value in values for label in _label(context, value)) or (ANY,)


def _label(context: Context, value: Value) -> Iterator[str]:
    match value:
        case Const(value=str() as name):
            yield name
        case Api(node=ir.Call() as call, path=path) if last_name(path) == NODE:
            yield _own_label(context, call)
        case _:
            yield ANY


def _own_label(context: Context, call: ir.Call) -> str:
    """The id that a node is added with, or else the place where it is added."""
    ids = [value.value for value in _at(context, call, "node_id | 1") if isinstance(value, Const)]
    return ids[0] if len(ids) == 1 and isinstance(ids[0], str) else repr(call.span)


def _at(context: Context, call: ir.Call, address: str) -> Values:
    return at_call(context.program, call, None, parse_address(address)).values
