"""Tests for a limit that need not be given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.semantics.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable


def limits_in(comparisons: Iterable[ir.Operator]) -> frozenset[str]:
    """What may be a limit in these comparisons: what is compared with a number that is written is none."""
    sides = (side for c in comparisons for side in (c.operands, c.operands[::-1]))
    found = {dotted(limit) for limit, counted in sides if not isinstance(counted, ir.Literal)}
    return frozenset(found - {""})


def asked_for(part: ir.Expr) -> str:
    """What a test asks to be given at all: `limit`, `limit is not None`; "" for another test."""
    match part:
        case ir.Operator(op="not", operands=(ir.Operator(op="is", operands=(asked, ir.Literal(value=None))),)):
            return dotted(asked)
        case _:
            return dotted(part)
