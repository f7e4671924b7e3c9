"""Tests for being given: `x is not None`, `x`, `not x`, `x == null`, and what they say of a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.values import Const, Unknown
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.values import Value, Values


def presence(test: ir.Expr) -> ir.Expr | None:
    """What a test holds for only when it is given: `x` of `x is not None`, `x != null` and `x`."""
    match test:
        case ir.Operator(op=ir.Op.NOT, operands=(inner,)):
            return absence(inner)
        case ir.Operator(op=ir.Op.NE, operands=(left, right)) if no_value(right):
            return left
        case ir.Name() | ir.Member() | ir.Index():
            return test
        case _:
            return None


def absence(test: ir.Expr) -> ir.Expr | None:
    """What a test holds for when it is not given: `x` of `x is None`, `x == null` and `not x`."""
    match test:
        case ir.Operator(op=ir.Op.NOT, operands=(inner,)):
            return presence(inner)
        case ir.Operator(op=ir.Op.IS | ir.Op.EQ, operands=(left, right)) if no_value(right):
            return left
        case _:
            return None


def no_value(expr: ir.Expr) -> bool:
    """Whether an expression is written as `None`, `null` or `undefined`."""
    return isinstance(expr, ir.Literal) and (expr.value is None or expr.value is ir.UNDEFINED)


def same(one: ir.Expr | None, other: ir.Expr) -> bool:
    """Whether two expressions are the same name or member chain."""
    match one, other:
        case ir.Name(id=a), ir.Name(id=b):
            return a == b
        case ir.Member(name=a, target=x), ir.Member(name=b, target=y):
            return a == b and same(x, y)
        case _:
            return False


def is_nothing(value: Value) -> bool:
    """Whether a value is None or undefined."""
    return isinstance(value, Const) and (value.value is None or value.value is ir.UNDEFINED)


def says_something(value: Value) -> bool:
    """Whether a value is known, and something."""
    return not isinstance(value, Unknown) and not is_nothing(value)


def given(values: Values) -> Values:
    """The values without None and undefined."""
    return tuple(value for value in values if not is_nothing(value))
