"""Graphs of pydantic-graph: nodes are classes whose `run` gives back the next one, or steps that a builder joins.

Rows cannot say this: the edges are the types that `run` names, and what is called on a builder. Rule:
pydantic_graph/graph.py (`Graph`), pydantic_graph/graph_builder.py (`GraphBuilder.add`, `edge_from`, `node`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.classes import lineage
from agent_architecture.names.lookup import only_value
from agent_architecture.names.values import Api, ClassValue, Func, Items
from agent_architecture.semantics.adapters.agent_graphs import agent_graphs
from agent_architecture.semantics.adapters.graphs import Built
from agent_architecture.semantics.adapters.langgraph_choices import Choice
from agent_architecture.semantics.adapters.step_names import END
from agent_architecture.semantics.adapters.step_types import types
from agent_architecture.semantics.matching.makers import receivers
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.packs.addresses import parse_address
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.packs.packs import Packs

GRAPH: Final = "py:pydantic_graph.Graph"
BUILDER: Final = "py:pydantic_graph.GraphBuilder"
BUILT: Final = f"{BUILDER}().build"
JOINING: Final = ("add", "add_edge", "add_mapping_edge")
"""Calls on a builder that say which step follows which."""
NODES: Final = parse_address("nodes")
ENDING: Final = "End"
RUN: Final = "run"
DEPTH: Final = 4
"""Names for steps, and parts of ways, that are followed."""


def pydantic_graphs(context: Context) -> dict[int, Built]:
    """The graph of every agent that is one, by the node that makes it."""
    return agent_graphs(context, {GRAPH, BUILT}, _graph)


def steps_of(program: Program, packs: Packs, match: Match) -> tuple[ir.Function, ...]:
    """The functions that a graph runs."""
    return tuple(_edges(program, packs, match)[0].values())


def _graph(context: Context, match: Match) -> Built:
    graph = Built(passes=False)
    functions, edges = _edges(context.program, context.packs, match)
    names = {name: name for name in functions} | {ENDING: END}
    graph.nodes |= functions.keys()
    graph.edges |= edges
    for name, function in functions.items():
        graph.actions[name] = [function]
        leaving = {edge for edge in edges if edge[0] == name}
        if len(leaving) > 1:
            graph.decides[name] = [Choice(context, function, names)]
            graph.decided |= leaving
    return graph


def _edges(program: Program, packs: Packs, match: Match) -> tuple[dict[str, ir.Function], set[tuple[str, str]]]:
    """The steps of a graph by name, and which follows which."""
    functions: dict[str, ir.Function] = {}
    edges: set[tuple[str, str]] = set()
    if packs.canonical(match.api.path) == GRAPH:
        given = at_call(program, match.node, None, NODES).values if isinstance(match.node, ir.Call) else ()
        queue = [v for one in given if isinstance(one, Items) for item in one.items for v in program.value_of(item)]
    else:
        queue = []
        for sources, targets in _ways(program, packs, match):
            queue += (*sources, *targets)
            edges |= {(a, b) for source in sources for a in _name(source) for v in targets for b in _name(v)}
    for value in queue:
        for name, function in zip(_name(value), _functions(program, value), strict=False):
            if functions.setdefault(name, function) is function:
                following = list(_given_back(program, function))
                queue += (one for one in following if one not in queue)
                edges |= {(name, other) for one in following for other in _name(one)}
    return functions, edges


def _given_back(program: Program, function: ir.Function) -> Iterator[Value]:
    """The nodes that a step says it gives back, and the end."""
    for value in types(program, function.returns):
        if isinstance(value, Api):
            yield from (value,) if last_name(value.path) == ENDING else ()
        elif _run(program, value.cls) is not None:
            yield value


def _run(program: Program, cls: ir.Class) -> ir.Function | None:
    methods = (node for each in lineage(program, cls) for node in each.body if isinstance(node, ir.Function))
    return next((method for method in methods if method.name == RUN), None)


def _name(value: Value) -> Iterator[str]:
    match value:
        case ClassValue(cls=cls):
            yield cls.name
        case Func(function=function):
            yield function.name
        case Api(path=path) if last_name(path) == ENDING:
            yield END
        case _:
            pass


def _functions(program: Program, value: Value) -> Iterator[ir.Function]:
    match value:
        case ClassValue(cls=cls) if (run := _run(program, cls)) is not None:
            yield run
        case Func(function=function):
            yield function
        case _:
            pass


# --------------------------------------------------------------------------------------------------------- the builder
def _ways(program: Program, packs: Packs, match: Match) -> Iterator[tuple[list[Value], list[Value]]]:
    """What the calls on a builder join: where each way starts and where it leads."""
    makers = {id(api.node) for api in receivers(match.api) if isinstance(api.node, ir.Call)}
    for name in JOINING:
        for site in program.calls(name):
            apis = [
                api for api in resolved(program, site.call.callee) if packs.canonical(api.path) == f"{BUILDER}().{name}"
            ]
            if not any(id(one.node) in makers for api in apis for one in receivers(api)):
                continue
            given = [argument.value for argument in site.call.args if not argument.spread]
            if name == "add":
                yield from (_way(program, each) for each in given)
            else:
                source, target = (list(_steps(program, each)) for each in (*given, *given[:1])[:2])
                yield source, target


def _way(program: Program, path: ir.Expr) -> tuple[list[Value], list[Value]]:
    """One way: `g.edge_from(a).to(b)`, `g.node(A)`; it may split, and a decision sends it on."""
    ends: dict[str, list[Value]] = {"edge_from": [], "to": [], "node": [], "match_node": []}
    for call in _calls(program, path, DEPTH):
        if isinstance(call.callee, ir.Member) and call.callee.name in ends:
            found = ends[call.callee.name]
            found += (value for argument in call.args for value in _steps(program, argument.value))
    return [*ends["edge_from"], *ends["node"]], [*ends["to"], *ends["match_node"]]


def _calls(program: Program, expr: ir.Expr, depth: int) -> Iterator[ir.Call]:
    """The calls that a way is made of, those behind names, too."""
    for node in ir.walk(expr):
        if isinstance(node, ir.Call):
            yield node
        elif isinstance(node, ir.Name) and depth and isinstance(value := only_value(program, node), ir.Call):
            yield from _calls(program, value, depth - 1)


def _steps(program: Program, expr: ir.Expr) -> Iterator[Value]:
    """The steps that an expression names: functions, `g.step(function)`, classes of nodes."""
    for value in program.value_of(expr):
        if isinstance(value, Api) and isinstance(value.node, ir.Call) and last_name(value.path) == "step":
            yield from (v for argument in value.node.args[:1] for v in program.value_of(argument.value))
        else:
            yield value
