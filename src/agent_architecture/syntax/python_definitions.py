"""Python's functions, lambdas and classes: what their `Function` and `Class` lower when they are first asked.

Knows headers (decorators, parameters, bases) and how a receiver gets its normal name. A header is code of the scope
that the definition stands in, a body is the definition's own.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final, Literal

from agent_architecture.records import NamedTuple
from agent_architecture.syntax import ir
from agent_architecture.syntax.python_expressions import call_arguments
from agent_architecture.syntax.python_lowering import (
    Lowering,
    Tables,
    block,
    expression,
    guarded,
    kids,
    opaque,
    too_deep,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node as Tree

_SPLATS: Final = {"list_splat_pattern": "*", "dictionary_splat_pattern": "**"}
_PLAIN: Final = frozenset({"typed_parameter", "default_parameter", "typed_default_parameter"})
_CLASS_RECEIVERS: Final = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})
"""Methods that get the class without a decorator (Data model, "Basic customization")."""

_RECEIVERS: Final = frozenset({"self", "cls", "mcs", "mcls", "metacls", "klass", "this", "_self", "_cls", "_"})
_MAKE_METHODS: Final = frozenset(
    {"classmethod", "property", "cached_property", "abstractmethod", "override", "overload", "setter", "deleter"}
)


class Header(NamedTuple):
    """The syntax of one definition. `outer` lowers what belongs to the scope around it, `inner` its body."""

    outer: Lowering
    inner: Lowering
    node: Tree
    decorators: tuple[Tree, ...]
    has_receiver: bool


class _Parameter(NamedTuple):
    """The syntax of one parameter."""

    node: Tree
    name: Tree | None
    kind: Literal["", "*", "**"]
    pattern: Tree | None
    default: Tree | None
    annotation: Tree | None


# ----------------------------------------------------------------------------------------------------------- parameters
def parameters_of(tables: Tables, node: Tree) -> Iterator[_Parameter]:
    """The parameters of a function or lambda, the receiver included, the bare `*` and `/` not."""
    listed = node.child_by_field_name("parameters")
    for child in [] if listed is None else listed.named_children:
        parameter = None if child.is_missing else _parameter(tables, child)
        if parameter is not None:
            yield parameter


def _parameter(tables: Tables, node: Tree) -> _Parameter | None:
    kind = node.type
    if kind == "identifier":
        return _Parameter(node, node, "", None, None, None)
    if kind not in _PLAIN and kind not in _SPLATS and kind != "tuple_pattern":
        return None
    default, annotation = node.child_by_field_name("value"), node.child_by_field_name("type")
    name: Tree | None = _named(tables, node) if kind in _PLAIN else node
    spread = _SPLATS.get(name.type, "") if name is not None else ""
    if name is not None and spread:
        inner = [child for child in name.named_children if child.type == "identifier"]
        name = inner[0] if inner else None
    if name is not None and name.type == "tuple_pattern":
        return _Parameter(node, None, "", name, default, _inner(tables, annotation))
    return _Parameter(node, name, _spread(spread), None, default, _inner(tables, annotation))


def _named(tables: Tables, node: Tree) -> Tree | None:
    name = node.child_by_field_name("name")
    if name is not None:
        return name
    typed = {*_SPLATS, "identifier"}
    return next(
        (child for child in node.named_children if child.type in typed and child.kind_id not in tables.extras), None
    )


def _spread(text: str) -> Literal["", "*", "**"]:
    return "**" if text == "**" else "*" if text else ""


def _inner(tables: Tables, node: Tree | None) -> Tree | None:
    if node is None:
        return None
    inner = [child for child in node.named_children if child.kind_id not in tables.extras and not child.is_error]
    return inner[0] if len(inner) == 1 and not inner[0].is_missing else None


def receiver_of(name: str, first: str | None, decorators: tuple[str, ...]) -> str | None:
    """The receiver of a function that stands in a class: `self`, `cls`, or None for a static method.

    A decorator that makes something else of a function gets it as it is written, so that one whose first parameter is
    not called as receivers are has none: `@tool def refund(order)`. Python's own decorators make methods.
    """
    if "staticmethod" in decorators or (
        first is not None and first not in _RECEIVERS and not _MAKE_METHODS.issuperset(decorators)
    ):
        return None
    return "cls" if "classmethod" in decorators or name in _CLASS_RECEIVERS else "self"


def first_parameter(low: Lowering, node: Tree) -> str | None:
    """The name of the parameter that gets the receiver; None if there is none, or only `*args`."""
    first = next(parameters_of(low.tables, node), None)
    if first is None or first.kind or first.name is None or _is_after_star(first.node):
        return None
    return low.text.of(first.name)


def _is_after_star(node: Tree) -> bool:
    before = node.prev_named_sibling
    return before is not None and before.type == "keyword_separator"


def inside(low: Lowering, node: Tree, receiver: str | None, first: str | None) -> Lowering:
    """The lowering of the body of a function: the receivers that are visible there, by the name that they have."""
    if not low.renames and first == receiver:
        return low
    renames = dict(low.renames)
    if renames:
        for parameter in parameters_of(low.tables, node):
            if parameter.name is not None:
                renames.pop(low.text.of(parameter.name), None)
    if receiver is not None and first is not None and first != receiver:
        renames[first] = receiver
    return low._replace(renames=renames)


# ------------------------------------------------------------------------------------------ what belongs to which scope
def header_trees(tables: Tables, node: Tree, *, has_receiver: bool) -> list[Tree]:
    """What the header of a definition lowers in the scope around it, decorators apart."""
    if node.type == "class_definition":
        bases = node.child_by_field_name("superclasses")
        return [] if bases is None else list(bases.named_children)
    found: list[Tree | None] = [_inner(tables, node.child_by_field_name("return_type"))]
    for parameter in islice(parameters_of(tables, node), 1 if has_receiver else 0, None):
        found += [parameter.pattern, parameter.default, parameter.annotation]
    return [tree for tree in found if tree is not None]


def definition_strays(tables: Tables, node: Tree, *, has_receiver: bool) -> list[Tree]:
    """The syntax errors between the parts of a header; they count as code of the definition."""
    if not node.has_error:
        return []
    body, bases = node.child_by_field_name("body"), node.child_by_field_name("superclasses")
    lowered = {tree.id for tree in (body, bases) if tree is not None}
    lowered.update(tree.id for tree in header_trees(tables, node, has_receiver=has_receiver))
    found: list[Tree] = []
    stack = list(node.named_children)
    while stack:
        child = stack.pop()
        if child.id in lowered:
            continue
        if child.is_error:
            found.append(child)
        elif child.has_error:
            stack.extend(child.named_children)
    return sorted(found, key=lambda error: error.start_byte)


# ------------------------------------------------------------------------------------------------------------ lowering
def function_parts(header: Header) -> ir.FunctionParts:
    """The header and body of a `def`."""
    node = header.node
    returns = _inner(header.outer.tables, node.child_by_field_name("return_type"))
    return ir.FunctionParts(
        _parameters(header),
        None if returns is None else guarded(header.outer, returns),
        _decorators(header),
        (*_strays(header), *block(header.inner, node.child_by_field_name("body"))),
    )


def lambda_parts(header: Header) -> ir.FunctionParts:
    """The parameters of a lambda, and its value as a `Return`."""
    value = header.node.child_by_field_name("body")
    body: tuple[ir.Node, ...] = _strays(header)
    if value is not None:
        body = (*body, ir.Return(header.inner.text.span(value), guarded(header.inner, value)))
    return ir.FunctionParts(_parameters(header), None, (), body)


def class_parts(header: Header) -> ir.ClassParts:
    """Bases, keywords, decorators and body of a class."""
    superclasses = header.node.child_by_field_name("superclasses")
    arguments: tuple[ir.Argument, ...] = ()
    if superclasses is not None:
        try:
            arguments = call_arguments(header.outer, superclasses)
        except RecursionError:
            arguments = (ir.Argument(None, too_deep(header.outer, superclasses)),)
    bases = [_base(argument) for argument in arguments if _is_base(argument)]
    keywords = tuple([argument for argument in arguments if not _is_base(argument)])
    body = (*_strays(header), *block(header.inner, header.node.child_by_field_name("body")))
    return ir.ClassParts(tuple(bases), keywords, _decorators(header), body)


def decorators_below(low: Lowering, node: Tree, whole: Tree) -> tuple[Tree, ...]:
    """What is put around a definition by the statements that follow it at once, `f = d(f)`, the outermost first.

    That is what `@d` above it says. They are noted in `low.applied`, and lowered with the definition.
    """
    name = node.child_by_field_name("name")
    found: tuple[Tree, ...] = ()
    following = _next(low, whole)
    while name is not None and following is not None:
        around = _applied(low, following, low.text.of(name))
        if not around:
            break
        low.applied.add(following.id)
        found = (*around, *found)
        following = _next(low, following)
    return found


def _next(low: Lowering, node: Tree) -> Tree | None:
    following = node.next_named_sibling
    while following is not None and following.kind_id in low.tables.extras:
        following = following.next_named_sibling
    return following


def _applied(low: Lowering, node: Tree, name: str) -> tuple[Tree, ...]:
    """The decorators of `f = a(b(f))`: `a` and `b`; none for any other statement."""
    inner = node.named_children if node.type == "expression_statement" and not node.has_error else []
    if len(inner) != 1 or inner[0].type != "assignment" or inner[0].child_by_field_name("type") is not None:
        return ()
    left, value = inner[0].child_by_field_name("left"), inner[0].child_by_field_name("right")
    if left is None or left.type != "identifier" or low.text.of(left) != name:
        return ()
    found: list[Tree] = []
    while value is not None and value.type == "call":
        callee, arguments = value.child_by_field_name("function"), value.child_by_field_name("arguments")
        given = kids(low, arguments) if arguments is not None and arguments.type == "argument_list" else []
        if callee is None or len(given) != 1:
            return ()
        found.append(callee)
        value = given[0]
    return tuple(found) if value is not None and value.type == "identifier" and low.text.of(value) == name else ()


def _is_base(argument: ir.Argument) -> bool:
    return argument.keyword is None and argument.spread != "**"


def _base(argument: ir.Argument) -> ir.Expr:
    return ir.Spread(argument.value.span, argument.value) if argument.spread else argument.value


def _decorators(header: Header) -> tuple[ir.Expr, ...]:
    return tuple([guarded(header.outer, decorator) for decorator in header.decorators])


def _strays(header: Header) -> tuple[ir.Node, ...]:
    if not header.inner.broken:
        return ()
    found = definition_strays(header.inner.tables, header.node, has_receiver=header.has_receiver)
    return tuple([opaque(header.inner, error) for error in found])


def _parameters(header: Header) -> tuple[ir.Parameter, ...]:
    found = islice(parameters_of(header.outer.tables, header.node), 1 if header.has_receiver else 0, None)
    return tuple([_lowered(header.outer, parameter, at) for at, parameter in enumerate(found)])


def _lowered(low: Lowering, parameter: _Parameter, position: int) -> ir.Parameter:
    default, annotation, pattern = parameter.default, parameter.annotation, parameter.pattern
    return ir.Parameter(
        f"_{position}" if parameter.name is None else low.text.of(parameter.name),
        low.text.span(parameter.node),
        None if default is None else guarded(low, default),
        None if annotation is None else guarded(low, annotation),
        parameter.kind,
        None if pattern is None else expression(low, pattern),
    )
