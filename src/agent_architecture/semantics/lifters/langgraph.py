"""LangGraph's edges, in both languages: which compiled graphs can come back to a node.

Rows cannot say this: an edge is a call on the builder whose arguments name nodes, a router's returns, or a `Command`
inside a node.
Reads `add_edge`, `add_conditional_edges`, `add_node`, `add_sequence` and their JavaScript spellings.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api, Const, Entries, Func, Items, Value, Values
from agent_architecture.semantics.addresses import parse_address
from agent_architecture.semantics.paths import last_name
from agent_architecture.semantics.read import at_call
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import CallSite
    from agent_architecture.semantics.context import Context

EDGE: Final = ("add_edge", "addEdge")
CONDITIONAL: Final = ("add_conditional_edges", "addConditionalEdges")
NODE: Final = ("add_node", "addNode")
SEQUENCE: Final = ("add_sequence", "addSequence")
ANY: Final = "*"
"""A target that cannot be read: any node of the graph."""

Edges = set[tuple[str, str]]


def cyclic_graphs(context: Context) -> dict[int, bool]:
    """Whether each compiled graph has a cycle, by the id of its `compile()` node; other agents are left out."""
    graphs = {id(match.node) for match in context.of_kind("graph")}
    if not graphs:
        return {}
    nodes, edges, agents = _read(context)
    found = {}
    for match in context.of_kind("agent"):
        builder = context.made(match.api, "graph")
        if builder is not None:
            key = id(builder.node)
            names = nodes.get(key, set())
            # A builder that takes whole agents (a supervisor, a swarm) passes the work among them.
            inner = agents.get(key, False) or "agents" in builder.row.relations
            found[id(match.node)] = inner or _has_cycle(_resolved(edges.get(key, set()), names))
    return found


def _read(context: Context) -> tuple[dict[int, set[str]], dict[int, Edges], dict[int, bool]]:
    """Per builder: its node names, its edges, and whether a node is itself an agent that may repeat."""
    nodes: dict[int, set[str]] = {}
    edges: dict[int, Edges] = {}
    agents: dict[int, bool] = {}
    for key, site in _builder_calls(context, (*EDGE, *CONDITIONAL, *NODE, *SEQUENCE)):
        name = site.call.callee.name if isinstance(site.call.callee, ir.Member) else ""
        if name in NODE:
            node, targets, is_agent = _node(context, site.call)
            nodes.setdefault(key, set()).add(node)
            edges.setdefault(key, set()).update((node, target) for target in targets)
            agents[key] = agents.get(key, False) or is_agent
        elif name in SEQUENCE:
            steps = [_step(context, item) for value in _at(context, site.call, "0") for item in _items(value)]
            nodes.setdefault(key, set()).update(steps)
            edges.setdefault(key, set()).update(pairwise(steps))
        elif name in EDGE:
            edges.setdefault(key, set()).update(
                (a, b)
                for a in _names(context, site.call, "0 | start_key")
                for b in _names(context, site.call, "1 | end_key")
            )
        else:
            sources = _names(context, site.call, "0 | source | 0.source")
            edges.setdefault(key, set()).update((a, b) for a in sources for b in _branches(context, site.call))
    return nodes, edges, agents


def _builder_calls(context: Context, names: tuple[str, ...]) -> Iterator[tuple[int, CallSite]]:
    for name in names:
        for site in context.program.calls(name):
            if isinstance(site.call.callee, ir.Member):
                for match in context.made_by(context.program.value_of(site.call.callee.target), "graph"):
                    yield id(match.node), site


def _at(context: Context, call: ir.Call, address: str) -> Values:
    return at_call(context.program, call, None, parse_address(address)).values


def _names(context: Context, call: ir.Call, address: str) -> tuple[str, ...]:
    labels = [label for value in _at(context, call, address) for label in _labels(context, value)]
    return tuple(labels) or (ANY,)


def _labels(context: Context, value: Value) -> Iterator[str]:
    """The node names that a value stands for; several for a list."""
    match value:
        case Const():
            yield "__end__" if value.value in {None, False} else str(value.value)
        case Api():
            yield f"__{last_name(value.path).lower()}__" if last_name(value.path) in {"START", "END"} else _sent(value)
        case Func():
            yield value.function.name
        case Items():
            for item in value.items:
                for inner in context.program.value_of(item):
                    yield from _labels(context, inner)
        case _:
            yield ANY


def _items(value: Value) -> tuple[ir.Expr, ...]:
    return value.items if isinstance(value, Items) else ()


def _step(context: Context, item: ir.Expr) -> str:
    """The name of a step of a sequence: a function, or a pair of name and function."""
    values = context.program.value_of(item)
    pair = next((value.items for value in values if isinstance(value, Items) and value.items), ())
    named = context.program.value_of(pair[0]) if pair else values
    return next((label for value in named for label in _labels(context, value)), ANY)


def _sent(value: Api) -> str:
    """The node that a `Send("node", state)` goes to."""
    if last_name(value.path) == "Send" and isinstance(value.node, ir.Call) and value.node.args:
        first = value.node.args[0].value
        if isinstance(first, ir.Literal):
            return str(first.value)
    return ANY


def _branches(context: Context, call: ir.Call) -> tuple[str, ...]:
    """Where a conditional edge can lead: its map or list, else what its router is declared to return, or returns."""
    for value in _at(context, call, "2 | path_map | pathMap | 0.pathMap"):
        if isinstance(value, Entries):
            return tuple(
                label
                for _, expr in value.entries
                for v in context.program.value_of(expr)
                for label in _labels(context, v)
            )
        if isinstance(value, Items):
            return tuple(_labels(context, value))
    found = [label for value in _at(context, call, "1 | path | 0.path") for label in _routed(context, value)]
    return tuple(found) or (ANY,)


def _routed(context: Context, router: Value) -> Iterator[str]:
    if isinstance(router, Api):
        yield from ("tools", "__end__") if last_name(router.path) in {"tools_condition", "toolsCondition"} else (ANY,)
        return
    if not isinstance(router, Func):
        yield ANY
        return
    declared = tuple(_declared(router.function.returns))
    if declared:
        yield from declared
        return
    for node in ir.walk(*router.function.body):
        if isinstance(node, ir.Return) and node.value is not None:
            for value in context.program.value_of(node.value):
                yield from _labels(context, value)


def _declared(annotation: ir.Expr | None) -> Iterator[str]:
    """The names in `Literal["a", "b"]`, `Command[Literal[...]]`, `"a" | "b"`."""
    for node in ir.walk(annotation) if annotation is not None else ():
        if isinstance(node, ir.Literal) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ir.Name) and node.id == "END":
            yield "__end__"


def _node(context: Context, call: ir.Call) -> tuple[str, tuple[str, ...], bool]:
    """A node's name, where its own `Command`s lead, and whether it is an agent of its own."""
    first = _at(context, call, "0 | node")
    action = _at(context, call, "1 | action") or first
    label = next((label for value in first for label in _labels(context, value)), ANY)
    targets = [t for value in _at(context, call, "destinations | 2.ends") for t in _labels(context, value)]
    for value in action:
        if isinstance(value, Func):
            targets.extend(_commanded(context, value.function))
    return label, tuple(targets), bool(context.made_by(action, "agent"))


