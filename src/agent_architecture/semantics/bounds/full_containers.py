"""Containers that take nothing more once they are full: all code that adds to one first asks how long it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import written
from agent_architecture.names.test_parts import lacks
from agent_architecture.semantics.bounds.trims import Trim, is_length, size_of
from agent_architecture.semantics.control.condition import Either
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from agent_architecture.names.mutations import Change
    from agent_architecture.semantics.control.condition import Condition, Known
    from agent_architecture.semantics.matching.context import Context

BELOW: Final = frozenset({ir.Op.LT, ir.Op.LE})
ABOVE: Final = frozenset({ir.Op.GT, ir.Op.GE, ir.Op.EQ})
REJECT: Final = "reject"
"""What happens to what comes when a container is full."""


def stops_when_full(
    context: Context, changes: Iterable[Change], is_it: Callable[[ir.Expr | None], bool]
) -> Trim | None:
    """The length at which nothing more is added, where every change that may add an entry stands under a test of it."""
    limits = [_limit(context, change, is_it) for change in changes]
    found = [limit for limit in limits if limit is not None]
    if not found or len(found) < len(limits):
        return None
    return Trim(size_of(context.program, found[0]), written(REJECT, found[0].span))


def _limit(context: Context, node: ir.Node, is_it: Callable[[ir.Expr | None], bool]) -> ir.Expr | None:
    """What the length is less than on every way to a node: in its own function, or wherever that is called."""
    conditions = conditions_of(context)
    here = _least(conditions.at(node), is_it)
    scope = context.program.scope_of(node)
    if here is not None or not isinstance(scope, ir.Function):
        return here
    asked = [_least(conditions.at(site.call), is_it) for site in context.program.callers(scope)]
    return asked[0] if asked and all(limit is not None for limit in asked) else None


def _least(known: Known, is_it: Callable[[ir.Expr | None], bool]) -> ir.Expr | None:
    """The limit that one of the conditions says, or one of several ways whose others find the entry there already."""
    for part in known:
        if isinstance(part, Either):
            limits = [_least(way, is_it) for way in part.ways if not any(_is_there(each, is_it) for each in way)]
            limit = limits[0] if limits and all(each is not None for each in limits) else None
        else:
            limit = _said(part, is_it)
        if limit is not None:
            return limit
    return None


def _said(condition: Condition, is_it: Callable[[ir.Expr | None], bool]) -> ir.Expr | None:
    """`n` where `len(x) < n` holds, or `len(x) >= n` does not."""
    match condition.expr:
        case ir.Operator(op=op, operands=(left, right)) if is_length(left, is_it):
            says = (op in BELOW) if condition.holds else (op in ABOVE)
            return right if says else None
        case ir.Operator(op=op, operands=(left, right)) if is_length(right, is_it):
            says = (op in ABOVE - {ir.Op.EQ}) if condition.holds else (op in BELOW | {ir.Op.EQ})
            return left if says else None
        case _:
            return None


def _is_there(part: Condition | Either, is_it: Callable[[ir.Expr | None], bool]) -> bool:
    """Whether a condition says that the entry is there: `key in x`, `x.has(key)`."""
    if isinstance(part, Either):
        return False
    missing = lacks(part.expr)
    asked, says = (part.expr, True) if missing is None else (missing, False)
    match asked:
        case ir.Operator(op=ir.Op.IN, operands=(_, held)) | ir.Call(callee=ir.Member(name="has", target=held)):
            return part.holds is says and is_it(held)
        case _:
            return False
