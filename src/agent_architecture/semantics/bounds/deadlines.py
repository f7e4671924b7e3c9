"""Deadlines that code sets around something: `async with timeout(60):`, `wait_for(agent.run(…), 60)`.

A pack row names the call that sets one; that it lies on every way to a loop or run, callers included, is structure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.system import Bound, BoundKind
from agent_architecture.semantics.callgraph.callers import on_ways
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

CALLS: Final = 60
"""Calls above a place that are looked at; with more of them it is not known that each has a deadline."""


def deadline_around(context: Context, node: ir.Node, scope: ir.Scope) -> Bound | None:
    """The deadline on the ways to a place, through the callers of its function; the longest where there are several.

    `every_path` is false where a caller sets none. None where no way has one.
    """
    matches, every_path = on_ways(context.program, node, scope, lambda place, owner: _around(context, place, owner))
    found = [(match, effective(context, match, "time_limit")) for match in matches]
    if not found:
        return None
    match, limit = max(found, key=lambda each: (not each[1].is_known, each[1].highest, each[0].node.span))
    return Bound(BoundKind.DEADLINE, match.node.span, limit, every_path)


def _around(context: Context, node: ir.Node, scope: ir.Scope) -> Match | None:
    """The deadline that is set around a node in its own function."""
    for around in context.program.structure(scope).ancestors(node):
        if isinstance(around, ir.Call):
            setters: tuple[ir.Expr, ...] = (around,)
        elif isinstance(around, ir.With) and not any(item.value.span.contains(node.span) for item in around.items):
            setters = tuple(item.value for item in around.items)
        else:
            continue
        match = next((m for setter in setters if (m := context.at(setter, "deadline")) is not None), None)
        if match is not None:
            return match
    return None
