"""TypeScript's types to IR expressions, as far as someone reads them.

`Promise<Foo>` is `Index(Promise, Foo)`, `A | B` an `Operator`, `Foo[]` is `Index(Array, Foo)`, an object type a `Map`
of name to type. Functions and computed types are `Opaque`. The index prunes all types, so nothing in them is a call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.syntax.ir import (
    UNDEFINED,
    Entry,
    Expr,
    Index,
    List,
    Literal,
    Map,
    Member,
    Name,
    Op,
    Operator,
    unformed,
)
from agent_architecture.syntax.javascript_context import MAX_DEPTH
from agent_architecture.syntax.javascript_cst import first, named
from agent_architecture.syntax.javascript_names import property_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from agent_architecture.syntax.javascript_context import Lowering

_PREDICATES: Final = frozenset({"type_predicate", "asserts"})
_SIGNS: Final = {"union_type": Op.BITOR, "intersection_type": Op.BITAND}


def annotation(low: Lowering, node: Node | None) -> Expr | None:
    """The type of a parameter, field, variable or result. A type predicate (`x is T`, `asserts x`) gives None."""
    if node is None or node.type != "type_annotation":
        return None
    inner = first(node)
    return lower_type(low, inner) if inner is not None else None


def lower_type(low: Lowering, node: Node) -> Expr:
    """The type at this node."""
    while node.type in {"parenthesized_type", "readonly_type"} and (inner := first(node)) is not None:
        node = inner
    handler = _HANDLERS.get(node.type)
    if handler is None:
        return unformed(low.text.span(node), node.type, ())
    if low.depth >= MAX_DEPTH:
        return low.too_deep(node, again=False)
    low.depth += 1
    try:
        return handler(low, node)
    finally:
        low.depth -= 1


def heritage(low: Lowering, clause: Node) -> list[Expr]:
    """The bases that an `extends` or `implements` clause names; type arguments are an `Index`."""
    if clause.type != "extends_clause":
        return [lower_type(low, child) for child in named(clause)]
    bases: list[Expr] = []
    for child in named(clause):
        if child.type == "type_arguments" and bases:
            bases[-1] = _applied(low, clause, bases[-1], child)
        else:
            bases.append(low.expression(low, child))
    return bases


def aliased(node: Node) -> Node | None:
    """The type that an alias names, or that a type parameter extends."""
    bound = node.child_by_field_name("constraint")
    return node.child_by_field_name("value") if bound is None else first(bound)


def is_object_type(node: Node | None) -> bool:
    """Whether a type is one of objects whose members it says: `{…}`, `A & {…}`."""
    return node is not None and any(part.type == "object_type" for part in joined(node))


def joined(node: Node) -> list[Node]:
    """The types that `A & B & C` joins, in order; of another type itself."""
    found: list[Node] = []
    stack = [node]
    while stack:
        part = stack.pop()
        if part.type == "parenthesized_type" and (inner := first(part)) is not None:
            stack.append(inner)
        elif part.type == "intersection_type":
            stack.extend(reversed(named(part)))
        else:
            found.append(part)
    return found


def _applied(low: Lowering, node: Node, target: Expr, arguments: Node) -> Expr:
    args = [lower_type(low, child) for child in named(arguments)]
    span = low.text.span(node)
    if len(args) == 1:
        return Index(span, target, args[0])
    return Index(span, target, List(low.text.span(arguments), tuple(args), "tuple"))


def _name(low: Lowering, node: Node) -> Expr:
    return Name(low.text.span(node), low.text.of(node))


def _self(low: Lowering, node: Node) -> Expr:
    return Name(low.text.span(node), "self")


def _nested(low: Lowering, node: Node) -> Expr:
    properties: list[Node] = []
    start = node
    while start.type in {"nested_type_identifier", "nested_identifier"} and (parts := named(start)):
        properties.append(parts[-1])
        start = parts[0]
    value: Expr = _name(low, start)
    for prop in reversed(properties):
        value = Member(low.text.span(start, prop), value, low.text.of(prop), low.text.span(prop))
    return value


def qualified_name(low: Lowering, node: Node) -> Expr:
    """`A.B.C` where only names may stand, as members."""
    return _nested(low, node)


def _generic(low: Lowering, node: Node) -> Expr:
    name, arguments = node.child_by_field_name("name"), node.child_by_field_name("type_arguments")
    if name is None or arguments is None:
        return unformed(low.text.span(node), node.type, ())
    return _applied(low, node, lower_type(low, name), arguments)


def _array(low: Lowering, node: Node) -> Expr:
    span, item = low.text.span(node), first(node)
    if item is None:
        return unformed(span, node.type, ())
    return Index(span, Name(span, "Array"), lower_type(low, item))


def _binary(low: Lowering, node: Node) -> Expr:
    spine: list[Node] = []
    left: Node | None = node
    while left is not None and left.type == node.type:
        spine.append(left)
        left = first(left)
    value = lower_type(low, left) if left is not None else unformed(low.text.span(node), node.type, ())
    for step in reversed(spine):
        operands = named(step)
        if len(operands) > 1:
            right = lower_type(low, operands[-1])
            value = Operator(low.text.span(step), _SIGNS[node.type], (value, right))
    return value


def _literal(low: Lowering, node: Node) -> Expr:
    inner = first(node)
    return low.expression(low, inner if inner is not None else node)


def _predefined(low: Lowering, node: Node) -> Expr:
    if low.text.of(node) == "undefined":
        return Literal(low.text.span(node), UNDEFINED)
    return _name(low, node)


def _tuple(low: Lowering, node: Node) -> Expr:
    items = [_tuple_item(low, child) for child in named(node)]
    return List(low.text.span(node), tuple(items), "tuple")


def _tuple_item(low: Lowering, node: Node) -> Expr:
    declared = annotation(low, node.child_by_field_name("type"))
    return declared if declared is not None else lower_type(low, node)


def _object(low: Lowering, node: Node) -> Expr:
    span, children = low.text.span(node), named(node)
    if len(children) == 1 and children[0].type == "index_signature":
        return _table(low, children[0])
    entries = tuple([entry for child in children for entry in _property(low, child)])
    # `{ [key: string]: T }` says nothing about names, but it is not the empty object.
    return Map(span, entries) if entries or not children else unformed(span, node.type, ())


def _table(low: Lowering, node: Node) -> Expr:
    """`{ [key: string]: T }` is what `Record<string, T>` says."""
    span, value = low.text.span(node), annotation(low, node.child_by_field_name("type"))
    key = node.child_by_field_name("index_type")
    if value is None:
        return unformed(span, node.type, ())
    sides = (Name(span, "string") if key is None else lower_type(low, key), value)
    return Index(span, Name(span, "Record"), List(span, sides, "tuple"))


def _property(low: Lowering, node: Node) -> tuple[Entry, ...]:
    name = node.child_by_field_name("name")
    constant = property_name(low.text, name)
    if name is None or constant is None or node.type not in {"property_signature", "method_signature"}:
        return ()
    return (Entry(Literal(low.text.span(name), constant), signature(low, node)),)


def signature(low: Lowering, node: Node) -> Expr:
    """The type of a property or method of an object type or interface."""
    declared = annotation(low, node.child_by_field_name("type"))
    return declared if declared is not None else _function(low, node)


def _function(low: Lowering, node: Node) -> Expr:
    """The type of a function: opaque, with what it returns."""
    result = node.child_by_field_name("return_type")
    if result is not None and result.type == "type_annotation":
        result = first(result)
    returned = (lower_type(low, result),) if result is not None and result.type not in _PREDICATES else ()
    return unformed(low.text.span(node), node.type, returned)


def _lookup(low: Lowering, node: Node) -> Expr:
    """`T["x"]`: the type of a member of another type."""
    parts = named(node)
    if len(parts) < 2:  # noqa: PLR2004 - a type and a key
        return unformed(low.text.span(node), node.type, ())
    return Operator(low.text.span(node), Op.AT, (lower_type(low, parts[0]), lower_type(low, parts[-1])))


def _query(low: Lowering, node: Node) -> Expr:
    inner = first(node)
    start = inner
    while start is not None and start.type == "member_expression":
        start = first(start)
    span = low.text.span(node)
    if inner is None or start is None or start.type not in {"identifier", "this"}:
        return unformed(span, node.type, ())
    return Operator(span, Op.TYPEOF, (low.expression(low, inner),))


_HANDLERS: Final[Mapping[str, Callable[[Lowering, Node], Expr]]] = {
    "predefined_type": _predefined,
    "type_identifier": _name,
    "identifier": _name,
    "this_type": _self,
    "nested_type_identifier": _nested,
    "generic_type": _generic,
    "array_type": _array,
    "union_type": _binary,
    "intersection_type": _binary,
    "literal_type": _literal,
    "tuple_type": _tuple,
    "object_type": _object,
    "type_query": _query,
    "function_type": _function,
    "lookup_type": _lookup,
}
