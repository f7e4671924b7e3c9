"""Python's match statement to the IR: a pattern becomes the expression that it looks like.

Captures are `Name`, class patterns `Call`, `p as x` is `Assign`, `*rest` is `Spread`, alternatives inside a pattern are
the operator `|`; the alternatives of a whole case are its patterns, and `case _` has none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.syntax import ir
from agent_architecture.syntax.python_lowering import (
    Lowering,
    block,
    expression,
    expressions,
    kids,
    name_of,
    opaque,
    several,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node as Tree

    from agent_architecture.syntax.python_lowering import ExpressionHandler


def lower_match(low: Lowering, node: Tree) -> tuple[ir.Node, ...]:
    """A match statement."""
    subject = several(low, node.children_by_field_name("subject"))
    body = node.child_by_field_name("body")
    if subject is None or body is None:
        return (opaque(low, node),)
    cases = tuple([_case(low, child) for child in kids(low, body) if child.type == "case_clause"])
    rest = tuple([expression(low, child) for child in kids(low, body) if child.type != "case_clause"])
    return (ir.Match(low.text.span(node), subject, cases), *rest)


def _case(low: Lowering, node: Tree) -> ir.Case:
    trees = [child for child in kids(low, node) if child.type == "case_pattern"]
    patterns = expressions(low, trees)
    if len(trees) > 1 or any(child.type == "," for child in node.children):
        patterns = (ir.List(low.text.span(trees[0], trees[-1]), patterns, "tuple"),) if trees else ()
    elif trees:
        patterns = _alternatives(patterns[0])
    clause = node.child_by_field_name("guard")
    guards = [] if clause is None else kids(low, clause)
    return ir.Case(patterns, several(low, guards), block(low, node.child_by_field_name("consequence")))


def _alternatives(pattern: ir.Expr) -> tuple[ir.Expr, ...]:
    match pattern:
        case ir.Operator(op=ir.Op.BITOR, operands=operands):
            return operands
        case ir.Name(id="_"):
            return ()
    return (pattern,)


def _read(low: Lowering, node: Tree) -> list[ir.Expr]:
    """The expressions in a pattern node. The grammar has no nodes for a sign and for `_`."""
    found: list[ir.Expr] = []
    sign: Tree | None = None
    for child in node.children:
        if child.type == "_":
            found.append(ir.Name(low.text.span(child), "_"))
        elif child.is_named and child.kind_id not in low.tables.extras and not child.is_error:
            lowered = expression(low, child)
            found.append(lowered if sign is None else ir.Operator(low.text.span(sign, child), ir.Op.NEG, (lowered,)))
        sign = child if child.type == "-" else None
    return found


def _pattern(low: Lowering, node: Tree) -> ir.Expr:
    inner = _read(low, node)
    return inner[0] if len(inner) == 1 else ir.unformed(low.text.span(node), node.type, tuple(inner))


def _union(low: Lowering, node: Tree) -> ir.Expr:
    return ir.Operator(low.text.span(node), ir.Op.BITOR, tuple(_read(low, node)))


def _dotted(low: Lowering, node: Tree) -> ir.Expr:
    names = kids(low, node)
    if not names:
        return opaque(low, node)
    lowered: ir.Expr = name_of(low, names[0])
    for name in names[1:]:
        lowered = ir.Member(low.text.span(names[0], name), lowered, low.text.of(name), low.text.span(name))
    return lowered


def _class(low: Lowering, node: Tree) -> ir.Expr:
    parts = kids(low, node)
    if not parts:
        return opaque(low, node)
    arguments = tuple([_argument(low, part) for part in parts[1:]])
    return ir.Call(low.text.span(node), expression(low, parts[0]), arguments)


def _argument(low: Lowering, node: Tree) -> ir.Argument:
    """An argument of a class pattern. The grammar reads `key=p as x` as `(key=p) as x`."""
    inner = [] if node.has_error else kids(low, node)
    captured = kids(low, inner[0]) if len(inner) == 1 and inner[0].type == "as_pattern" else []
    named = _keyword(low, captured[0] if captured else node)
    if named is None:
        return ir.Argument(None, expression(low, node))
    name, value = named
    if captured:
        value = ir.Assign(low.text.span(inner[0]), expression(low, captured[-1]), value)
    return ir.Argument(name, value)


def _keyword(low: Lowering, node: Tree) -> tuple[str, ir.Expr] | None:
    inner = [] if node.has_error else kids(low, node)
    if len(inner) != 1 or inner[0].type != "keyword_pattern":
        return None
    _, *value = _read(low, inner[0])
    return (low.text.of(inner[0].named_children[0]), value[0]) if len(value) == 1 else None


def _splat(low: Lowering, node: Tree) -> ir.Expr:
    inner = kids(low, node)
    value = name_of(low, inner[0]) if inner else ir.Name(low.text.span(node.children[-1]), "_")
    return ir.Spread(low.text.span(node), value)


def _mapping(low: Lowering, node: Tree) -> ir.Expr:
    entries: list[ir.Entry] = []
    key: ir.Expr | None = None
    for part in _read(low, node):
        if key is not None:
            entries.append(ir.Entry(key, part))
            key = None
        elif isinstance(part, ir.Spread):
            entries.append(ir.Entry(None, part.value))
        else:
            key = part
    if key is not None:
        entries.append(ir.Entry(None, key))
    return ir.Map(low.text.span(node), tuple(entries))


def _complex(low: Lowering, node: Tree) -> ir.Expr:
    return ir.unformed(low.text.span(node), "number", ())


PATTERNS: Final[Mapping[str, ExpressionHandler]] = {
    "case_pattern": _pattern,
    "union_pattern": _union,
    "class_pattern": _class,
    "splat_pattern": _splat,
    "dict_pattern": _mapping,
    "complex_pattern": _complex,
    "dotted_name": _dotted,
}
