"""LangGraph's edges, in both languages: nodes and edges of every builder.

Rows cannot say this: an edge is a call on the builder whose arguments name nodes, a router's returns, or a `Command`
inside a node.
Reads `add_edge`, `add_conditional_edges`, `add_node`, `add_sequence` and their JavaScript spellings.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, ClassValue, Func, Items, Value
from agent_architecture.semantics.adapters.graphs import Built
from agent_architecture.semantics.adapters.langgraph_choices import Choice
from agent_architecture.semantics.adapters.langgraph_counters import counted
from agent_architecture.semantics.adapters.langgraph_routes import (
    at,
    branches,
    commanded,
    commanding,
    labels,
    mapped,
    names,
)
from agent_architecture.semantics.adapters.step_names import ANY, OF_MESSAGES, OWN_STATES
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import CallSite
    from agent_architecture.names.values import Values
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

EDGE: Final = ("add_edge", "addEdge")
CONDITIONAL: Final = ("add_conditional_edges", "addConditionalEdges")
NODE: Final = ("add_node", "addNode")
SEQUENCE: Final = ("add_sequence", "addSequence")


def built_graphs(context: Context) -> dict[int, Built]:
    """What is known of every graph, by the id of the node that makes its builder."""
    return context.once(_built)


def _built(context: Context) -> dict[int, Built]:
    found: dict[int, Built] = {}
    for match in context.of_kind("graph"):
        # A builder that takes whole agents (a supervisor, a swarm) passes the work among them.
        graph = found[id(match.node)] = Built(passes="agents" in match.row.relations)
        graph.is_read = not graph.passes
        graph.keeps_messages = _keeps_messages(context, match)
    for key, site in builder_calls(context, (*EDGE, *CONDITIONAL, *NODE, *SEQUENCE)):
        _add(context, found[key], site.call)
    for match in context.of_kind("graph"):
        found[id(match.node)].bound = counted(context, match, found[id(match.node)])
    return found


def _keeps_messages(context: Context, graph: Match) -> bool:
    """Whether a conversation is in the state of a graph: somebody means to have a model in it."""
    names = OWN_STATES | OF_MESSAGES
    parts = (part for given in graph.given for part in _written(context, given.value))
    nodes = (node for part in parts for node in ir.walk(part))
    return any(isinstance(node, (ir.Name, ir.Member)) and callee_name(node) in names for node in nodes)


def _written(context: Context, state: ir.Expr) -> Iterator[ir.Node]:
    """What the state of a graph is written as: the expression, the call that made it, the classes that it is."""
    yield state
    for value in context.program.value_of(state):
        if isinstance(value, Api) and value.node is not None:
            yield value.node
        for cls in context.program.lineage(value.cls) if isinstance(value, ClassValue) else ():
            yield from (*cls.bases, *cls.body)


def node_functions(context: Context) -> dict[int, tuple[ir.Function, ...]]:
    """The project's functions that are nodes of a graph, by the id of the node that makes its builder."""
    return context.once(_functions)


def _functions(context: Context) -> dict[int, tuple[ir.Function, ...]]:
    found: dict[int, list[ir.Function]] = {}
    for key, site in builder_calls(context, NODE):
        action = at(context, site.call, "1 | action") or at(context, site.call, "0 | node")
        found.setdefault(key, []).extend(value.function for value in action if isinstance(value, Func))
    return {key: tuple(functions) for key, functions in found.items()}


def tool_nodes(context: Context) -> Iterator[tuple[Match, ir.Expr]]:
    """The nodes that run tools, each with the agents that its graph is compiled to."""
    compiled: dict[int, list[Match]] = {}
    for match in context.of_kind("agent"):
        for builder in context.made_by([match.api], "graph"):
            compiled.setdefault(id(builder.node), []).append(match)
    for key, site in builder_calls(context, NODE) if compiled else ():
        for argument in site.call.args[:2]:
            if context.made_by(context.program.value_of(argument.value), "tool_set"):
                yield from ((match, argument.value) for match in compiled.get(key, ()))


def _add(context: Context, graph: Built, call: ir.Call) -> None:
    name = call.callee.name if isinstance(call.callee, ir.Member) else ""
    if name in NODE:
        _add_node(context, graph, call)
    elif name in SEQUENCE:
        steps = [_step(context, item) for value in at(context, call, "0") for item in _items(value)]
        graph.is_read = False
        graph.nodes.update(steps)
        graph.edges.update(pairwise(steps))
    elif name in EDGE:
        ends = names(context, call, "1 | end_key")
        graph.edges.update((a, b) for a in names(context, call, "0 | start_key") for b in ends)
    else:
        sources = names(context, call, "0 | source | 0.source")
        edges = {(a, b) for a in sources for b in branches(context, call)}
        graph.edges |= edges
        paths = at(context, call, "1 | path | 0.path")
        routers = [value.function for value in paths if isinstance(value, Func)]
        graph.is_read = graph.is_read and _is_read(paths)
        for source in sources if routers else ():
            graph.decides.setdefault(source, []).extend(Choice(context, r, mapped(context, call)) for r in routers)
        graph.decided |= edges if routers else set()


def _add_node(context: Context, graph: Built, call: ir.Call) -> None:
    """A node, where its own `Command`s lead, and the agent that it may be."""
    first = at(context, call, "0 | node")
    action = at(context, call, "1 | action") or first
    label = next((label for value in first for label in labels(context, value)), ANY)
    targets = [t for value in at(context, call, "destinations | 2.ends") for t in labels(context, value)]
    graph.is_read = graph.is_read and label != ANY and _is_read(action)
    for value in action:
        if isinstance(value, Func):
            graph.actions.setdefault(label, []).append(value.function)
            for function in commanding(context, value.function):
                commands = tuple(commanded(context, function))
                targets.extend(commands)
                if commands:
                    graph.decides.setdefault(label, []).append(Choice(context, function))
    graph.nodes.add(label)
    edges = {(label, target) for target in targets}
    graph.edges |= edges
    graph.decided |= edges if label in graph.decides else set()
    graph.inner.extend(context.made_by(action, "agent"))


def _is_read(values: Values) -> bool:
    return bool(values) and all(isinstance(value, Func) for value in values)


def _items(value: Value) -> tuple[ir.Expr, ...]:
    return value.items if isinstance(value, Items) else ()


def _step(context: Context, item: ir.Expr) -> str:
    """The name of a step of a sequence: a function, or a pair of name and function."""
    values = context.program.value_of(item)
    pair = next((value.items for value in values if isinstance(value, Items) and value.items), ())
    named = context.program.value_of(pair[0]) if pair else values
    return next((label for value in named for label in labels(context, value)), ANY)


def builder_calls(context: Context, names: tuple[str, ...]) -> Iterator[tuple[int, CallSite]]:
    """The calls of builders by one of these names, each with the id of the node that makes its builder."""
    for name in names:
        for site in context.program.calls(name):
            if isinstance(site.call.callee, ir.Member):
                for match in context.made_by(context.program.value_of(site.call.callee.target), "graph"):
                    yield id(match.node), site
