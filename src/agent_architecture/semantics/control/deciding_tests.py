"""Tests that decide whether a place is reached at all, while the program goes on without it.

`if settings.TRACE: start()`, `TRACE and start()`, a case of a `match` around it, and `if not settings.TRACE: return`
above it are one such test. What raises or ends the program otherwise decides nothing of the kind: whoever goes on has
passed it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.exits import ends_program, is_raised
from agent_architecture.names.structure import blocks
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
        is_part = any(test.span.contains(condition.expr.span) for test in _tests_of(condition.at))
        if is_part and (condition.at.span.contains(node.span) or _lets_go(conditions, condition.at)):
            yield condition


def away(conditions: Conditions, at: ir.Node) -> Iterator[tuple[ir.Node, ...]]:
    """The sides of a test, or the cases of a `match`, behind which nothing comes."""
    return (block for block in blocks(at) if block and not conditions.goes_on(block))


def _tests_of(at: ir.Node) -> Iterator[ir.Expr]:
    match at:
        case ir.If(test=test) | ir.Conditional(test=test):
            yield test
        case ir.Match(subject=subject, cases=cases):
            yield subject
            yield from (part for case in cases for part in (*case.patterns, case.guard) if part is not None)
        case ir.Operator():
            yield at
        case _:
            return


def _lets_go(conditions: Conditions, at: ir.Node) -> bool:
    """Whether a test that stands before leads away on one side, and nothing fails there."""
    if not isinstance(at, (ir.If, ir.Match)):
        return False
    left = tuple(away(conditions, at))
    return bool(left) and not any(map(_fails, left))


def _fails(block: tuple[ir.Node, ...]) -> bool:
    return any(is_raised(node) or (isinstance(node, ir.Call) and ends_program(node)) for node in ir.walk(*block))
