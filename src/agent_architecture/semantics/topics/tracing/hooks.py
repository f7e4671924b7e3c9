"""The project's own functions that a library calls at every step of a run: hooks, methods of a callback object.

Knows where a run or its agent is handed them, not what they do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.values import Func, Instance, Items
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.packs.addresses import Address
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.values import Value
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match


def hooks(context: Context, run: Match) -> tuple[ir.Function, ...]:
    """The functions that are called while this runs, each once. Of an object, all of its methods: one writes for
    another.
    """
    own = context.all_at(run.node, "agent")
    found = {id(f): f for match in (run, *own, *run_agents(context, run)) for f in registered_hooks(context, match)}
    return tuple(found.values())


def registered_hooks(context: Context, match: Match) -> Iterator[ir.Function]:
    """Those that one call is handed."""
    address = match.row.relations.get("callbacks")
    places = (Address((steps,)) for steps in address.alternatives) if address is not None else ()
    reads = (at_call(context.program, match.arguments, match.api.receiver, place) for place in places)
    for each in (one for read in reads for value in read.values for one in _unfolded(context, value)):
        if isinstance(each, Instance):
            yield from _methods(each.cls)
        elif isinstance(each, Func):
            outer = each.function.outer
            yield from _methods(outer) if isinstance(outer, ir.Class) else (each.function,)


def _unfolded(context: Context, value: Value) -> Iterator[Value]:
    yield value
    for item in value.items if isinstance(value, Items) else ():
        yield from context.program.value_of(item)


def _methods(cls: ir.Class) -> Iterator[ir.Function]:
    return (node for node in cls.body if isinstance(node, ir.Function) and node.name != "__init__")
