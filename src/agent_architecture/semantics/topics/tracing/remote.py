"""Calls to other machines in the code of tools and in the steps of graphs. A request to a model is none.

Says which they are and in whose code they lie; what records them is asked elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.records import NamedTuple
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.topics.remote.services import grouped, holders, service_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.semantics.loops.reached_work import Work

SENDING: Final = frozenset({"network_read", "network_write", "mail", "message", "payment"})
"""Effects of a call that goes over the network whatever it is given."""
WEB: Final = "web"


class RemoteCall(NamedTuple):
    """A call to another machine, the pack that says so, and the positions of the functions that reach it."""

    node: ir.Call
    pack: str
    within: tuple[int, ...]


def remote_services(work: Work, functions: tuple[ir.Function, ...]) -> tuple[tuple[RemoteCall, ...], ...]:
    """The calls to other machines that these functions reach: those of one agent that ask one service together, the
    first by position first.
    """
    held = holders(work.context.program, work.agents)
    whose = [frozenset((ir.place_of(function), *held.get(id(function), ()))) for function in functions]
    together = grouped(
        remote_calls(work, functions),
        lambda call: service_of(work.context.program, work.effects, call.node),
        lambda call: frozenset(span for number in call.within for span in whose[number]),
    )
    return tuple(tuple(sorted(calls, key=lambda call: call.node.span)) for calls in together)


def remote_calls(work: Work, functions: Iterable[ir.Function]) -> tuple[RemoteCall, ...]:
    """Every such call that one of these functions reaches, each once."""
    found: dict[int, RemoteCall] = {}
    for number, function in enumerate(functions):
        for node in work.inside(*function.body).nodes:
            if not isinstance(node, ir.Call) or work.context.at(node, "run", "model_call") is not None:
                continue
            pack = next(_packs(work, node), None)
            if pack is not None:
                known = found.setdefault(id(node), RemoteCall(node, pack, ()))
                found[id(node)] = known._replace(within=(*known.within, number))
    return tuple(found.values())


def _packs(work: Work, call: ir.Call) -> Iterator[str]:
    """The packs that say of a call that it goes over the network, or fetches from the web."""
    yield from (row.where.pack for row, _ in work.effects.rows(call) if row.effect in SENDING)
    for api in resolved(work.context.program, call.callee):
        yield from (
            row.where.pack for row in work.context.packs.flows(api.path) if row.name == WEB and row.argument is None
        )
