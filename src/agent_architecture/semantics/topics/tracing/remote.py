"""Calls to other machines in the code of tools, in the steps of graphs and in the passes of loops by hand. A request to
a model is none.

Says which they are and in whose code they lie; what records them is asked elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.records import NamedTuple
from agent_architecture.semantics.topics.remote.elsewhere import Elsewhere
from agent_architecture.semantics.topics.remote.services import Owners, grouped, service_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.semantics.loops.reached_work import Work


class Stretch(NamedTuple):
    """Code that one owner runs: all nodes that it reaches, and whose they are."""

    nodes: tuple[ir.Node, ...]
    owners: Owners


class RemoteCall(NamedTuple):
    """A call to another machine, the pack that says so, and the positions of the stretches that reach it."""

    node: ir.Call
    pack: str
    within: tuple[int, ...]


def remote_services(work: Work, stretches: tuple[Stretch, ...]) -> tuple[tuple[RemoteCall, ...], ...]:
    """The calls to other machines that these stretches reach: those of one owner that ask one service together, the
    first by position first.
    """
    together = grouped(
        remote_calls(work, stretches),
        lambda call: service_of(work.context.program, work.effects, call.node),
        lambda call: frozenset(span for number in call.within for span in stretches[number].owners),
    )
    return tuple(tuple(sorted(calls, key=lambda call: call.node.span)) for calls in together)


def remote_calls(work: Work, stretches: Iterable[Stretch]) -> tuple[RemoteCall, ...]:
    """Every such call that one of these stretches reaches, each once."""
    elsewhere = Elsewhere(work)
    found: dict[int, RemoteCall] = {}
    for number, stretch in enumerate(stretches):
        for node in stretch.nodes:
            if not isinstance(node, ir.Call) or work.context.at(node, "run", "model_call") is not None:
                continue
            known = found.get(id(node))
            pack = known.pack if known is not None else elsewhere.by(node)
            if pack is not None:
                within = known.within if known is not None else ()
                found[id(node)] = RemoteCall(node, pack, (*within, number))
    return tuple(found.values())