def _commanded(context: Context, function: ir.Function) -> Iterator[str]:
    declared = tuple(_declared(function.returns)) if _names_command(function.returns) else ()
    yield from declared
    for node in ir.walk(*function.body) if not declared else ():
        if isinstance(node, ir.Call) and isinstance(node.callee, ir.Name) and node.callee.id == "Command":
            for value in _at(context, node, "goto | 0.goto"):
                yield from _labels(context, value)


def _names_command(annotation: ir.Expr | None) -> bool:
    return annotation is not None and any(isinstance(n, ir.Name) and n.id == "Command" for n in ir.walk(annotation))


def _resolved(edges: Edges, names: set[str]) -> dict[str, set[str]]:
    """Edges as a mapping, `ANY` replaced by every node."""
    table: dict[str, set[str]] = {}
    every = names | {a for a, _ in edges} | {b for _, b in edges}
    every -= {ANY, "__start__", "__end__"}
    for source, target in edges:
        for a in every if source == ANY else {source}:
            table.setdefault(a, set()).update(every if target == ANY else {target})
    return table


def _has_cycle(table: dict[str, set[str]]) -> bool:
    for start, targets in table.items():
        seen: set[str] = set()
        stack = list(targets)
        while stack:
            node = stack.pop()
            if node == start:
                return True
            if node not in seen:
                seen.add(node)
                stack.extend(table.get(node, ()))
    return False
