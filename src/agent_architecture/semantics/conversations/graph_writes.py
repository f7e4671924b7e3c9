"""What puts something under the keys of a graph's state: what steps return, what sends hand on, what runs start with.

Each answer is an object with keys. Which graphs share a state, and who reads it, is for `graph_state`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import classes
from agent_architecture.names.mutations import after, changes_of_name
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, Entries, Instance, Items
from agent_architecture.semantics.adapters.langgraph import node_functions
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.read import at_call, expressions
from agent_architecture.semantics.packs.addresses import parse_address
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

COMMAND: Final = parse_address("update | 0.update")
"""What a `Command` puts into the state."""
SENT: Final = parse_address("1 | arg | args")
"""The state that a `Send` starts a node with."""
INPUT: Final = parse_address("0 | input")
"""The state that a run starts a graph with."""
CHANGED: Final = frozenset({"dict", "replace", "evolve", "model_copy", "copy", "assign"})
"""Calls that give a copy in which keys differ: `replace(state, plan=made)`, `Object.assign({}, state, x)`."""
UPDATE: Final = "update"
"""What holds these values in `state.model_copy(update={…})`."""


def returned(program: Program, function: ir.Function, schemas: Iterable[int]) -> Iterator[Entries]:
    """What a step writes, by each of its ways out; `schemas` are the ids of the classes of its graph's state."""
    known = frozenset(schemas)
    for expr in program.structure(function).returns:
        yield from _written(program, function, expr, known)


def sent(program: Program, function: ir.Function) -> Iterator[Entries]:
    """What the sends of a step or router start others with."""
    for site in program.calls_in(function).get("Send", ()):
        yield from _maps(v for expr in expressions(program, site, SENT) for v in program.value_of(expr))


def started(context: Context) -> dict[int, list[Entries]]:
    """What runs of the project start each graph with, by the id of the node that makes its builder.

    A run in a step of another graph is left out: it is given what the same run answered before, as if a model wrote it.
    """
    program, found = context.program, dict[int, list[Entries]]()
    steps = {id(function) for functions in node_functions(context).values() for function in functions}
    for run in context.of_kind("run"):
        if id(program.scope_of(run.node)) in steps:
            continue
        builders = {id(made.node): made for agent in run_agents(context, run) for made in _builder(context, agent.api)}
        if not builders or not isinstance(run.node, ir.Call):
            continue
        given = list(_given(program, at_call(program, run.arguments, run.api.receiver, INPUT).values))
        role = program.module_of(run.node).role
        for key, made in builders.items():
            if role in {Role.APP, program.module_of(made.node).role}:
                found.setdefault(key, []).extend(given)
    return found


def _builder(context: Context, api: Value) -> Iterator[Match]:
    made = context.made(api, "graph")
    yield from () if made is None else (made,)


def _written(program: Program, function: ir.Function, expr: ir.Expr, schemas: frozenset[int]) -> Iterator[Entries]:
    match expr:
        case ir.Conditional(then=then, otherwise=otherwise):
            yield from _written(program, function, then, schemas)
            yield from _written(program, function, otherwise, schemas)
            return
        case ir.Operator(op=ir.Op.BITOR, operands=operands):
            for part in operands:
                yield from _written(program, function, part, schemas)
            return
        case ir.Call() if callee_name(expr.callee) in CHANGED:
            yield from _copied(program, expr)
        case _:
            pass
    is_known = False
    for value in program.value_of(expr):
        if isinstance(value, Entries):
            is_known = True
            yield value
        elif isinstance(value, Instance) and value.call is not None and id(value.cls) in schemas:
            yield filled(program, value.cls, value.call)
        elif isinstance(value, Api) and isinstance(value.node, ir.Call):
            yield from _maps(at_call(program, value.node, None, COMMAND).values)
    if isinstance(expr, ir.Name) and not is_known:
        yield from _changed(program, function, expr)
    elif isinstance(expr, ir.Call) and not is_known:
        yield from _handed_back(program, expr)


def _handed_back(program: Program, call: ir.Call) -> Iterator[Entries]:
    """What the function that a step hands its state to puts into it, and gives back."""
    for helper in program.callees(call):
        for answer in program.structure(helper).returns:
            if isinstance(answer, ir.Name):
                yield from _changed(program, helper, answer)


def _changed(program: Program, function: ir.Function, name: ir.Name) -> Iterator[Entries]:
    """What a step put into the state that it was given, which it gives back as a whole."""
    changes = changes_of_name(program, function, name.id)
    none = Entries((), name, complete=False)
    yield from _maps(after(program, (none,), changes)) if changes else ()


def _copied(program: Program, call: ir.Call) -> Iterator[Entries]:
    """What a call says to be otherwise in the copy that it gives."""
    named = tuple((a.keyword, a.value) for a in call.args if a.keyword and a.keyword != UPDATE)
    yield from (Entries(named, call, complete=False),) if named else ()
    yield from _maps(v for a in call.args if a.keyword in {None, UPDATE} for v in program.value_of(a.value))


def _given(program: Program, values: Iterable[Value]) -> Iterator[Entries]:
    """The states that a run is given: one, several at once, or those that go on from an interrupt."""
    for value in values:
        if isinstance(value, Entries):
            yield value
        elif isinstance(value, Instance) and value.call is not None:
            yield filled(program, value.cls, value.call)
        elif isinstance(value, Items):
            yield from _maps(each for item in value.items for each in program.value_of(item))
        elif isinstance(value, Api) and isinstance(value.node, ir.Call) and last_name(value.path) == "Command":
            yield from _maps(at_call(program, value.node, None, COMMAND).values)


def filled(program: Program, cls: ir.Class, call: ir.Call) -> Entries:
    """What a whole state holds that is made anew: `return State(topic=topic, pages=pages)`."""
    plain = [argument.value for argument in call.args if argument.keyword is None and not argument.spread]
    entries = [*zip(classes.fields(program, cls), plain, strict=False)]
    entries += [(argument.keyword, argument.value) for argument in call.args if argument.keyword]
    return Entries(tuple(entries), call, complete=False)


def _maps(values: Iterable[object]) -> Iterator[Entries]:
    yield from (value for value in values if isinstance(value, Entries))
