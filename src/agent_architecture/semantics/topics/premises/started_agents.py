"""Agents written by hand that code starts with what others answered: `writer.run(f"Write about {scout.run(topic)}")`.

Says which starts there are and which ways of answers to them are another agent's; must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import flow
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.conversations.answers import NEW
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.semantics.conversations.answers import Answers
    from agent_architecture.semantics.conversations.requests import Requests
    from agent_architecture.semantics.loops.hand_written import HandWritten

WRAPPERS: Final = 8
"""Functions around a loop that hand their parameters on."""


class Tasked(NamedTuple):
    """A call that starts an agent, and where the answers begin that it is given."""

    call: ir.Call
    origins: tuple[flow.Origin, ...]


def tasked(program: Program, loops: Iterable[HandWritten], reader: Answers, requests: Requests) -> Iterator[Tasked]:
    """Each start of a hand-written agent that is told what another one answered."""
    written = [loop for loop in loops if loop.site is not None and isinstance(loop.scope, ir.Function)]
    starts = [(loop, site) for loop in written for site in _starts(program, loop)]
    for loop, site in starts:
        if id(site.call) in requests.by_call or _hands_on(program, site):
            continue  # it is decided elsewhere what the agent is told
        others = [other.call for _, other in starts if _is_another(program, site.call, other.call)]
        given = (origin for a in site.call.args for origin in flow.origins(program, a.value, reader))
        found = tuple(
            origin
            for origin in given
            if id(origin.node) in requests.by_call
            and NEW & origin.passed
            and (id(origin.node) not in loop.passes or any(_passes(origin, call) for call in others))
        )
        if found:
            yield Tasked(site.call, found)


def _starts(program: Program, loop: HandWritten) -> Iterator[CallSite]:
    """The calls from outside that start a loop; a function that hands its own parameter on stands for it."""
    inside = {id(loop.scope), *(id(function) for function, _ in loop.inside.called)}
    queue = [loop.scope] if isinstance(loop.scope, ir.Function) else []
    for function in queue:
        for site in program.callers(function):
            scope = site.scope
            if site.escapes or id(scope) in inside or id(site.call) in loop.passes:
                continue
            yield site
            if isinstance(scope, ir.Function) and _hands_on(program, site):
                queue += [scope] if scope not in queue and len(queue) < WRAPPERS else []


def _hands_on(program: Program, site: CallSite) -> bool:
    """Whether a call gives what the function around it was given, as it is."""
    names = (a.value for a in site.call.args if isinstance(a.value, ir.Name))
    return any(binding.kind == "parameter" for name in names for binding in visible_bindings(program, name))


def _is_another(program: Program, call: ir.Call, other: ir.Call) -> bool:
    """Whether two calls start two agents: other objects, or one call of each of many."""
    if not isinstance(call.callee, ir.Member) or not isinstance(other.callee, ir.Member):
        return call is not other
    one, second = call.callee.target, other.callee.target
    if dotted(one) and dotted(one) == dotted(second):
        return isinstance(one, ir.Name) and any(b.kind == "loop" for b in visible_bindings(program, one))
    return call is not other


def _passes(origin: flow.Origin, call: ir.Call) -> bool:
    """Whether an answer comes by way of a call."""
    return any(call.span.path == at.path and call.span.line <= at.line <= call.span.end_line for at in origin.trail)
