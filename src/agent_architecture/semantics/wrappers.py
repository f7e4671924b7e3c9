"""Functions that stand for another one: `@functools.wraps(f) def wrapper(*args, **kwargs)`.

Who asks such a function for its signature is told the other one's (`inspect.signature` follows `__wrapped__`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api, Func
from agent_architecture.syntax import ir

if TYPE_CHECKING:
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
