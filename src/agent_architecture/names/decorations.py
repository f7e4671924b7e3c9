"""Decorators as calls: `@register` above a function hands it to `register`, `@tool("x")` to what `tool` returns.

A decoration is a call that stands nowhere in the program; each is made once. Python only: JavaScript's decorators get
other arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.program import CallSite, callee_name
from agent_architecture.names.values import Func
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program


def decorations_by(program: Program, function: ir.Function, names: Iterable[str]) -> Iterator[CallSite]:
    """The decorations that may run a function, called by one of these names or returned by what stands there; the
    values of the decorators are still to be checked.
    """
    if function.module.language != "python" or not function.params:
        return
    factory = function.outer
    wanted = {*names, factory.name} if isinstance(factory, ir.Function) else set(names)
    for name in sorted(wanted):
        yield from program.once(_called, name)


def _called(program: Program, name: str) -> tuple[CallSite, ...]:
    """The decorations of one name."""
    return tuple(
        program.decoration(definition, decorator, scope)
        for scope in program.scopes_calling(name)
        for definition in program.structure(scope).definitions
        for decorator in definition.decorators
        if decorator_name(decorator) == name
    )


def runs(program: Program, site: CallSite, function: ir.Function) -> bool:
    """Whether a decoration runs the function."""
    values = program.value_of(site.call.callee)
    return any(isinstance(value, Func) and value.function is function for value in values)


def decorator_name(decorator: ir.Expr) -> str:
    """The last name of what decorates: `route` of `@app.route("/")`, "" when it has none."""
    return callee_name(decorator.callee if isinstance(decorator, ir.Call) else decorator)
