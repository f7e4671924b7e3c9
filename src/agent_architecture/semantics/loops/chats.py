"""Loops in which a person and a model take turns: what a person types comes between two passes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import flow
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api
from agent_architecture.semantics.callgraph.callers import on_ways
from agent_architecture.semantics.callgraph.reach import Extent
from agent_architecture.semantics.effects.calls import given_to
from agent_architecture.semantics.effects.socket_reads import RECEIVING
from agent_architecture.semantics.loops.tool_choices import dispatches
from agent_architecture.semantics.matching.picked_tools import picks
from agent_architecture.semantics.taint.access_paths import changed, owner_of, places_at
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.loops.loop_path import Path
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.taint.access_paths import Place

THROUGH: Final = 3
"""Functions through which what a person types is given back."""
RUNNING: Final = frozenset({"execute_shell", "execute_process", "execute_code"})


def is_chat(context: Context, path: Path) -> bool:
    """Whether a person types between the passes of a loop; what is typed in a recursion has to come to its model, or it
    is for something else: to sign in.
    """
    typed = persons_in(context, _beside_the_model(context.program, path))
    if isinstance(path.node, ir.Loop):
        return any(True for _ in typed)
    return not dispatches(path.members) and not all(_is_kept_from(context.program, path, call) for call in typed)


def _is_kept_from(program: Program, path: Path, typed: ir.Node) -> bool:
    """Whether what a person types only comes to names that the model is not asked with, through functions that give it
    back.
    """

    def is_kept(place: ir.Node, owner: ir.Scope) -> bool | None:
        around = program.structure(owner).parent(place)
        while isinstance(around, ir.Await):
            place, around = around, program.structure(owner).parent(around)
        if isinstance(around, ir.Assign) and isinstance(around.target, ir.Name) and around.value is place:
            return path.asked.isdisjoint((*places_at(program, around.target), *_told(program, owner, around.target)))
        return None if any(place is given for given in program.structure(owner).returns) else False

    kept, everywhere = on_ways(program, typed, program.scope_of(typed), is_kept, THROUGH)
    return everywhere and all(kept)


def _told(program: Program, scope: ir.Scope, name: ir.Name) -> Iterator[Place]:
    """The places of a scope that are changed by what mentions a name."""
    for place, node in changed(program, program.structure(scope).nodes):
        if any(isinstance(each, ir.Name) and each.id == name.id for each in ir.walk(node)):
            yield place


def _beside_the_model(program: Program, path: Path) -> Iterator[ir.Node]:
    """What a pass runs besides what can stand in for the model: of a call that reaches the model in one class and a
    person in another (`self.model.query(…)`), only the first.
    """
    inside = {id(function): nodes for function, nodes in path.extent.called}
    queue, seen = [path.extent.own], set[int]()
    for nodes in queue:
        yield from nodes
        for call in (node for node in nodes if isinstance(node, ir.Call)):
            run = [function for function in program.callees(call) if id(function) in inside]
            asking = [function for function in run if id(function) in path.ways]
            for function in asking or run:
                if id(function) not in seen:
                    seen.add(id(function))
                    queue.append(inside[id(function)])


def asks_itself(context: Context, path: Path, agents: list[Path]) -> bool:
    """Whether a chat is an agent, too: it asks the model outside of the agents' loops inside it, and runs tools or what
    the model answered. Where an agent's loop stands in its pass, a first request before that loop is a turn of the loop
    (`calls = first.tool_calls; while calls: …`), unless the chat works through its tools outside.
    """
    inside = frozenset[int]().union(*(agent.passes for agent in agents))
    asks = frozenset(id(ask.node) for ask in path.asks) - inside
    members = _without_asides(context.program, path, asks)
    asks -= {id(node) for node in path.members.nodes()} - {id(node) for node in members.nodes()}
    runs_tools = _works_through_picks if agents else dispatches
    return bool(asks) and (runs_tools(members) or _runs_answers(context, members, asks))


def _without_asides(program: Program, path: Path, asks: frozenset[int]) -> Extent:
    """What a pass runs, but for functions that ask and run what was picked for themselves: they give nothing back, and
    add nothing to the conversation (`/summary` of a chat).
    """

    def is_aside(function: ir.Function, nodes: tuple[ir.Node, ...]) -> bool:
        own = Extent(nodes, ())
        if asks.isdisjoint(map(id, nodes)) or not _works_through_picks(own) or program.structure(function).returns:
            return False
        kept = (place for place, _ in changed(program, nodes) if place[0] != owner_of(function))
        return path.asked.isdisjoint(kept)

    called = tuple(each for each in path.members.called if not is_aside(*each))
    return Extent(path.members.own, called)


def _works_through_picks(inside: Extent) -> bool:
    """Whether the extent has a loop over what the model picked."""
    loops = (node for node in inside.nodes() if isinstance(node, ir.Loop))
    return any(loop.source is not None and picks(loop.source) for loop in loops)


def _runs_answers(context: Context, inside: Extent, asks: frozenset[int]) -> bool:
    """Whether the extent starts a process, or runs program text, with what one of these model calls answered."""
    for call in (node for node in inside.nodes() if isinstance(node, ir.Call)):
        for _, written in given_to(context, call, RUNNING):
            if any(id(origin.node) in asks for origin in flow.ends(context.program, written)):
                return True
    return False


def person_in(context: Context, nodes: Iterable[ir.Node]) -> ir.Call | None:
    """The first call that waits for what a person types or sends over a socket, of these nodes."""
    return next(persons_in(context, nodes), None)


def persons_in(context: Context, nodes: Iterable[ir.Node]) -> Iterator[ir.Call]:
    """All of them."""
    for node in nodes:
        if isinstance(node, ir.Call):
            values = context.program.value_of(node.callee)
            waits = any(isinstance(value, Api) and _waits(context, value) for value in values)
            if waits or callee_name(node.callee) in RECEIVING:
                yield node


def _waits(context: Context, callee: Api) -> bool:
    return any(mark.covers == "waits_for_person" for mark in context.packs.marks(callee.path))
