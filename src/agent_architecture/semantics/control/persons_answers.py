"""Functions that answer what a person said: `def fine(x): return input(f"Run {x}? ") == "y"`.

Whatever they are called, a call of one asks that person: it says yes or no, and does so by what was answered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.structure import own_nodes
from agent_architecture.semantics.control.conditions_of_project import marks_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.semantics.matching.context import Context

MARK: Final = "waits_for_person"
TESTS: Final = frozenset({
    ir.Op.EQ, ir.Op.NE, ir.Op.IN, ir.Op.IS, ir.Op.NOT, ir.Op.AND, ir.Op.OR,
})  # fmt: skip
"""Operators that make a yes or no of what was said."""


def answers_for_person(context: Context, call: ir.Call) -> bool:
    """Whether each function that a call runs says yes or no by what it asks a person."""
    functions = context.program.callees(call)
    return bool(functions) and all(context.program.once(_says_so, context, each) for each in functions)


def _says_so(program: object, context: Context, function: ir.Function) -> bool:
    del program
    asked = {id(c) for c in context.program.structure(function).calls if MARK in marks_of(context, c)}
    if not asked:
        return False
    kept = {
        node.target.id
        for node in own_nodes(function, ir.Assign)
        if isinstance(node.target, ir.Name) and node.value is not None and _holds(node.value, asked, frozenset())
    }
    answers = [node.value for node in own_nodes(function, ir.Return)]
    decides = any(_holds(node.test, asked, kept) for node in own_nodes(function, ir.If))
    told = [value for value in answers if value is not None and not _is_plain(value)]
    if not all(isinstance(value, ir.Operator) and value.op in TESTS and _holds(value, asked, kept) for value in told):
        return False
    return bool(told) or (decides and bool(answers))


def _holds(expr: ir.Expr, asked: set[int], kept: frozenset[str] | set[str]) -> bool:
    return any(id(part) in asked or (isinstance(part, ir.Name) and part.id in kept) for part in ir.walk(expr))


def _is_plain(value: ir.Expr) -> bool:
    return isinstance(value, ir.Literal) and isinstance(value.value, bool)
