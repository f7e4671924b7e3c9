"""Calls to other machines in the code of tools, in the steps of graphs and in the passes of loops by hand. A request to
a model is none.

Says which they are and in whose code they lie; what records them is asked elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.records import NamedTuple
from agent_architecture.semantics.topics.remote.elsewhere import Elsewhere
from agent_architecture.semantics.topics.remote.services import Owners, grouped, holders, service_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.tracing import Recording
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.loops.reached_work import Work


class Stretch(NamedTuple):
    """Code that one owner runs: all nodes that it reaches, whose they are, and what records them."""

    nodes: tuple[ir.Node, ...]
    owners: Owners
    recordings: tuple[Recording, ...] = ()


class RemoteCall(NamedTuple):
    """A call to another machine, the pack that says so, and the stretches that reach it."""

    node: ir.Call
    pack: str
    within: tuple[Stretch, ...]


def of_functions(work: Work, functions: Iterable[tuple[ir.Function, tuple[Recording, ...]]]) -> Iterator[Stretch]:
    """The code of functions, each with what records it; it is their own, and of the agents that have them as tools."""
    held = holders(work.context.program, work.agents)
    for function, recordings in functions:
        whose = frozenset((ir.place_of(function), *held.get(id(function), ())))
        yield Stretch(work.inside(*function.body).nodes, whose, recordings)


def of_loop(loop: HandWritten, recordings: Iterable[Recording]) -> Stretch:
    """The passes of a loop by hand."""
    return Stretch(tuple(loop.inside.nodes()), frozenset({loop.path.span, ir.place_of(loop.scope)}), tuple(recordings))


def remote_services(work: Work, stretches: tuple[Stretch, ...]) -> tuple[tuple[RemoteCall, ...], ...]:
    """The calls to other machines that these stretches reach: those of one owner that ask one service together, the
    first by position first.
    """
    together = grouped(
        remote_calls(work, stretches),
        lambda call: service_of(work.context.program, work.effects, call.node),
        lambda call: frozenset(span for each in call.within for span in each.owners),
    )
    return tuple(tuple(sorted(calls, key=lambda call: call.node.span)) for calls in together)


def remote_calls(work: Work, stretches: Iterable[Stretch]) -> tuple[RemoteCall, ...]:
    """Every such call that one of these stretches reaches, or that runs whatever tool a model picked, each once."""
    elsewhere = Elsewhere(work)
    found: dict[int, RemoteCall] = {}
    for stretch in stretches:
        for node in stretch.nodes:
            if not isinstance(node, ir.Call) or work.context.at(node, "run", "model_call") is not None:
                continue
            known = found.get(id(node))
            pack = known.pack if known is not None else elsewhere.by(node)
            if pack is not None:
                found[id(node)] = RemoteCall(node, pack, (*(known.within if known is not None else ()), stretch))
    for call in elsewhere.chosen():
        pack = elsewhere.by(call) if id(call) not in found else None
        if pack is not None:
            found[id(call)] = RemoteCall(call, pack, (Stretch((call,), frozenset({call.span})),))
    return tuple(found.values())
