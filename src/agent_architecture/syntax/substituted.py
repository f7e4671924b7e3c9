"""An expression in which others stand for names: what `keep(said, text)` does, read in `keep` as it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Mapping

_N = TypeVar("_N")


def substituted(node: _N, given: Mapping[str, ir.Expr]) -> _N:
    """A node with these expressions for the names; the node itself where it has none of them. Functions inside stay as
    they are: their names are their own.
    """
    kind = type(node)
    if kind is ir.Name:
        return given.get(node.id, node)  # type: ignore[attr-defined, return-value]
    if kind is tuple:
        parts = tuple(substituted(part, given) for part in node)  # type: ignore[attr-defined]
        return node if all(a is b for a, b in zip(parts, node, strict=True)) else parts  # type: ignore[call-overload, return-value]
    if kind not in ir.WITH_PARTS:
        return node
    fields: tuple[str, ...] = node._fields  # type: ignore[attr-defined]
    changed = {}
    for field in fields:
        value = getattr(node, field)
        new = substituted(value, given)
        if new is not value:
            changed[field] = new
    return node._replace(**changed) if changed else node  # type: ignore[attr-defined]
