"""Calls, members and subscripts of JavaScript to IR, and the imports that are written as calls.

Knows neither what is called nor any other expression.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from agent_architecture.syntax.ir import Argument, Call, Expr, Import, Index, List, Member, Name, unformed
from agent_architecture.syntax.ir import Literal as Constant
from agent_architecture.syntax.javascript_context import unreadable
from agent_architecture.syntax.javascript_cst import COMMENTS, bound_tightly, first
from agent_architecture.syntax.javascript_leaves import template
from agent_architecture.syntax.javascript_names import imported_module
from agent_architecture.syntax.javascript_operators import apply_operator
from agent_architecture.syntax.plain_forms import assigned_into, joined_list
from agent_architecture.syntax.spread_out import arguments as told_apart

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from agent_architecture.sources.source import Span
    from agent_architecture.syntax.javascript_context import Lowering


def chain(low: Lowering, node: Node) -> Expr:
    """Calls, members and subscripts, from the innermost out: the length of a chain is no depth."""
    steps: list[Node] = []
    loose: list[Node] = []
    outermost = node
    while node.type in _STEPS and not (node.type == "call_expression" and import_call(low, node) is not None):
        target = node.child_by_field_name("function" if node.type == "call_expression" else "object")
        if target is None:
            break
        steps.append(node)
        node, operators = bound_tightly(target)
        loose.extend(operators)
    value = _start(low, node)
    for step in reversed(steps):
        value = _STEPS[step.type](low, step, low.text.span(node if loose else step, step), value)
    for operator in reversed(loose):
        value = apply_operator(low, operator, low.text.span(operator, outermost), value)
    return value


def _start(low: Lowering, node: Node) -> Expr:
    if node.type not in _STEPS:
        return low.expression(low, node)
    found = import_call(low, node) if node.type == "call_expression" else None
    return unreadable(low, node) if found is None else found


def import_call(low: Lowering, node: Node) -> Import | None:
    """`require("x")` or `import("x")`; None for any other call. The same node each time."""
    if node.id not in low.import_calls:
        module = imported_module(low.text, node)
        callee = node.child_by_field_name("function")
        if module is None or callee is None:
            return None
        kind: Literal["dynamic", "require"] = "dynamic" if callee.type == "import" else "require"
        low.import_calls[node.id] = Import(low.text.span(node), module, kind=kind)
    return low.import_calls[node.id]


def _call(low: Lowering, node: Node, span: Span, callee: Expr) -> Expr:
    args = arguments(low, node.child_by_field_name("arguments"))
    plain: Expr | None = None
    match callee:
        case Member(target=Name(id="Object"), name="assign"):
            plain = assigned_into(span, args)
        case Member(target=List() as items, name="join") if len(args) == 1:
            separator = args[0].value
            if isinstance(separator, Constant) and isinstance(separator.value, str):
                plain = joined_list(span, separator.value, items)
    return plain or Call(span, callee, args)


def _member(low: Lowering, node: Node, span: Span, target: Expr) -> Expr:
    prop = node.child_by_field_name("property")
    if prop is None:
        return unformed(span, node.type, (target,))
    return Member(span, target, low.text.of(prop), low.text.span(prop))


def _subscript(low: Lowering, node: Node, span: Span, target: Expr) -> Expr:
    key = node.child_by_field_name("index")
    if key is None:
        return unformed(span, node.type, (target,))
    return Index(span, target, low.expression(low, key))


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
    return told_apart([_argument(low, child) for child in node.named_children if child.type not in COMMENTS])


def _argument(low: Lowering, node: Node) -> Argument:
    if node.type == "spread_element" and (value := first(node)) is not None:
        return Argument(None, low.expression(low, value), "*")
    return Argument(None, low.expression(low, node))


_STEPS: Final[Mapping[str, Callable[[Lowering, Node, Span, Expr], Expr]]] = {
    "call_expression": _call,
    "member_expression": _member,
    "subscript_expression": _subscript,
}
