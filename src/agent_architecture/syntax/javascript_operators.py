"""Operators, assignments and `await` of JavaScript to IR.

Chains of operators and of `a ? b : c ? d : e` are lowered in a loop, so that their length is no depth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.syntax.ir import OPS, UNDEFINED, Assign, Await, Conditional, Expr, Literal, Op, Operator
from agent_architecture.syntax.javascript_context import unreadable
from agent_architecture.syntax.javascript_cst import first, has_token, unwrap
from agent_architecture.syntax.javascript_patterns import pattern
from agent_architecture.syntax.plain_forms import chained

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tree_sitter import Node

    from agent_architecture.sources.source import Span
    from agent_architecture.syntax.javascript_context import Lowering

_NORMAL: Final = {"===": Op.EQ, "!==": Op.NE, "&&": Op.AND, "||": Op.OR, "!": Op.NOT}
_SIGNS: Final = {"-": Op.NEG, "+": Op.POS}


def binary(low: Lowering, node: Node) -> Expr:
    """`a + b` and longer chains, nested to the left."""
    spine: list[Node] = []
    left: Node | None = node
    while left is not None and left.type == "binary_expression":
        spine.append(left)
        left = left.child_by_field_name("left")
    value = low.expr(left)
    return unreadable(low, node) if value is None else chained(value, _steps(low, reversed(spine)), converts=True)


def _steps(low: Lowering, spine: Iterable[Node]) -> Iterator[tuple[Span, Op, Expr]]:
    for step in spine:
        right = low.expr(step.child_by_field_name("right"))
        if right is not None:
            yield low.text.span(step), OPS.get(_operator(low, step), Op.UNREADABLE), right


def prefix(low: Lowering, node: Node) -> Expr:
    """A unary operator, `++`, `--` or `await` with its operand."""
    operand = first(node)
    if operand is None:
        return unreadable(low, node)
    if operand.type == "number" and _operator(low, node) == "void":
        return Literal(low.text.span(node), UNDEFINED)
    if operand.type == "assignment_expression" and has_token(operand, "using"):
        return assignment(low, operand)  # `await using x = y`: the grammar takes it for an `await` of an assignment
    return apply_operator(low, node, low.text.span(node), low.expression(low, operand))


def apply_operator(low: Lowering, node: Node, span: Span, operand: Expr) -> Expr:
    """The operator of this node, applied to its last operand, which is already lowered."""
    op = _operator(low, node)
    match node.type:
        case "await_expression":
            return Await(span, operand)
        case "update_expression":
            sign = node.child_by_field_name("operator")
            return Assign(span, operand, Literal(low.text.span(sign or node), 1), OPS.get(op[:1]))
        case "binary_expression":
            left = low.expr(node.child_by_field_name("left"))
            return Operator(span, OPS.get(op, Op.UNREADABLE), (operand,) if left is None else (left, operand))
        case _:
            return Operator(span, _SIGNS.get(op) or OPS.get(op, Op.UNREADABLE), (operand,))


def _operator(low: Lowering, node: Node) -> str:
    sign = node.child_by_field_name("operator")
    spelled = low.text.of(sign) if sign is not None else ""
    return _NORMAL.get(spelled, spelled)


def conditional(low: Lowering, node: Node) -> Expr:
    """`test ? then : otherwise`, and what `otherwise` goes on with."""
    spine: list[Node] = []
    rest: Node | None = node
    while rest is not None and rest.type == "ternary_expression":
        spine.append(rest)
        rest = rest.child_by_field_name("alternative")
        rest = unwrap(rest) if rest is not None else None
    value = low.expr(rest)
    for step in reversed(spine):
        test, then = low.expr(step.child_by_field_name("condition")), low.expr(step.child_by_field_name("consequence"))
        if test is None or then is None or value is None:
            value = unreadable(low, step)
        else:
            value = Conditional(low.text.span(step), test, then, value)
    return value if value is not None else unreadable(low, node)


def assignment(low: Lowering, node: Node) -> Expr:
    """An assignment, augmented or not, as an expression."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None:
        return unreadable(low, node)
    return Assign(low.text.span(node), pattern(low, left), low.expr(right), _augmented(low, node))


def _augmented(low: Lowering, node: Node) -> Op | None:
    sign = node.child_by_field_name("operator")
    spelled = low.text.of(sign)[:-1] if sign is not None else ""
    return OPS.get(_NORMAL.get(spelled, spelled), Op.UNREADABLE) if spelled else None
