"""Joins: code goes on when all of several tasks are done (`asyncio.gather`, `Promise.all`), however long one takes.

A join of what asks neither a model nor another machine is none: it computes. What is joined is read from the arguments,
and from the list that they name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.resilience import Wait, WaitKind
from agent_architecture.model.settings import Origin, written
from agent_architecture.names.exits import is_answer
from agent_architecture.names.in_place import in_place, looked_at
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.semantics.bounds.deadlines import deadline_around
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.makers import receivers
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.topics.waits.inner_runs import AGENT
from agent_architecture.semantics.topics.waits.locks import TIMEOUT, limited
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.settings import Setting
    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.semantics.loops.reached_work import Reached, Work
    from agent_architecture.semantics.matching.match import Match

DONE: Final = "as_completed"
NAMES: Final = ("gather", "all", "allSettled", DONE)
JOINING: Final = regex(
    r"^(?:py:(?:asyncio|anyio)[:.]gather|py:(?:asyncio|concurrent\.futures)[:.]as_completed|npm:globalThis:Promise\.(?:all|allSettled))$"
)
ADDING: Final = frozenset({"append", "push"})
ENDLESS: Final = ("py:requests:", "py:requests.")
"""A client that waits for good unless it is told otherwise (requests/adapters.py:HTTPAdapter.send, timeout=None)."""
CLIENTS: Final = "each request that it joins"


def joins(work: Work) -> Iterator[tuple[ir.Scope, Wait]]:
    """Every awaited join of requests and runs."""
    program = work.context.program
    for name in NAMES:
        for site in program.calls(name):
            paths = (api.path for api in resolved(program, site.call.callee))
            if _is_waited_for(program, site) and any(map(JOINING.search, paths)):
                reached = work.inside(*_joined(work, site.call))
                if reached.asks or reached.requests:
                    yield site.scope, _wait(work, site.scope, site.call, reached)


def _is_waited_for(program: Program, site: CallSite) -> bool:
    """Whether a join is awaited, by an asynchronous function itself or by who gets it as its answer; a loop over what
    is done waits for each.
    """
    parent = program.structure(site.scope).parent(site.call)
    if isinstance(parent, ir.Loop):
        return parent.source is site.call and callee_name(site.call.callee) == DONE
    if callee_name(site.call.callee) == DONE:
        return False
    is_given_back = isinstance(site.scope, ir.Function) and site.scope.is_async
    return isinstance(parent, ir.Await) or (is_given_back and parent is not None and is_answer(parent))


def _joined(work: Work, call: ir.Call) -> Iterator[ir.Node]:
    """What a join is given, and what its lists were made of."""
    program = work.context.program
    for argument in (*call.args, *_handed_to_helper(program, call)):
        yield argument.value
        for binding in visible_bindings(program, argument.value) if isinstance(argument.value, ir.Name) else ():
            if binding.value is not None:
                yield binding.value
            for other in program.structure(program.scope_of(binding.node)).calls:
                adds = isinstance(other.callee, ir.Member) and other.callee.name in ADDING
                if adds and isinstance(other.callee, ir.Member) and callee_name(other.callee.target) == binding.name:
                    yield from (each.value for each in other.args)


def _handed_to_helper(program: Program, call: ir.Call) -> Iterator[ir.Argument]:
    """What callers hand to a function that only joins."""
    for node, scope in looked_at(program, call, program.scope_of(call)):
        for made in in_place(program, node) if node is not call and isinstance(scope, ir.Function) else ():
            joined_here = made.value if isinstance(made, ir.Await) else made
            yield from joined_here.args if isinstance(joined_here, ir.Call) else ()


def _wait(work: Work, scope: ir.Scope, call: ir.Call, reached: Reached) -> Wait:
    if (given := _time_out(call)) is not None:
        return Wait(call.span, called(call), "", WaitKind.SIGNAL, written(TIMEOUT, given.span))
    return joined(work, scope, call, called(call), reached)


def joined(work: Work, scope: ir.Scope, node: ir.Node, symbol: str, reached: Reached) -> Wait:
    """A wait for tasks which do what was reached: theirs is its limit, where none stands around it."""
    wait = Wait(node.span, symbol, "", WaitKind.SIGNAL)
    around = deadline_around(work.context, node, scope)
    if around is not None and around.every_path:
        return wait._replace(time_limit=around.limit)
    if (ended := _told_to_end(work, reached)) is not None:
        return wait._replace(time_limit=ended)
    runs = [match for match in reached.asks if match.row.kind == "run"]
    if not all(_is_limited(work, match) for match in runs) or any(_is_endless(work, one) for one in reached.requests):
        return wait
    return wait._replace(ends=AGENT if runs else CLIENTS, by_clients=not runs)


def _told_to_end(work: Work, reached: Reached) -> Setting | None:
    """A time-out of the requests that are joined, if the project gives each of them one, or its client."""
    ends = [_end_of(work, call) for call in reached.requests]
    ends += [_end_of_model(work, match) for match in reached.asks]
    told = [end for end in ends if end is not None]
    return told[0] if told and len(told) == len(ends) else None


def _end_of(work: Work, request: ir.Call) -> Setting | None:
    """The time-out that a request is given, or the client that makes it: `httpx.AsyncClient(timeout=20)`."""
    apis = resolved(work.context.program, request.callee)
    clients = [one.node for api in apis for one in receivers(api) if isinstance(one.node, ir.Call)]
    given = next((end for call in (request, *clients) if (end := _time_out(call)) is not None), None)
    return written(TIMEOUT, given.span) if given is not None else None


def _end_of_model(work: Work, match: Match) -> Setting | None:
    """The time-out that a request to a model is given, or its client."""
    client = work.context.made(match.api, "model_client") if match.row.kind == "model_call" else None
    if match.row.kind == "run":
        return None
    limit = effective(work.context, match, "time_limit", *([client] if client is not None else []))
    is_written = limit.origin is Origin.WRITTEN and bool(limit.values) and None not in limit.values
    return limit if is_written else None


def _time_out(call: ir.Call) -> ir.Expr | None:
    """The time-out that a call is given; `None` gives it none."""
    given = next((argument.value for argument in call.args if argument.keyword == TIMEOUT), None)
    return None if isinstance(given, ir.Literal) and given.value is None else given


def _is_limited(work: Work, run: Match) -> bool:
    """Whether a run ends: after a time, or after a number of steps."""
    steps = effective(work.context, run, "step_limit", *run_agents(work.context, run))
    return limited(work, run) or any(isinstance(value, (int, float)) for value in steps.values)


def _is_endless(work: Work, request: ir.Call) -> bool:
    paths = (api.path for api in resolved(work.context.program, request.callee))
    return any(path.startswith(ENDLESS) for path in paths) and not any(a.keyword == TIMEOUT for a in request.args)
