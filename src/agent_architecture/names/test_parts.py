"""The parts of a test as it is written: what `and`, `or` and `not` join and turn round.

What is known where a test holds, by what its parts mean, is for `semantics/control`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

ORDERED: Final = frozenset({ir.Op.LT, ir.Op.LE, ir.Op.GT, ir.Op.GE})
"""Comparisons by size."""
COMPARISONS: Final = ORDERED | {ir.Op.EQ, ir.Op.NE}
"""Those of one value with another one."""
MIRRORED: Final[Mapping[str, ir.Op]] = {
    ir.Op.LT: ir.Op.GT,
    ir.Op.LE: ir.Op.GE,
    ir.Op.GT: ir.Op.LT,
    ir.Op.GE: ir.Op.LE,
    ir.Op.EQ: ir.Op.EQ,
    ir.Op.NE: ir.Op.NE,
}
"""What a comparison says when its sides change places."""


def of_part(test: ir.Expr) -> tuple[ir.Expr | None, str]:
    """What a part is taken of, and its name: `answer.ok`, `answer["ok"]`; nothing for what is no part."""
    match test:
        case ir.Member(target=target, name=name):
            return target, name
        case ir.Index(target=target, key=ir.Literal(value=str() as key)):
            return target, key
        case _:
            return None, ""


def tests_in(nodes: Iterable[ir.Node]) -> Iterator[ir.Expr]:
    """Every test that is written among these nodes, in whatever form: of an `if`, a conditional expression, an
    assertion, a case. Of loops, which end by theirs, none.
    """
    for node in nodes:
        match node:
            case ir.If(test=test) | ir.Conditional(test=test):
                yield test
            case ir.Opaque(kind=ir.OpaqueKind.ASSERT):
                yield from ir.children(node)[:1]  # type: ignore[misc]
            case ir.Match(subject=subject, cases=cases):
                yield from (case.guard for case in cases if case.guard is not None)
                of_tests = isinstance(subject, ir.Literal)  # `switch (true)`
                yield from (test for case in cases for test in case.patterns if of_tests)
                is_test = any(
                    isinstance(p, ir.Literal) and isinstance(p.value, bool) for c in cases for p in c.patterns
                )
                yield from (subject,) if is_test and not of_tests else ()
            case _:
                continue


def joined_by(op: str, test: ir.Expr) -> Iterator[ir.Expr]:
    """The parts of a test that are joined by `and`, or by `or`: all of them have to hold, or one."""
    if isinstance(test, ir.Operator) and test.op == op:
        for operand in test.operands:
            yield from joined_by(op, operand)
    else:
        yield test


def parts_of(test: ir.Expr, *, holds: bool = True) -> Iterator[tuple[ir.Expr, bool]]:
    """Every part of a test, and which answer to it speaks for the test: no for what stands below a `not`."""
    match test:
        case ir.Operator(op=ir.Op.NOT, operands=(inner,)):
            yield from parts_of(inner, holds=not holds)
        case ir.Operator(op=ir.Op.AND | ir.Op.OR, operands=operands):
            for operand in operands:
                yield from parts_of(operand, holds=holds)
        case _:
            yield test, holds


def parted(test: ir.Expr, *, exits: bool) -> Iterator[tuple[ir.Expr, bool]]:
    """The parts of a test of which each alone leaves, and whether it does where it holds."""
    match test:
        case ir.Operator(op=ir.Op.NOT, operands=(inner,)):
            yield from parted(inner, exits=not exits)
        case ir.Operator(op=op, operands=operands) if op == (ir.Op.OR if exits else ir.Op.AND):
            for operand in operands:
                yield from parted(operand, exits=exits)
        case _:
            yield test, exits


def joins(expr: ir.Node) -> bool:
    """Whether an expression joins conditions: its later parts are asked by what the first one said."""
    return isinstance(expr, ir.Operator) and expr.op in {ir.Op.AND, ir.Op.OR}


def is_turned_round(test: ir.Node) -> bool:
    """Whether a part of a test is the opposite of what stands in it."""
    return isinstance(test, ir.Operator) and test.op == ir.Op.NOT


def lacks(test: ir.Expr) -> ir.Expr | None:
    """What a test asks not to be there: `not limit`, `limit is None`, `limit === undefined`; None for another test."""
    match test:
        case ir.Operator(op=ir.Op.NOT, operands=(asked,)):
            return asked
        case ir.Operator(op=ir.Op.IS | ir.Op.EQ, operands=(asked, ir.Literal(value=None | ir.Undefined()))):
            return asked
        case _:
            return None


def has(test: ir.Expr) -> ir.Expr:
    """What a test asks to be there: `limit`, `limit is not None`, `limit !== undefined`."""
    match test:
        case ir.Operator(op=ir.Op.NOT, operands=(inner,)) if (asked := lacks(inner)) is not None:
            return asked
        case ir.Operator(op=ir.Op.NE, operands=(asked, ir.Literal(value=None | ir.Undefined()))):
            return asked
        case _:
            return test
