"""Targets and parameters of JavaScript and TypeScript to IR: destructuring, defaults, rest.

A default inside a pattern is an `Assign` in the place of its target (`{a = 1}` is the entry `"a": Assign(a, 1)`), a
rest is a `Spread` in a `List` and an entry without a key in a `Map`, a hole is `undefined`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.syntax.ir import (
    UNDEFINED,
    Assign,
    Entry,
    Expr,
    List,
    Literal,
    Map,
    Member,
    Name,
    Parameter,
    Spread,
    unformed,
)
from agent_architecture.syntax.javascript_cst import COMMENTS, first, has_token, named
from agent_architecture.syntax.javascript_names import property_name
from agent_architecture.syntax.javascript_types import annotation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from agent_architecture.syntax.javascript_context import Lowering

_PARAMETERS: Final = frozenset({"required_parameter", "optional_parameter"})
_PROPERTY_MODIFIERS: Final = frozenset({"accessibility_modifier", "override_modifier", "readonly"})


def pattern(low: Lowering, node: Node) -> Expr:
    """The target of an assignment or declaration."""
    match node.type:
        case "array_pattern":
            return List(low.text.span(node), tuple(_items(low, node)))
        case "object_pattern":
            entries = [_entry(low, child) for child in node.named_children if child.type not in COMMENTS]
            return Map(low.text.span(node), tuple(entries))
        case "assignment_pattern" | "object_assignment_pattern":
            return _default(low, node)
        case "rest_pattern":
            target = first(node)
            return Spread(low.text.span(node), _nested(low, target if target is not None else node))
        case "shorthand_property_identifier_pattern" | "identifier" | "undefined":
            return Name(low.text.span(node), low.text.of(node))
        case _:
            return low.expression(low, node)


def _nested(low: Lowering, node: Node) -> Expr:
    """A pattern inside another one: through `expression`, which counts the depth."""
    return low.expression(low, node) if node.type in {"array_pattern", "object_pattern"} else pattern(low, node)


def _items(low: Lowering, node: Node) -> Iterator[Expr]:
    is_filled = False
    for child in node.children:
        if child.type == ",":
            if not is_filled:
                yield Literal(low.text.span(child), UNDEFINED)
            is_filled = False
        elif child.is_named and child.type not in COMMENTS:
            yield _nested(low, child)
            is_filled = True


def _entry(low: Lowering, node: Node) -> Entry:
    match node.type:
        case "shorthand_property_identifier_pattern":
            return Entry(Literal(low.text.span(node), low.text.of(node)), pattern(low, node))
        case "object_assignment_pattern":
            left = node.child_by_field_name("left")
            name = left if left is not None else node
            return Entry(Literal(low.text.span(name), low.text.of(name)), _default(low, node))
        case "pair_pattern":
            return _pair(low, node)
        case "rest_pattern":
            target = first(node)
            return Entry(None, _nested(low, target if target is not None else node))
        case _:
            return Entry(None, low.expression(low, node))


def _pair(low: Lowering, node: Node) -> Entry:
    name, value = node.child_by_field_name("key"), node.child_by_field_name("value")
    if name is None or value is None:
        return Entry(None, unformed(low.text.span(node), node.type, ()))
    constant = property_name(low.text, name)
    key = Literal(low.text.span(name), constant) if constant is not None else low.expr(first(name))
    return Entry(key, _nested(low, value))


def _default(low: Lowering, node: Node) -> Expr:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None:
        return unformed(low.text.span(node), node.type, ())
    return Assign(low.text.span(node), _nested(low, left), low.expr(right))


def parameters(low: Lowering, function: Node) -> tuple[Parameter, ...]:
    """The parameters of a function; TypeScript's `this` parameter is none."""
    single = function.child_by_field_name("parameter")
    if single is not None:
        return (Parameter(low.text.of(single), low.text.span(single)),)
    listed = function.child_by_field_name("parameters")
    nodes = [child for child in named(listed) if child.type in _PARAMETERS] if listed is not None else []
    nodes = [node for node in nodes if not _is_this(node)]
    return tuple([_parameter(low, node, number) for number, node in enumerate(nodes)])


def _is_this(node: Node) -> bool:
    target = node.child_by_field_name("pattern")
    return target is not None and target.type == "this"


def _parameter(low: Lowering, node: Node, number: int) -> Parameter:
    target = node.child_by_field_name("pattern")
    default = low.expr(node.child_by_field_name("value"))
    mark = next((child for child in node.children if child.type == "?"), None)
    if default is None and mark is not None:
        default = Literal(low.text.span(mark), UNDEFINED)
    declared = annotation(low, node.child_by_field_name("type"))
    is_rest = target is not None and target.type == "rest_pattern"
    if is_rest and target is not None:
        target = first(target)
    name, lowered = _binding(low, target, number)
    return Parameter(name, low.text.span(node), default, declared, "*" if is_rest else "", lowered)


def _binding(low: Lowering, target: Node | None, number: int) -> tuple[str, Expr | None]:
    if target is None:
        return f"_{number}", None
    if target.type == "identifier":
        return low.text.of(target), None
    return f"_{number}", _nested(low, target)


def parameter_properties(low: Lowering, function: Node) -> Iterator[Assign]:
    """The assignments that `constructor(private x: T)` makes before its body."""
    listed = function.child_by_field_name("parameters")
    for node in named(listed) if listed is not None else []:
        target = node.child_by_field_name("pattern") if node.type in _PARAMETERS else None
        if target is None or target.type != "identifier" or not _is_property(node):
            continue
        span, name = low.text.span(target), low.text.of(target)
        yield Assign(span, Member(span, Name(span, "self"), name, span), Name(span, name))


def _is_property(node: Node) -> bool:
    return any(child.type in _PROPERTY_MODIFIERS for child in node.children) or has_token(node, "readonly")


def parameter_decorators(function: Node) -> list[Node]:
    """The decorators of a function's parameters."""
    listed = function.child_by_field_name("parameters")
    found = [node.children_by_field_name("decorator") for node in named(listed)] if listed is not None else []
    return [decorator for group in found for decorator in group]
