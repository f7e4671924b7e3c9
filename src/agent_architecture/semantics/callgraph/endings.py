"""Functions that are the end of another one: `return rest(a, b)` is all that runs `def rest(a, b)`.

What a function found out before it hands on what it has, under the same names, holds in the function that goes on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.exits import answer_of, is_answer
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import CallSite, Program

IN_TURN: Final = 3
"""Functions that end in each other."""


def ended_by(program: Program, scope: ir.Scope) -> Iterator[CallSite]:
    """The calls by which the function that a scope ends began it, and so on upwards; none for any other scope."""
    seen = [scope]
    while len(seen) <= IN_TURN:
        site = program.once(_ended_by, scope) if isinstance(scope, ir.Function) else None
        if site is None or any(site.scope is each for each in seen):
            return
        yield site
        scope = site.scope
        seen.append(scope)


def begun_in(program: Program, scope: ir.Scope) -> ir.Scope:
    """The function that a scope ends; itself, where it ends none."""
    for site in ended_by(program, scope):
        scope = site.scope
    return scope


def going_on(program: Program, scope: ir.Scope, left: int = IN_TURN) -> Iterator[ir.Scope]:
    """A scope, and the functions that end it."""
    yield scope
    for answer in program.structure(scope).returns if left else ():
        call = _without_wait(answer)
        for function in program.callees(call) if isinstance(call, ir.Call) else ():
            site = program.once(_ended_by, function)
            if site is not None and site.call is call:
                yield from going_on(program, function, left - 1)


def answers_of(program: Program, function: ir.Function, left: int = IN_TURN) -> Iterator[tuple[ir.Function, ir.Expr]]:
    """What a function gives, and the function that says so: the one that ends it, where it has such an end."""
    for answer in program.structure(function).returns:
        call = _without_wait(answer)
        ends = program.callees(call) if isinstance(call, ir.Call) and left else ()
        site = program.once(_ended_by, ends[0]) if len(ends) == 1 else None
        if site is not None and site.call is call:
            yield from answers_of(program, ends[0], left - 1)
        else:
            yield function, answer


def _ended_by(program: Program, function: ir.Function) -> CallSite | None:
    """The one call of a function, which gives what the function around it gives, and hands on names as they are."""
    if not function.name or function.decorators or function.is_generator:
        return None
    sites = program.callers(function)
    if len(sites) != 1 or sites[0].escapes or not isinstance(sites[0].scope, ir.Function):
        return None
    call = sites[0].call
    is_end = any(_without_wait(answer_of(node)) is call for node in _answers(program, sites[0].scope))
    own = [parameter.name for parameter in function.params]
    return sites[0] if is_end and _hands_on(call, own) and _is_itself(call, function) else None


def _answers(program: Program, scope: ir.Scope) -> Iterator[ir.Node]:
    return (node for node in program.structure(scope).nodes if is_answer(node))


def _without_wait(expr: ir.Expr | None) -> ir.Expr | None:
    return expr.value if isinstance(expr, ir.Await) else expr


def _hands_on(call: ir.Call, parameters: list[str]) -> bool:
    """Whether a call gives each parameter the variable of that name."""
    given = [argument.value for argument in call.args]
    plain = all(argument.keyword is None and not argument.spread for argument in call.args)
    return (
        plain
        and [each.id for each in given if isinstance(each, ir.Name)] == parameters
        and len(given) == len(parameters)
    )


def _is_itself(call: ir.Call, function: ir.Function) -> bool:
    """Whether a method is called on the object itself, and a function by its name."""
    if function.receiver is None:
        return isinstance(call.callee, ir.Name)
    return (
        isinstance(call.callee, ir.Member)
        and isinstance(call.callee.target, ir.Name)
        and call.callee.target.id == "self"
    )
