"""What a library hands to a function of the project that it is given somewhere else than where the function is written:
by its name, in a variable, in an object or list (`app.use(handler)`, `const hooks = { start }; run(hooks)`).

What is handed, the library says (`Library.hands`); the function stays one that nobody in the project calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import CallSite
from agent_architecture.names.references import seeing, uncalled
from agent_architecture.names.values import Api, Entries, Func, Items, Unknown, Value
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

MOST: Final = 24
"""Variables through which one function is followed."""
DEPTH: Final = 3
"""Containers inside each other in which it is looked for."""
_AROUND: Final = (ir.Map, ir.List, ir.Spread, ir.Conditional, ir.Member, ir.Await)
"""What a function, or what holds it, can stand in when it is handed over."""


def passed_to_callback(program: Program, function: ir.Function, param: ir.Parameter) -> tuple[Api, ...]:
    """What the library's calls that get a function hand to one of its parameters, by position of the call."""
    position = next((n for n, p in enumerate(function.params) if p is param or p.name == param.name), None)
    if position is None or isinstance(function.outer, ir.Class):
        return ()
    found = {id(call): call for call in program.once(_takers, function)}
    calls = sorted(found.values(), key=lambda call: call.span)
    return tuple(dict.fromkeys(value for call in calls for value in passed_by(program, call, position)))


def fixed(program: Program, function: ir.Function, param: ir.Parameter) -> Iterator[Value | None]:
    """What `functools.partial(f, agent=desk)` and `f.bind(self, desk)` fix of a function that only a library runs; None
    for one that leaves the parameter open.
    """
    from agent_architecture.names.callers import passed_argument

    for call, scope, bound in program.once(_partials, function):
        given = passed_argument(CallSite(call, scope, bound=bound, skipped=len(call.args)), function, param)
        yield from (None,) if given is None or isinstance(given, Unknown) else program.value_of(given)


def _partials(program: Program, function: ir.Function) -> tuple[tuple[ir.Call, ir.Scope, ir.Call], ...]:
    """The calls that fix arguments of a function, each with all that it fixes."""
    found: list[tuple[ir.Call, ir.Scope, ir.Call]] = []
    for scope, node in program.mentions(function):
        around, child = _past(program, scope, node)
        if isinstance(around, ir.Call) and (around.callee is child or around.args[0].value is child):
            made = (value for value in program.value_of(around) if isinstance(value, Func))
            own = (value.bound for value in made if value.function is function)
            found.extend((around, scope, bound) for bound in own if bound is not None)
    return tuple(found)


def passed_by(program: Program, call: ir.Call, position: int) -> tuple[Api, ...]:
    """What a library's call hands, at this position, to the functions that it is given."""
    callees = (value for value in program.value_of(call.callee) if isinstance(value, Api))
    given_by = ((callee, program.library.hands(callee.path)) for callee in callees)
    return tuple(Api(hands[position], call, callee) for callee, hands in given_by if position < len(hands))


def _takers(program: Program, function: ir.Function) -> tuple[ir.Call, ...]:
    """The calls of libraries that hand something to what they are given, and are given the function."""
    queue: list[tuple[ir.Scope, ir.Node]] = [(function.outer, function), *program.mentions(function)]
    followed: set[tuple[int, str]] = set()
    found: list[ir.Call] = []
    for scope, node in queue:
        around, child = _past(program, scope, node)
        if isinstance(around, ir.Call) and around.callee is not child:
            if passed_by(program, around, 0) and _is_given(program, around, function):
                found.append(around)
        elif isinstance(around, ir.Assign) and around.value is child and len(followed) < MOST:
            name = _root(around.target)
            if name and (id(scope), name) not in followed:
                followed.add((id(scope), name))
                queue.extend((s, n) for s in seeing(scope) for n in uncalled(program, s, name, (ir.Name,)))
    return tuple(found)


def _past(program: Program, scope: ir.Scope, node: ir.Node) -> tuple[ir.Node | None, ir.Node]:
    """What stands around the containers that a node is in, and the outermost of these."""
    child = node
    for around in program.structure(scope).ancestors(node):
        if not isinstance(around, _AROUND):
            return around, child
        child = around
    return None, child


def _root(target: ir.Expr | None) -> str:
    """The variable that is assigned to, or in which something is put: `hooks` of `hooks.start = …`."""
    while isinstance(target, (ir.Member, ir.Index)):
        target = target.target
    return target.id if isinstance(target, ir.Name) else ""


def _is_given(program: Program, call: ir.Call, function: ir.Function) -> bool:
    return any(holds(program, argument.value, function) for argument in call.args)


def holds(program: Program, expr: ir.Expr, function: ir.Function, depth: int = DEPTH) -> bool:
    """Whether the value of an expression is the function, or a container that it is in."""
    for value in program.value_of(expr):
        if isinstance(value, Func) and value.function is function:
            return True
        inside = tuple(e for _, e in value.entries) if isinstance(value, Entries) else ()
        inside = value.items if isinstance(value, Items) else inside
        if depth and any(holds(program, one, function, depth - 1) for one in inside):
            return True
    return False
