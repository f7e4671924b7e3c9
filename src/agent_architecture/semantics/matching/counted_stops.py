"""Functions that decide whether a run goes on, and count for it: `({ steps }) => steps.length >= 8` stops at eight,
`({ callCount }) => (callCount > 3 ? undefined : writer)` names nobody after four.

What is compared with a number must come from the function's parameters. A function that asks for anything else as
well on the way to going on is bounded only where every way counts; where it is not clear, nothing is said.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.patterns import leaves
from agent_architecture.names.predicates import spelled_out
from agent_architecture.names.test_parts import joined_by
from agent_architecture.names.values import Const
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program

COMPARED: Final = {">=": 0, ">": 1, "==": 0}
"""What stops, with what is added to the number: `count > 3` holds from four on."""
GOING_ON: Final = {"<": 0, "<=": 1, "==": 1}
"""What goes on: `count == 2` is the third time."""
TURNED: Final = {">=": "<=", ">": "<", "<": ">", "<=": ">=", "==": "=="}
LENGTHS: Final = ("length", "size")
COUNTS: Final = regex(r"(?:counts?|iterations?|turns?|steps?|rounds?|calls?)$", re.IGNORECASE)
LISTS: Final = regex(r"(?:steps|results|messages|turns|rounds|iterations|calls|history)$", re.IGNORECASE)
"""What grows with each step: numbers and lists."""


def most(program: Program, function: ir.Function) -> int | None:
    """The most steps or turns that a function lets a run have; None where it does not count, or not clearly."""
    names = _parameters(function)
    answers = program.structure(function).returns
    if not any(isinstance(answer, ir.Operator) for answer in answers):
        return _named(program, function, names)
    counts = [_stop(program, answer, names) for answer in answers if not ir.is_true(answer)]
    known = [count for count in counts if count is not None]
    return max(known, default=None) if len(known) == len(counts) else None


def _parameters(function: ir.Function) -> set[str]:
    patterns = [p.pattern or ir.Name(p.span, p.name) for p in function.params]
    return {leaf.place.id for pattern in patterns for leaf in leaves(pattern) if isinstance(leaf.place, ir.Name)}


def _stop(program: Program, answer: ir.Expr, names: set[str]) -> int | None:
    """The number at which an answer is true for sure."""
    counts = [_number(program, part, names, COMPARED) for part in joined_by("or", answer)]
    return min((count for count in counts if count is not None), default=None)


def _named(program: Program, function: ir.Function, names: set[str]) -> int | None:
    """Of a function that names who goes on: where it ends for sure, by its first test, or because each name it gives
    stands behind a test.
    """
    last: list[int] = []
    for statement in function.body:
        match statement:
            case ir.If(then=(*_, ir.Return(value=value)), otherwise=()) if _is_nobody(value):
                found = _number(program, statement.test, names, COMPARED)
                if found is not None:
                    return found
            case ir.If(then=(*_, ir.Return()), otherwise=()):
                found = _number(program, statement.test, names, GOING_ON)
                if found is None:
                    return None
                last.append(found)
            case ir.Return(value=ir.Conditional(test=test, then=then, otherwise=otherwise)):
                words = COMPARED if _is_nobody(then) else GOING_ON if _is_nobody(otherwise) else {}
                return _number(program, test, names, words)
            case ir.Return(value=value) if not _is_nobody(value):
                return None
            case ir.If() | ir.Loop() | ir.Try():
                return None
            case _:
                continue
    return max(last, default=None)


def _number(program: Program, test: ir.Expr, names: set[str], words: dict[str, int]) -> int | None:
    """The number that a test compares a count with, as the most that there can be."""
    test = spelled_out(program, test)
    if not isinstance(test, ir.Operator) or len(test.operands) != 2:  # noqa: PLR2004 - both sides
        return None
    left, right = test.operands
    sides = ((test.op, left, right), (TURNED.get(test.op, ""), right, left))
    for op, counted, limit in sides:
        if op in words and _is_count(counted, names):
            numbers = [v.value for v in program.value_of(limit) if isinstance(v, Const)]
            if numbers and all(isinstance(n, int) and not isinstance(n, bool) for n in numbers):
                return max(n for n in numbers if isinstance(n, int)) + words[op]
    return None


def _is_count(expr: ir.Expr, names: set[str]) -> bool:
    """Whether an expression counts: `callCount`, `context.callCount`, `steps.length`, of what a parameter holds."""
    match expr:
        case ir.Name(id=name):
            return name in names and bool(COUNTS.search(name))
        case ir.Member(name=name, target=ir.Name(id=lists) | ir.Member(name=lists)) if name in LENGTHS:
            return bool(LISTS.search(lists)) and _is_given(expr, names)
        case ir.Member(name=name, target=ir.Name()):
            return bool(COUNTS.search(name)) and _is_given(expr, names)
        case _:
            return False


def _is_given(expr: ir.Expr, names: set[str]) -> bool:
    return any(isinstance(node, ir.Name) and node.id in names for node in ir.walk(expr))


def _is_nobody(value: ir.Expr | None) -> bool:
    return value is None or (isinstance(value, ir.Literal) and value.value in {None, ir.UNDEFINED})
