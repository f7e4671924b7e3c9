"""Tools whose code runs another agent and waits until it is done.

An agent's run comes to an end where its steps do; how long that takes, a limit of time says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.resilience import Wait, WaitKind
from agent_architecture.names.program import callee_name
from agent_architecture.semantics.bounds.deadlines import deadline_around
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.loops.reached_work import Work

FUTURE: Final = "create_future"
AGENT: Final = "the inner agent, whose steps are limited,"


def inner(work: Work, loops: Iterable[HandWritten]) -> Iterator[tuple[ir.Scope, Wait]]:
    """Every call in a tool's own code that runs an agent and waits: by a library, or by a function that is a
    hand-written agent's loop, or comes to one. A function that gives a worker its work and awaits a future waits there.
    """
    yield from _by_libraries(work)
    agents = {id(loop.scope): loop for loop in loops if loop.site is not None}
    program = work.context.program
    asked = {id(site.scope) for site in program.calls(FUTURE)}
    for function in {id(each): each for each in work.agents.code.values()}.values() if agents else ():
        structure = program.structure(function)
        for call in structure.calls:
            callees = tuple(program.callees(call))
            if not callees or not isinstance(structure.parent(call), ir.Await):
                continue
            if any(id(each) in asked for each in callees):
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


def _by_libraries(work: Work) -> Iterator[tuple[ir.Scope, Wait]]:
    """The runs of a library in tools; one that is not awaited in asynchronous code blocks, or is read as a stream."""
    context = work.context
    tools = {id(each) for each in work.agents.code.values()}
    for match in context.of_kind("run") if tools else ():
        scope = context.program.scope_of(match.node)
        if id(scope) not in tools or not isinstance(match.node, ir.Call) or not isinstance(scope, ir.Function):
            continue
        around = context.program.structure(scope).ancestors(match.node)
        if scope.is_async and not any(isinstance(node, ir.Await) for node in around):
            continue
        agents = run_agents(context, match)
        steps = effective(context, match, "step_limit", *agents)
        limit = effective(context, match, "time_limit", *agents)
        outer = deadline_around(context, match.node, scope)
        if outer is not None and outer.every_path and not any(value is not None for value in limit.values):
            limit = outer.limit
        ends = AGENT if any(isinstance(value, (int, float)) for value in steps.values) else ""
        wait = Wait(match.node.span, called(match.node), match.row.where.pack, WaitKind.SIGNAL, limit)
        yield scope, wait._replace(ends=ends, steps=steps)


def _run(work: Work, callees: tuple[ir.Function, ...]) -> Iterator[int]:
    """The ids of functions that a call runs."""
    yield from map(id, callees)
    for function in callees:
        yield from (id(each) for each, _ in extent(work.context.program, function.body, set()).called)
