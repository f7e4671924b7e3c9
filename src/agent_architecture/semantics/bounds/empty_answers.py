"""Answers with nothing in them: that a model or service gave none is a failure, as an error is.

`if response.content: return response.content[0].text` asks no more than whether there is an answer. A flag in it
(`if answer.done:`), a score, a parse or a check says something of what was answered.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.exits import always, leaves
from agent_architecture.names.log_calls import says
from agent_architecture.names.null_checks import no_value
from agent_architecture.names.pauses import sleeps
from agent_architecture.names.test_parts import parts_of
from agent_architecture.regexes import regex
from agent_architecture.semantics.control.choices import choices
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.control.conditions import Conditions

HOLDS: Final = regex(
    r"content|text|choices|message|output|output_?text|data|body|candidates|parts|response|completion|length",
    re.IGNORECASE,
)
"""The parts of an answer in which it stands."""
MEASURES: Final = frozenset({"len", "bool", "strip", "trim"})
"""Calls that leave what is there as it is, or say how much that is."""


def asks_whether_empty(test: ir.Expr, answers: Collection[str]) -> bool:
    """Whether a test asks of an answer that one of these names holds only whether anything is in it."""
    return all(_asks_for_any(part, answers) for part, _ in parts_of(test))


def _asks_for_any(part: ir.Expr, answers: Collection[str]) -> bool:
    match part:
        case ir.Operator(op=ir.Op.GT | ir.Op.EQ | ir.Op.NE | ir.Op.IS, operands=(left, right)):
            is_bare = no_value(right) or (isinstance(right, ir.Literal) and right.value in (0, ""))
            return is_bare and _is_answer(left, answers)
        case _:
            return _is_answer(part, answers)


def _is_answer(expr: ir.Expr, answers: Collection[str]) -> bool:
    match expr:
        case ir.Name():
            return expr.id in answers
        case ir.Member(target=target, name=name):
            return bool(HOLDS.fullmatch(name)) and _is_answer(target, answers)
        case ir.Index(target=target):
            return _is_answer(target, answers)
        case ir.Call(callee=ir.Member(target=target, name=name), args=()) if name in MEASURES:
            return _is_answer(target, answers)
        case ir.Call(callee=ir.Name(id=name), args=(only,)) if name in MEASURES:
            return _is_answer(only.value, answers)
        case _:
            return False


def answer_names(nodes: Iterable[ir.Node], asked: Collection[int]) -> frozenset[str]:
    """The names that hold what calls with these ids answered, or the part of it in which the answer stands."""
    names = set[str]()
    given = [n for n in nodes if isinstance(n, ir.Assign) and isinstance(n.target, ir.Name) and n.value is not None]
    for node in sorted(given, key=lambda node: node.span):
        if isinstance(node.target, ir.Name) and node.value is not None:
            held = tuple(_held(node.value))
            if any(id(each) in asked or (isinstance(each, ir.Name) and each.id in names) for each in held):
                names.add(node.target.id)
    return frozenset(names)


def _held(expr: ir.Expr) -> Iterator[ir.Expr]:
    """An expression, and what it is a part of in which an answer stands."""
    while True:
        yield expr
        match expr:
            case ir.Await(value=inner) | ir.Index(target=inner):
                expr = inner
            case ir.Member(target=inner, name=name) if HOLDS.fullmatch(name):
                expr = inner
            case ir.Call(callee=ir.Member(target=inner, name=name), args=()) if name in MEASURES:
                expr = inner
            case _:
                return


def is_left_with_answer(program: Program, conditions: Conditions, attempt: ir.Try) -> bool:
    """Whether a try ends with leaving when its call answered anything, and does nothing else when it did not."""
    calls = {id(n) for n in ir.walk(*attempt.body[:-1]) if isinstance(n, ir.Call)}
    names = answer_names(ir.walk(*attempt.body[:-1]), calls)
    for choice in choices(program, conditions, attempt.body[-1:]) if names else ():
        if choice.is_value or len(choice.tests) != 1 or not choice.sides or not always(choice.sides[0], leaves):
            continue
        otherwise = tuple(node for side in choice.sides[1:] for node in side)
        done = (node for node in ir.walk(*otherwise) if isinstance(node, (ir.Call, ir.Assign)))
        is_there = not any(_says_none(part, holds=holds) for part, holds in parts_of(choice.tests[0]))
        if is_there and asks_whether_empty(choice.tests[0], names):
            return all(_only_tells(node, otherwise) for node in done)
    return False


def _says_none(part: ir.Expr, *, holds: bool) -> bool:
    """Whether a part of a test that is answered so says that there is nothing, or no more."""
    is_equal = isinstance(part, ir.Operator) and part.op in {ir.Op.EQ, ir.Op.IS}
    return holds if is_equal else not holds


def _only_tells(node: ir.Call | ir.Assign, around: tuple[ir.Node, ...]) -> bool:
    """Whether a statement of the other side is a log call, with what is written in it, or a pause."""
    if isinstance(node, ir.Assign):
        return False
    told = [n for n in ir.walk(*around) if isinstance(n, ir.Call) and (says(n) or sleeps(n))]
    return any(outer.span.contains(node.span) for outer in told)
