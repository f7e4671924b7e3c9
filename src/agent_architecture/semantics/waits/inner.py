"""Tools whose code runs another agent and waits until it is done.

An agent's run comes to an end where its steps do; how long that takes, a limit of time says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.resilience import Wait, WaitKind
from agent_architecture.names.program import callee_name
from agent_architecture.semantics.context import called
from agent_architecture.semantics.lifters.deadlines import deadline_around
from agent_architecture.semantics.reach import extent
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.semantics.lifters.loops import HandWritten
    from agent_architecture.semantics.work import Work

AGENT: Final = "the inner agent, whose steps are limited,"


def inner(work: Work, loops: Iterable[HandWritten]) -> Iterator[tuple[ir.Scope, Wait]]:
    """Every awaited call in a tool's own code whose function is a hand-written agent's loop, or comes to one."""
    agents = {id(loop.scope): loop for loop in loops if loop.site is not None}
    program = work.context.program
    for function in {id(each): each for each in work.agents.code.values()}.values() if agents else ():
        structure = program.structure(function)
        for call in structure.calls:
            callees = tuple(program.callees(call))
            if not callees or not isinstance(structure.parent(call), ir.Await):
                continue
            found = next((agents[key] for key in _run(work, callees) if key in agents), None)
            if found is None or found.scope is function:
                continue
            around = deadline_around(work.context, call, function)
            ends = AGENT if found.path.bounds else ""
            wait = Wait(call.span, called(call) or callee_name(call.callee), "", WaitKind.SIGNAL, ends=ends)
            if around is not None and around.every_path:
                wait = wait._replace(time_limit=around.limit)
            yield function, wait


def _run(work: Work, callees: tuple[ir.Function, ...]) -> Iterator[int]:
    """The ids of functions that a call runs."""
    yield from map(id, callees)
    for function in callees:
        yield from (id(each) for each, _ in extent(work.context.program, function.body, set()).called)
