"""Tests that decide whether a place is reached at all, while the program goes on without it.

`if settings.TRACE: start()`, `TRACE and start()` and `if not settings.TRACE: return` above `start()` are one such test.
What raises or ends the program otherwise decides nothing of the kind: whoever goes on has passed it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.exits import ends_program, is_raised
from agent_architecture.semantics.control.condition import all_in
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.control.condition import Condition
    from agent_architecture.semantics.control.conditions import Conditions
    from agent_architecture.semantics.matching.context import Context


def deciding(context: Context, node: ir.Node) -> Iterator[Condition]:
    """What has to hold, by the code of its scope, for a node to be reached: each part of each such test."""
    conditions = conditions_of(context)
    for condition in all_in(conditions.at(node)):
        test = _test_of(condition.at)
        is_part = test is not None and test.span.contains(condition.expr.span)
        if is_part and (condition.at.span.contains(node.span) or _lets_go(conditions, condition.at)):
            yield condition


def _test_of(at: ir.Node) -> ir.Expr | None:
    match at:
        case ir.If(test=test) | ir.Conditional(test=test):
            return test
        case ir.Operator():
            return at
        case _:
            return None


def _lets_go(conditions: Conditions, at: ir.Node) -> bool:
    """Whether a test that stands before leads away on one side, and nothing fails there."""
    if not isinstance(at, ir.If):
        return False
    away = [block for block in (at.then, at.otherwise) if block and not conditions.goes_on(block)]
    return bool(away) and not any(map(_fails, away))


def _fails(block: tuple[ir.Node, ...]) -> bool:
    return any(is_raised(node) or (isinstance(node, ir.Call) and ends_program(node)) for node in ir.walk(*block))
