"""Calls, members and subscripts of JavaScript to IR, and the imports that are written as calls.

Knows neither what is called nor any other expression.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.syntax.ir import Argument, Call, Expr, Import, Index, Member, Opaque
from agent_architecture.syntax.javascript_context import unreadable
from agent_architecture.syntax.javascript_leaves import template
from agent_architecture.syntax.javascript_names import COMMENTS, first, imported_module, unwrap

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from agent_architecture.syntax.javascript_context import Lowering


def chain(low: Lowering, node: Node) -> Expr:
    """Calls, members and subscripts, from the innermost out: the length of a chain is no depth."""
    steps: list[Node] = []
    while node.type in _STEPS:
        if node.type == "call_expression" and imported_module(low.text, node) is not None:
            break
        target = _target(node)
        if target is None:
            break
        steps.append(node)
        node = unwrap(target)
    value = low.expression(low, node) if node.type not in _STEPS else _chain_start(low, node)
    for step in reversed(steps):
        value = _STEPS[step.type](low, step, value)
    return value


def _target(node: Node) -> Node | None:
    return node.child_by_field_name("function") or node.child_by_field_name("object")


def _chain_start(low: Lowering, node: Node) -> Expr:
    module = imported_module(low.text, node) if node.type == "call_expression" else None
    if module is None:
        return unreadable(low, node)
    callee = node.child_by_field_name("function")
    is_dynamic = callee is not None and callee.type == "import"
    return Import(low.text.span(node), module, kind="dynamic" if is_dynamic else "require")


def _call(low: Lowering, node: Node, callee: Expr) -> Expr:
    return Call(low.text.span(node), callee, arguments(low, node.child_by_field_name("arguments")))


def _member(low: Lowering, node: Node, target: Expr) -> Expr:
    prop = node.child_by_field_name("property")
    if prop is None:
        return Opaque(low.text.span(node), node.type, (target,))
    return Member(low.text.span(node), target, low.text.of(prop), low.text.span(prop))


def _subscript(low: Lowering, node: Node, target: Expr) -> Expr:
    key = node.child_by_field_name("index")
    if key is None:
        return Opaque(low.text.span(node), node.type, (target,))
    return Index(low.text.span(node), target, low.expression(low, key))


def new(low: Lowering, node: Node) -> Expr:
    """`new X(…)`."""
    callee = node.child_by_field_name("constructor")
    if callee is None:
        return unreadable(low, node)
    args = arguments(low, node.child_by_field_name("arguments"))
    return Call(low.text.span(node), low.expression(low, callee), args, is_new=True)


def arguments(low: Lowering, node: Node | None) -> tuple[Argument, ...]:
    """The arguments of a call; a template literal is the one argument of a tag."""
    if node is None:
        return ()
    if node.type == "template_string":
        return (Argument(None, template(low, node)),)
    return tuple([_argument(low, child) for child in node.named_children if child.type not in COMMENTS])


def _argument(low: Lowering, node: Node) -> Argument:
    if node.type == "spread_element" and (value := first(node)) is not None:
        return Argument(None, low.expression(low, value), "*")
    return Argument(None, low.expression(low, node))


_STEPS: Final[Mapping[str, Callable[[Lowering, Node, Expr], Expr]]] = {
    "call_expression": _call,
    "member_expression": _member,
    "subscript_expression": _subscript,
}
