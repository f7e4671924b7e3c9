"""Python's type annotations to the IR: the expressions that they look like.

Knows tree-sitter-python's nodes for types: `list[int]`, `A | B` and `a.B` have kinds of their own there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.syntax import ir
from agent_architecture.syntax.python_lowering import Lowering, expression, expressions, kids, only, opaque, several

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node as Tree

    from agent_architecture.syntax.python_lowering import ExpressionHandler


def annotation(low: Lowering, node: Tree | None) -> ir.Expr | None:
    """The type in a `type` node."""
    inner = None if node is None else only(low, node)
    return None if inner is None else expression(low, inner)


def _type(low: Lowering, node: Tree) -> ir.Expr:
    inner = only(low, node)
    return opaque(low, node) if inner is None else expression(low, inner)


def _generic(low: Lowering, node: Tree) -> ir.Expr:
    parts = kids(low, node)
    if len(parts) != 2:  # noqa: PLR2004 - the type and its parameters
        return opaque(low, node)
    target, parameters = parts
    key = several(low, kids(low, parameters))
    return opaque(low, node) if key is None else ir.Index(low.text.span(node), expression(low, target), key)


def _union(low: Lowering, node: Tree) -> ir.Expr:
    return ir.Operator(low.text.span(node), ir.Op.BITOR, expressions(low, kids(low, node)))


def _member_type(low: Lowering, node: Tree) -> ir.Expr:
    parts = kids(low, node)
    if len(parts) != 2:  # noqa: PLR2004 - the type and the name
        return opaque(low, node)
    return ir.Member(low.text.span(node), expression(low, parts[0]), low.text.of(parts[1]), low.text.span(parts[1]))


TYPES: Final[Mapping[str, ExpressionHandler]] = {
    "type": _type,
    "generic_type": _generic,
    "union_type": _union,
    "member_type": _member_type,
}
