"""Functions, classes, interfaces and enums of JavaScript and TypeScript: what they lower to when somebody asks.

The index makes the `Function` and `Class` objects; this module gives them their parts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.syntax.ir import (
    Assign,
    Block,
    ClassParts,
    Expr,
    FunctionParts,
    Index,
    Literal,
    Member,
    Name,
    Node,
    Return,
    unformed,
)
from agent_architecture.syntax.javascript_context import body, lower_all, unreadable
from agent_architecture.syntax.javascript_cst import code_of, directives, first, is_harmless, members, named
from agent_architecture.syntax.javascript_expressions import lower_expression
from agent_architecture.syntax.javascript_kinds import PRUNED
from agent_architecture.syntax.javascript_names import property_name
from agent_architecture.syntax.javascript_patterns import parameter_decorators, parameter_properties, parameters
from agent_architecture.syntax.javascript_statements import lower_statement
from agent_architecture.syntax.javascript_types import (
    aliased,
    annotation,
    heritage,
    is_object_type,
    joined,
    lower_type,
    signature,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    import tree_sitter

    from agent_architecture.syntax.javascript_context import Lowering

_ACCESSORS: Final = frozenset({"get", "set"})
_TYPE_BODIES: Final = frozenset({"interface_body", "object_type"})
_HERITAGE: Final = frozenset({"extends_clause", "implements_clause", "extends_type_clause"})


class _Fresh:
    """Lower a scope from depth 0, outside every switch, whatever is being lowered around it."""

    __slots__ = ("_low", "_outer")

    def __init__(self, low: Lowering) -> None:
        self._low = low
        self._outer = (low.depth, low.breaks, low.cuts)

    def __enter__(self) -> None:
        self._low.depth, self._low.breaks, self._low.cuts = 0, None, []

    def __exit__(self, *_: object) -> None:
        self._low.depth, self._low.breaks, self._low.cuts = self._outer


def module_body(low: Lowering, root: tree_sitter.Node) -> tuple[Node, ...]:
    """The statements of a file."""
    with _Fresh(low):
        return (*lower_all(low, root.named_children), *_left_over(low, root))


def function_parts(low: Lowering, node: tree_sitter.Node) -> FunctionParts:
    """Header and body of a function, method or arrow function."""
    with _Fresh(low):
        return FunctionParts(
            parameters(low, node),
            annotation(low, node.child_by_field_name("return_type")),
            (*_directives(low, node), *_accessor(low, node), *_decorators(low, _function_decorators(low, node))),
            (*_type_parameters(low, node), *_function_body(low, node), *_left_over(low, node)),
        )


def _type_parameters(low: Lowering, node: tree_sitter.Node) -> Iterator[Node]:
    """The type parameters that extend something, as names for that."""
    parameters = node.child_by_field_name("type_parameters")
    for child in named(parameters) if parameters is not None else ():
        found = low.definition(child)
        if found is not None:
            yield found


def _function_decorators(low: Lowering, node: tree_sitter.Node) -> list[tree_sitter.Node]:
    return [*low.decorators.get(node.id, ()), *parameter_decorators(node)]


def _decorators(low: Lowering, nodes: list[tree_sitter.Node]) -> list[Expr]:
    return [lower_expression(low, inner) for node in nodes for inner in named(node)]


def _directives(low: Lowering, node: tree_sitter.Node) -> Iterator[Expr]:
    """`"use step"` is what Python writes as `@use.step`."""
    for text, word in directives(low.text, node):
        span = low.text.span(text)
        yield Member(span, Name(span, "use"), word, span)


def _accessor(low: Lowering, node: tree_sitter.Node) -> Iterator[Expr]:
    """`get x()` is what Python writes as `@property`, `set x(v)` is `@x.setter`."""
    name = property_name(low.text, node.child_by_field_name("name"))
    for child in node.children:
        if child.type not in _ACCESSORS or child.is_named:
            continue
        span = low.text.span(child)
        if child.type == "get":
            yield Name(span, "property")
        elif name is not None:
            yield Member(span, Name(span, name), "setter", span)


def _function_body(low: Lowering, node: tree_sitter.Node) -> tuple[Node, ...]:
    block = node.child_by_field_name("body")
    if block is None:
        return ()
    if block.type == "statement_block":
        return (*parameter_properties(low, node), *body(low, block))
    return (Return(low.text.span(block), lower_expression(low, block)),)


# -------------------------------------------------------------------------------------------------------------- classes
def class_parts(low: Lowering, node: tree_sitter.Node) -> ClassParts:
    """Heritage and members of a class or interface."""
    with _Fresh(low):
        decorators = [*low.decorators.get(node.id, ()), *node.children_by_field_name("decorator")]
        return ClassParts(
            tuple(_bases(low, node)),
            (),
            tuple(_decorators(low, decorators)),
            (
                *_type_parameters(low, node),
                *_class_body(low, node.child_by_field_name("body")),
                *_left_over(low, node),
            ),
        )


def _bases(low: Lowering, node: tree_sitter.Node) -> Iterator[Expr]:
    for child in named(node):
        clauses = named(child) if child.type == "class_heritage" else [child]
        for clause in clauses:
            if clause.type in _HERITAGE:
                yield from heritage(low, clause)


def _class_body(low: Lowering, block: tree_sitter.Node | None) -> Iterator[Node]:
    for decorators, member in members(block) if block is not None else ():
        if member is None:
            yield from lower_all(low, decorators)
        elif member.type == "method_signature" and block is not None and block.type in _TYPE_BODIES:
            yield from _property_signature(low, member)
        else:
            yield from _member(low, member)


def _member(low: Lowering, node: tree_sitter.Node) -> Iterator[Node]:
    match node.type:
        case "public_field_definition":
            yield from _field(low, node)
        case "method_definition" | "abstract_method_signature":
            yield from _method(low, node)
        case "property_signature":
            yield from _property_signature(low, node)
        case "class_static_block":
            yield Block(low.text.span(node), body(low, node.child_by_field_name("body")))
        case _:
            yield from lower_statement(low, node)


def _field(low: Lowering, node: tree_sitter.Node) -> Iterator[Node]:
    name = node.child_by_field_name("name")
    yield from lower_all(low, node.children_by_field_name("decorator"))
    if name is not None:
        declared = annotation(low, node.child_by_field_name("type"))
        value = low.expr(node.child_by_field_name("value"))
        yield Assign(low.text.span(node), _key(low, name), value, annotation=declared)


def _method(low: Lowering, node: tree_sitter.Node) -> Iterator[Node]:
    found, name = low.definition(node), node.child_by_field_name("name")
    if found is None or name is None:
        yield unreadable(low, node)
    elif property_name(low.text, name) is None:
        yield Assign(low.text.span(node), _key(low, name), found)
    else:
        yield found


def _key(low: Lowering, name: tree_sitter.Node) -> Expr:
    """The target of a field: its name, or `self[key]` where the key is computed."""
    span, constant = low.text.span(name), property_name(low.text, name)
    if constant is not None:
        return Name(span, constant)
    inner = first(name)
    key = lower_expression(low, inner) if inner is not None else unreadable(low, name)
    return Index(span, Name(span, "self"), key)


def _property_signature(low: Lowering, node: tree_sitter.Node) -> Iterator[Node]:
    name = node.child_by_field_name("name")
    constant = property_name(low.text, name)
    if name is not None and constant is not None:
        target = Name(low.text.span(name), constant)
        yield Assign(low.text.span(node), target, None, annotation=signature(low, node))


def alias_parts(low: Lowering, node: tree_sitter.Node) -> ClassParts:
    """A type alias: members and bases of an object type, else the type itself."""
    with _Fresh(low):
        value = aliased(node)
        if value is None:
            return ClassParts((), (), (), ())
        if not is_object_type(value):
            return ClassParts((), (), (), (lower_type(low, value),))
        parts = joined(value)
        bases = tuple(lower_type(low, part) for part in parts if part.type != "object_type")
        members = [member for part in parts if part.type == "object_type" for member in _class_body(low, part)]
        return ClassParts(bases, (), (), tuple(members))


def enum_parts(low: Lowering, node: tree_sitter.Node) -> ClassParts:
    """The members of an enum with their values; a member without one counts on from the number before it."""
    with _Fresh(low):
        block = node.child_by_field_name("body")
        decorators = _decorators(low, low.decorators.get(node.id, []))
        statements = tuple(_enum_members(low, block)) if block is not None else ()
        return ClassParts((), (), tuple(decorators), (*statements, *_left_over(low, node)))


def _enum_members(low: Lowering, block: tree_sitter.Node) -> Iterator[Node]:
    following: int | float | None = 0
    for child in named(block):
        span = low.text.span(child)
        name = child.child_by_field_name("name") if child.type == "enum_assignment" else child
        value: Expr | None = Literal(span, following) if following is not None else None
        if child.type == "enum_assignment":
            value = low.expr(child.child_by_field_name("value"))
        following = _next(value)
        spelled = property_name(low.text, name)
        if name is None or spelled is None:
            yield from lower_statement(low, child)
        else:
            yield Assign(span, Name(low.text.span(name), spelled), value)


def _next(value: Expr | None) -> int | float | None:
    if isinstance(value, Literal) and isinstance(value.value, (int, float)) and not isinstance(value.value, bool):
        return value.value + 1
    return None


# ------------------------------------------------------------------------------------------------------------- recovery
def _left_over(low: Lowering, scope: tree_sitter.Node) -> tuple[Node, ...]:
    """What too deep or broken code kept from being lowered in its place."""
    if not scope.has_error and not low.lossy:
        return ()
    span, deep = low.text.span(scope), tuple(_deep(low))
    nested = (unformed(span, "nesting", deep),) if deep else ()
    broken = tuple(_broken(low, scope))
    return (*nested, unformed(span, "ERROR", broken)) if broken else nested


def _deep(low: Lowering) -> Iterator[Node]:
    """What was nested too deep, lowered for itself."""
    while low.cuts:
        yield from lower_statement(low, low.cuts.pop(0))


def _broken(low: Lowering, scope: tree_sitter.Node) -> Iterator[Node]:
    """Definitions that nothing reached, and what can be read where the grammar gave up."""
    stack = list(reversed(scope.named_children))
    while stack:
        node = stack.pop()
        if node.type in PRUNED or is_harmless(low.text, node):
            continue
        if node.id in low.definitions:
            found = low.definition(node) if node.id not in low.reached else None
            if found is not None:
                yield found
            continue
        if node.is_error and node.id not in low.reached:
            yield unreadable(low, node)
        stack.extend(reversed(code_of(node)))
