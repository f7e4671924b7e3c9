"""Tests of a text by words: which words it holds or begins with, or whether it is one of a list. Knows no model.

What a program only cleans (a fence, `json` behind it) and what it says itself of a failure steer nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.predicates import spelled_out
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.test_parts import tests_in
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

LOOKS: Final = frozenset({"startswith", "endswith", "startsWith", "endsWith", "includes"})
SPELLING: Final = frozenset({"lower", "upper", "casefold", "strip", "toLowerCase", "toUpperCase", "trim", "lstrip"})
"""Methods that only texts have."""
SPOKEN: Final = frozenset({"content", "text", "output_text", "final_output", "outputText", "raw"})
"""What the text of an answer is called."""
CLEANS: Final = regex(r"^\W*(?:json|python|html|sql|markdown|typescript|javascript|xml)?\W*$", re.IGNORECASE)
FAILED: Final = regex(r"error|fail|exception|traceback|sorry|time(?:d )?out|unavailable|rate.?limit", re.IGNORECASE)
NAMES: Final = 5
"""Names and functions through which a text is followed to where it is spelt."""


class WordTest(NamedTuple):
    """A test of a text by words; `whole` where the text as a whole is compared, so that all else fails it."""

    test: ir.Expr
    text: ir.Expr
    whole: bool


def word_tests(program: Program) -> Iterator[WordTest]:
    """Every such test of the project's code."""
    for module in program.modules:
        for scope in module.code:
            for node in (*own_nodes(scope), *_asked_elsewhere(program, scope)):
                found = _of(node)
                if found is not None and _is_text(program, found.text, NAMES):
                    yield found


def _asked_elsewhere(program: Program, scope: ir.Scope) -> Iterator[ir.Node]:
    """What stands in the tests of a scope that functions ask which only answer."""
    for test in tests_in(own_nodes(scope)):
        asked = spelled_out(program, test)
        yield from ir.walk(asked) if asked is not test else ()


def _of(node: ir.Node) -> WordTest | None:
    match node:
        case ir.Operator(op=ir.Op.IN, operands=(ir.Literal(value=str() as word), where)) if _steers(word):
            return WordTest(node, where, whole=False)
        case ir.Operator(op=ir.Op.IN, operands=(what, ir.List(items=items))) if items and all(map(_is_word, items)):
            return WordTest(node, what, whole=True)
        case ir.Operator(op=ir.Op.EQ | ir.Op.NE, operands=(one, other)) if _is_word(other):
            return WordTest(node, one, whole=True)
        case ir.Call(callee=ir.Member(name=name, target=target), args=(first, *_)) if name in LOOKS:
            is_word = isinstance(first.value, ir.Literal) and _steers(first.value.value)
            return WordTest(node, target, whole=False) if is_word else None
        case _:
            return None


def _is_word(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Literal) and _steers(expr.value)


def _steers(word: object) -> bool:
    return isinstance(word, str) and not CLEANS.match(word) and not FAILED.search(word)


def _is_text(program: Program, expr: ir.Expr, left: int) -> bool:
    """Whether an expression is spelt as a text is, and no mapping or list that holds a key."""
    match expr:
        case ir.Member(name=name):
            return name in SPOKEN
        case ir.Call(callee=ir.Member(name=name)) if name in SPELLING:
            return True
        case ir.Await(value=inner):
            return _is_text(program, inner, left)
        case ir.Call() if left:
            answers = (answer for f in program.callees(expr) for answer in program.structure(f).returns)
            return any(_is_text(program, answer, left - 1) for answer in answers)
        case ir.Name() if left:
            bound = (b for b in visible_bindings(program, expr) if b.kind == "assign" and not b.steps)
            return any(_is_text(program, b.value, left - 1) for b in bound if b.value is not None)
        case _:
            return False
