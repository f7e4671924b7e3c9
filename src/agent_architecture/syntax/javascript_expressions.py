"""JavaScript and TypeScript expressions to IR.

Chains (`a.b().c()`, `a + b + c`, `a ? b : c ? d : e`) are lowered in a loop, so that their length is no depth.
Functions and classes are looked up: the index made them. Knows no statement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.syntax.ir import (
    UNDEFINED,
    Assign,
    Await,
    Conditional,
    Entry,
    Expr,
    List,
    Literal,
    Map,
    Name,
    Operator,
    Spread,
    Yield,
)
from agent_architecture.syntax.javascript_chains import chain, new
from agent_architecture.syntax.javascript_context import MAX_DEPTH, unreadable
from agent_architecture.syntax.javascript_jsx import element, jsx_expression
from agent_architecture.syntax.javascript_leaves import LEAVES
from agent_architecture.syntax.javascript_names import (
    COMMENTS,
    first,
    has_token,
    property_name,
    unwrap,
    wrapped,
)
from agent_architecture.syntax.javascript_patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from agent_architecture.syntax.javascript_context import Lowering

OPERATORS: Final = {"===": "==", "!==": "!=", "&&": "and", "||": "or", "!": "not"}
_SIGNS: Final = {"-": "neg", "+": "pos"}


def lower_expression(low: Lowering, node: Node) -> Expr:
    """The expression at this node; `Opaque` for what has no normal form."""
    while (inner := wrapped(node)) is not None:
        node = inner
    handler = _HANDLERS.get(node.type)
    if handler is None:
        return unreadable(low, node)
    if low.depth >= MAX_DEPTH:
        return low.too_deep(node)
    low.depth += 1
    try:
        return handler(low, node)
    finally:
        low.depth -= 1


def is_expression(node: Node) -> bool:
    """Whether this node has the form of an expression."""
    return node.type in _HANDLERS or wrapped(node) is not None


# ------------------------------------------------------------------------------------------------------------ operators
def _binary(low: Lowering, node: Node) -> Expr:
    spine: list[Node] = []
    left: Node | None = node
    while left is not None and left.type == "binary_expression":
        spine.append(left)
        left = left.child_by_field_name("left")
    value = low.expr(left) if left is not None else unreadable(low, spine.pop())
    for step in reversed(spine):
        right, sign = low.expr(step.child_by_field_name("right")), step.child_by_field_name("operator")
        operands = tuple(operand for operand in (value, right) if operand is not None)
        value = Operator(low.text.span(step), _operator(low, sign), operands)
    return value if value is not None else unreadable(low, node)


def _operator(low: Lowering, sign: Node | None) -> str:
    spelled = low.text.of(sign) if sign is not None else ""
    return OPERATORS.get(spelled, spelled)


def _unary(low: Lowering, node: Node) -> Expr:
    sign, operand = node.child_by_field_name("operator"), node.child_by_field_name("argument")
    if operand is None:
        return unreadable(low, node)
    op = _operator(low, sign)
    if op == "void" and operand.type == "number":
        return Literal(low.text.span(node), UNDEFINED)
    return Operator(low.text.span(node), _SIGNS.get(op, op), (lower_expression(low, operand),))


def _update(low: Lowering, node: Node) -> Expr:
    sign, target = node.child_by_field_name("operator"), node.child_by_field_name("argument")
    if sign is None or target is None:
        return unreadable(low, node)
    one = Literal(low.text.span(sign), 1)
    return Assign(low.text.span(node), lower_expression(low, target), one, low.text.of(sign)[:1])


def _conditional(low: Lowering, node: Node) -> Expr:
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


def _assignment(low: Lowering, node: Node) -> Expr:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None:
        return unreadable(low, node)
    return Assign(low.text.span(node), pattern(low, left), low.expr(right), _augmented(low, node))


def _augmented(low: Lowering, node: Node) -> str:
    sign = node.child_by_field_name("operator")
    spelled = low.text.of(sign)[:-1] if sign is not None else ""
    return OPERATORS.get(spelled, spelled)


def _await(low: Lowering, node: Node) -> Expr:
    value = first(node)
    if value is None:
        return unreadable(low, node)
    if value.type == "assignment_expression" and has_token(value, "using"):
        return _assignment(low, value)  # `await using x = y`: the grammar takes it for an `await` of an assignment
    return Await(low.text.span(node), lower_expression(low, value))


def _yield(low: Lowering, node: Node) -> Expr:
    return Yield(low.text.span(node), low.expr(first(node)), has_token(node, "*"))


# ------------------------------------------------------------------------------------------------ containers and scopes
def _array(low: Lowering, node: Node) -> Expr:
    items: list[Expr] = []
    is_filled = False
    for child in node.children:
        if child.type == ",":
            if not is_filled:
                items.append(Literal(low.text.span(child), UNDEFINED))
            is_filled = False
        elif child.is_named and child.type not in COMMENTS:
            items.append(_item(low, child))
            is_filled = True
    return List(low.text.span(node), tuple(items))


def _item(low: Lowering, node: Node) -> Expr:
    if node.type == "spread_element" and (value := first(node)) is not None:
        return Spread(low.text.span(node), lower_expression(low, value))
    return lower_expression(low, node)


def _object(low: Lowering, node: Node) -> Expr:
    return Map(
        low.text.span(node), tuple([_entry(low, child) for child in node.named_children if child.type not in COMMENTS])
    )


def _entry(low: Lowering, node: Node) -> Entry:
    match node.type:
        case "pair":
            value = low.expr(node.child_by_field_name("value"))
            return Entry(
                key(low, node.child_by_field_name("key")), value if value is not None else unreadable(low, node)
            )
        case "shorthand_property_identifier":
            return Entry(Literal(low.text.span(node), low.text.of(node)), Name(low.text.span(node), low.text.of(node)))
        case "method_definition":
            return Entry(key(low, node.child_by_field_name("name")), _defined(low, node))
        case "spread_element":
            value = low.expr(first(node))
            return Entry(None, value if value is not None else unreadable(low, node))
        case _:
            return Entry(None, lower_expression(low, node))


def key(low: Lowering, node: Node | None) -> Expr | None:
    """The key of an object's entry: a `Literal` string where it is constant."""
    if node is None:
        return None
    constant = property_name(low.text, node)
    if constant is not None:
        return Literal(low.text.span(node), constant)
    return low.expr(first(node))


def _defined(low: Lowering, node: Node) -> Expr:
    found = low.definition(node)
    return found if found is not None else unreadable(low, node)


def _spread(low: Lowering, node: Node) -> Expr:
    return _item(low, node)


_HANDLERS: Final[Mapping[str, Callable[[Lowering, Node], Expr]]] = {
    **LEAVES,
    "call_expression": chain,
    "member_expression": chain,
    "subscript_expression": chain,
    "new_expression": new,
    "binary_expression": _binary,
    "unary_expression": _unary,
    "update_expression": _update,
    "ternary_expression": _conditional,
    "assignment_expression": _assignment,
    "augmented_assignment_expression": _assignment,
    "await_expression": _await,
    "yield_expression": _yield,
    "array": _array,
    "object": _object,
    "spread_element": _spread,
    "array_pattern": pattern,
    "object_pattern": pattern,
    "arrow_function": _defined,
    "function_expression": _defined,
    "generator_function": _defined,
    "class": _defined,
    "method_definition": _defined,
    "jsx_element": element,
    "jsx_self_closing_element": element,
    "jsx_expression": jsx_expression,
}
