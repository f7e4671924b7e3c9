"""Tests for a limit that need not be given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.test_parts import ORDERED, has, joined_by, lacks
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable


def limits_in(comparisons: Iterable[ir.Operator]) -> frozenset[str]:
    """What may be a limit in these comparisons: what is compared with a number that is written is none."""
    sides = (side for c in comparisons for side in (c.operands, c.operands[::-1]))
    found = {dotted(limit) for limit, counted in sides if not isinstance(counted, ir.Literal)}
    return frozenset(found - {""})


def under_limit(test: ir.Expr) -> ir.Expr:
    """The comparison in `limit is None or count < limit`: it counts where a limit is given; any other test as it is."""
    parts = tuple(joined_by("or", test))
    comparisons = [part for part in parts if isinstance(part, ir.Operator) and part.op in ORDERED]
    others = [part for part in parts if part not in comparisons]
    limits = limits_in(comparisons)
    if len(comparisons) == 1 and others and all(left_out(part) in limits for part in others):
        return comparisons[0]
    return test


def left_out(part: ir.Expr) -> str:
    """What a test asks to be left out: `not limit`, `limit is None`; "" for another test."""
    asked = lacks(part)
    return "" if asked is None else dotted(asked)


def asked_for(part: ir.Expr) -> str:
    """What a test asks to be given at all: `limit`, `limit is not None`; "" for another test."""
    return dotted(has(part))
