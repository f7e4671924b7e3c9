"""What calls of libraries are handed of the project's functions, whether or not they are known to run them there.

For who explains a line: which call runs a function is for `names.callers` to say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import CallSite
from agent_architecture.names.values import Api, ClassValue, Func
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

DEPTH: Final = 2
"""Containers inside each other in which a function is handed over."""
_AROUND: Final = (ir.Map, ir.List, ir.Spread, ir.Conditional)


def functions_passed(program: Program, call: ir.Call) -> tuple[ir.Function, ...]:
    """The functions that a call is handed which is none of the project's: written there, or by name."""
    if any(isinstance(value, (Func, ClassValue)) for value in program.value_of(call.callee)):
        return ()
    return tuple(dict.fromkeys(f for argument in call.args for f in _functions(program, argument.value, DEPTH)))


def _functions(program: Program, expr: ir.Expr, depth: int) -> Iterator[ir.Function]:
    match expr:
        case ir.Function():
            yield expr
        case ir.Name() | ir.Member() | ir.Call():
            yield from (value.function for value in program.value_of(expr) if isinstance(value, Func))
        case ir.Map(entries=entries) if depth:
            yield from (f for entry in entries for f in _functions(program, entry.value, depth - 1))
        case ir.List(items=items) if depth:
            yield from (f for item in items for f in _functions(program, item, depth - 1))
        case _:
            return


def calls_passing(program: Program, function: ir.Function) -> Iterator[CallSite]:
    """The calls of libraries that are handed a function by its name."""
    for scope, node in program.mentions(function):
        around = next((a for a in program.structure(scope).ancestors(node) if not isinstance(a, _AROUND)), None)
        if isinstance(around, ir.Call) and function in functions_passed(program, around):
            callee = program.value_of(around.callee)
            if any(isinstance(value, Api) for value in callee):
                yield CallSite(around, scope, escapes=True)
