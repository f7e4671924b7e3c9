"""Burr's applications as graphs: actions by name, and the transitions between them.

Rows cannot say this: a transition is a tuple of names. A run ends after the actions that it is told to halt at, so that
it goes round only where a circle is left without them. Rule: burr/core/graph.py (`GraphBuilder.with_actions`,
`with_transitions`), burr/core/application.py (`Application.run`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.classes import lineage
from agent_architecture.names.values import Api, ClassValue, Const, Func, Instance, Items
from agent_architecture.semantics.adapters.graphs import Built
from agent_architecture.semantics.matching.makers import receivers
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.packs.addresses import parse_address
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.packs.packs import Packs

APPLICATION: Final = "py:burr.core.ApplicationBuilder"
BUILT: Final = frozenset({f"{APPLICATION}().build", f"{APPLICATION}().abuild"})
BUILDERS: Final = (APPLICATION, "py:burr.core.GraphBuilder")
ACTIONS: Final = "with_actions"
TRANSITIONS: Final = "with_transitions"
GRAPHS: Final = ("with_graph", "with_graphs")
RUN: Final = frozenset({"run", "stream_run", "run_and_update", "stream_run_and_update", "update"})
"""Methods of an action that is a class."""
AFTER, BEFORE = parse_address("halt_after"), parse_address("halt_before")


def burr_applications(context: Context) -> dict[int, Built]:
    """The graph of every application that is built, by the node that builds it."""
    program, packs = context.program, context.packs
    found: dict[int, Built] = {}
    for match in context.of_kind("agent"):
        if packs.canonical(match.api.path) not in BUILT:
            continue
        graph = found[id(match.node)] = Built(passes=False)
        graph.actions |= {name: list(run) for name, run in _actions(program, packs, match)}
        graph.nodes |= graph.actions.keys()
        after, before = _halts(context, match)
        edges = {(a, b) for a, b in _transitions(program, packs, match) if {a, b} <= graph.nodes}
        graph.edges |= {(a, b) for a, b in edges if a not in after and b not in before}
    return found


def steps_of(program: Program, packs: Packs, match: Match) -> tuple[ir.Function, ...]:
    """The functions of an application's actions."""
    return tuple(function for _, run in _actions(program, packs, match) for function in run)


def _actions(program: Program, packs: Packs, match: Match) -> Iterator[tuple[str, tuple[ir.Function, ...]]]:
    for call in _calls(program, packs, match, ACTIONS):
        for argument in (each for each in call.args if not each.spread):
            for value in program.value_of(_unbound(argument.value)):
                run = tuple(_functions(program, value))
                if run:
                    yield argument.keyword or run[0].name or "", run


def _unbound(action: ir.Expr) -> ir.Expr:
    """The action of `action.bind(model="gpt-5")`, `Action().with_name("ask")`."""
    while (
        isinstance(action, ir.Call)
        and isinstance(action.callee, ir.Member)
        and action.callee.name in {"bind", "with_name"}
    ):
        action = action.callee.target
    return action


def _functions(program: Program, value: Value) -> Iterator[ir.Function]:
    match value:
        case Func(function=function):
            yield function
        case Instance(cls=cls) | ClassValue(cls=cls):
            methods = (node for each in lineage(program, cls) for node in each.body if isinstance(node, ir.Function))
            yield from (method for method in methods if method.name in RUN)
        case _:
            pass


def _transitions(program: Program, packs: Packs, match: Match) -> Iterator[tuple[str, str]]:
    """`("ask", "answer")`, `(["ask", "again"], "answer", when(…))`."""
    for call in _calls(program, packs, match, TRANSITIONS):
        for argument in call.args:
            for value in program.value_of(argument.value):
                if isinstance(value, Items) and value.items[1:]:
                    targets = list(_words(program, value.items[1]))
                    yield from ((a, b) for a in _words(program, value.items[0]) for b in targets)


def _words(program: Program, expr: ir.Expr) -> Iterator[str]:
    for value in program.value_of(expr):
        if isinstance(value, Const):
            yield str(value.value)
        elif isinstance(value, Items):
            for item in value.items:
                yield from (str(each.value) for each in program.value_of(item) if isinstance(each, Const))


def _halts(context: Context, match: Match) -> tuple[set[str], set[str]]:
    """The actions after which, and before which, every run of an application ends."""
    found: list[tuple[set[str], set[str]]] = []
    for run in context.of_kind("run"):
        if isinstance(run.node, ir.Call) and any(one.node is match.node for one in receivers(run.api)):
            told = (at_call(context.program, run.node, None, address).values for address in (AFTER, BEFORE))
            after, before = ({word for v in values for word in _listed(context.program, v)} for values in told)
            found.append((after, before))
    afters, befores = [after for after, _ in found], [before for _, before in found]
    return (set.intersection(*afters) if afters else set()), (set.intersection(*befores) if befores else set())


def _listed(program: Program, value: Value) -> Iterator[str]:
    if isinstance(value, Const):
        yield str(value.value)
    for item in value.items if isinstance(value, Items) else ():
        yield from _words(program, item)


def _calls(program: Program, packs: Packs, match: Match, name: str) -> list[ir.Call]:
    """The calls by a name on the builder of an application, and on those of graphs that it is given."""
    builders = {id(api.node) for api in receivers(match.api) if isinstance(api.node, ir.Call)}
    for graph in GRAPHS:
        for call in _called(program, packs, graph, builders):
            values = (value for argument in call.args for value in program.value_of(argument.value))
            apis = (one for value in values if isinstance(value, Api) for one in receivers(value))
            builders |= {id(api.node) for api in apis if isinstance(api.node, ir.Call)}
    return _called(program, packs, name, builders)


def _called(program: Program, packs: Packs, name: str, builders: set[int]) -> list[ir.Call]:
    paths = {f"{builder}().{name}" for builder in BUILDERS}
    return [
        site.call
        for site in program.calls(name)
        if any(
            packs.canonical(api.path) in paths and any(id(one.node) in builders for one in receivers(api))
            for api in resolved(program, site.call.callee)
        )
    ]
