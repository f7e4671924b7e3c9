"""Model calls that a step of a graph makes for each of many things: `for report in reports: model.invoke(report)`.

No agent's loop, for nothing goes back; but a provider that is down is asked as often as there are things.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.program import callee_name
from agent_architecture.semantics.callgraph.reach import loops_around
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.semantics.callgraph.call_paths import Ways
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match


def asked_for_each(context: Context, steps: Iterable[ir.Function]) -> Iterator[tuple[ir.Call, Match, ir.Loop]]:
    """The model calls in loops over things that steps of graphs come to, each with its loop."""
    own = {id(function) for function in steps}
    calls = (
        {id(m.node): (m.node, m) for m in context.of_kind("model_call") if isinstance(m.node, ir.Call)} if own else {}
    )
    around = loops_around(context.program, [(call, context.program.scope_of(call)) for call, _ in calls.values()])
    for loop, scope, steps_inside in around.loops:
        if _is_over_things(loop) and _is_reached(around.ways, scope, own):
            below = around.ways.below(steps_inside)
            yield from ((*calls[id(step.node)], loop) for step in below if id(step.node) in calls)


def _is_over_things(loop: ir.Loop) -> bool:
    """Whether a loop goes over what there is; one that counts makes another try, or another step."""
    counts = isinstance(loop.source, ir.Call) and callee_name(loop.source.callee) == "range"
    return loop.kind == "each" and loop.source is not None and not counts


def _is_reached(ways: Ways, scope: ir.Scope, own: set[int]) -> bool:
    """Whether one of these functions comes to a scope."""
    callers = ways.callers(frozenset())
    queue, seen = [id(scope)], {id(scope)}
    for each in queue:  # grows
        if each in own:
            return True
        new = callers.get(each, set()) - seen
        seen |= new
        queue.extend(new)
    return False
