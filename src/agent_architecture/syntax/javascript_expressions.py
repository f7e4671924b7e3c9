"""JavaScript and TypeScript expressions to IR.

Chains (`a.b().c()`, `a + b + c`, `a ? b : c ? d : e`) are lowered in a loop, so that their length is no depth.
Functions and classes are looked up: the index made them. Knows no statement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.syntax.ir import (
    UNDEFINED,
    Entry,
    Expr,
    List,
    Literal,
    Map,
    Name,
    Spread,
    Yield,
)
from agent_architecture.syntax.javascript_chains import chain, new
from agent_architecture.syntax.javascript_context import MAX_DEPTH, unreadable
from agent_architecture.syntax.javascript_cst import COMMENTS, first, has_token, wrapped
from agent_architecture.syntax.javascript_jsx import element, jsx_expression
from agent_architecture.syntax.javascript_leaves import LEAVES
from agent_architecture.syntax.javascript_names import property_name
from agent_architecture.syntax.javascript_operators import assignment, binary, conditional, prefix
from agent_architecture.syntax.javascript_patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from agent_architecture.syntax.javascript_context import Lowering


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
    "binary_expression": binary,
    "unary_expression": prefix,
    "update_expression": prefix,
    "ternary_expression": conditional,
    "assignment_expression": assignment,
    "augmented_assignment_expression": assignment,
    "await_expression": prefix,
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
