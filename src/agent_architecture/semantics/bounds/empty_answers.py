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
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

HOLDS: Final = regex(
    r"content|text|choices|message|output|output_?text|data|body|candidates|parts|response|completion|length",
    re.IGNORECASE,
)
"""The parts of an answer in which it stands."""
MEASURES: Final = frozenset({"len", "bool", "strip", "trim"})
"""Calls that leave what is there as it is, or say how much that is."""


def asks_whether_empty(test: ir.Expr, answers: Collection[str]) -> bool:
    """Whether a test asks of an answer that one of these names holds only whether anything is in it."""
    match test:
        case ir.Operator(op=ir.Op.NOT | ir.Op.AND | ir.Op.OR, operands=operands):
            return all(asks_whether_empty(operand, answers) for operand in operands)
        case ir.Operator(op=ir.Op.GT | ir.Op.EQ | ir.Op.NE | ir.Op.IS, operands=(left, right)):
            return _is_answer(left, answers) and (
                no_value(right) or (isinstance(right, ir.Literal) and right.value in (0, ""))
            )
        case _:
            return _is_answer(test, answers)


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


def is_left_with_answer(attempt: ir.Try) -> bool:
    """Whether a try ends with leaving when its call answered anything, and does nothing else when it did not."""
    last = attempt.body[-1] if attempt.body else None
    if not isinstance(last, ir.If) or not always(last.then, leaves):
        return False
    if isinstance(last.test, ir.Operator) and last.test.op in {ir.Op.NOT, ir.Op.IS, ir.Op.EQ}:
        return False  # left because there is no more
    calls = {id(n) for n in ir.walk(*attempt.body[:-1]) if isinstance(n, ir.Call) and callee_name(n.callee)}
    names = answer_names(ir.walk(*attempt.body[:-1]), calls)
    done = [node for node in ir.walk(*last.otherwise) if isinstance(node, (ir.Call, ir.Assign))]
    return asks_whether_empty(last.test, names) and all(_only_tells(node, last.otherwise) for node in done)


def _only_tells(node: ir.Call | ir.Assign, around: tuple[ir.Node, ...]) -> bool:
    """Whether a statement of the other side is a log call, with what is written in it, or a pause."""
    if isinstance(node, ir.Assign):
        return False
    told = [n for n in ir.walk(*around) if isinstance(n, ir.Call) and (says(n) or sleeps(n))]
    return any(outer.span.contains(node.span) for outer in told)
