"""Parts of a binding: where it stands, why its list may hold more, and which guards can refuse its calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.effects import GuardStage
from agent_architecture.names.values import Entries, Items, Unknown
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.model.effects import Guard
    from agent_architecture.names.values import Value
    from agent_architecture.sources.source import Span


def where(call: ir.Node, expr: ir.Expr, *, later: bool) -> Span:
    """Where an element of a list is bound: on its own line inside the call, else where the call stands."""
    if isinstance(expr, ir.Function) and later:
        return expr.name_span
    return expr.span if later or call.span.contains(expr.span) else call.span


def why_open(value: Value) -> str:
    """Why a list of tools may hold more than is listed; "" when it does not."""
    match value:
        case Unknown():
            return value.why
        case Items() | Entries() if not value.complete:
            return "a list that is only complete at run time"
        case _:
            return ""


def refusing(guards: Iterable[Guard]) -> tuple[Guard, ...]:
    """The guards that can refuse a call before the tool runs."""
    found = {(g.span, g.symbol): g for g in guards if g.blocks and g.stage is GuardStage.PRE_TOOL}
    return tuple(found[key] for key in sorted(found))
