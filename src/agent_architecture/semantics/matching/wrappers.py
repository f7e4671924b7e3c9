"""Functions that stand for another one: `@functools.wraps(f) def wrapper(*args, **kwargs)`.

Who asks such a function for its signature is told the other one's (`inspect.signature` follows `__wrapped__`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.values import Api, Func
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.matching.replaced_methods import replacing
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Values

WRAPS: Final = frozenset({"py:functools:wraps", "py:functools.wraps"})
"""As a member of the module, and as a name that is imported from it."""
NESTED: Final = 5
"""Wrappers of wrappers that are looked through."""


def wrapped_by(program: Program, function: ir.Function) -> Values | None:
    """What a function stands for; None where it stands for itself."""
    wrapped = wrapping(program, function)
    return None if wrapped is None else program.value_of(wrapped)


def wrapping(program: Program, function: ir.Function) -> ir.Expr | None:
    """The expression that says what a function stands for."""
    for decorator in function.decorators:
        if not isinstance(decorator, ir.Call) or not decorator.args:
            continue
        if any(isinstance(value, Api) and value.path in WRAPS for value in program.value_of(decorator.callee)):
            return decorator.args[0].value
    return None


class Around(NamedTuple):
    """A function of the project that runs in the place of another one."""

    wrapper: ir.Function
    hands_on: tuple[ir.Call, ...]
    """The calls by which it comes to the other one."""
    everywhere: bool = True
    """Whether every call of the other one runs it."""


def around(program: Program, function: ir.Function) -> tuple[Around, ...]:
    """What runs around a function: what the project's own decorators above it put in its place, outermost first, and
    what is put in the place of a method of an object.
    """
    makers = (v.function for one in function.decorators for v in program.value_of(one) if isinstance(v, Func))
    replaced = replacing(program, function)
    put = (Around(one.wrapper, tuple(call for call, _ in one.hands_on), one.everywhere) for one in replaced)
    return (*put, *(found for maker in makers for found in _put_in_place(program, maker)))


def _put_in_place(program: Program, maker: ir.Function) -> Iterator[Around]:
    """The functions that a decorator makes and gives back, as far as they come to what it was given."""
    given = maker.params[0].name if maker.params else ""
    named = (expr for expr in program.structure(maker).returns if isinstance(expr, ir.Name))
    made = {id(b.node): b.node for name in named for b in visible_bindings(program, name)}
    for wrapper in made.values():
        if isinstance(wrapper, ir.Function) and wrapper.outer is maker:
            calls = program.structure(wrapper).calls
            on = tuple(call for call in calls if isinstance(call.callee, ir.Name) and call.callee.id == given)
            if on:
                yield Around(wrapper, on)


def signed(program: Program, function: ir.Function) -> ir.Function | None:
    """The function whose signature a function shows: its own, or that of what it stands for; None where nothing says
    what that is.
    """
    for _ in range(NESTED):
        behind = wrapped_by(program, function)
        if behind is None:
            return function
        inner = next((value.function for value in behind if isinstance(value, Func)), None)
        if inner is None:
            return None
        function = inner
    return function
