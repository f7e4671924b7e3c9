"""Waits for what a person sends over a web socket, in the middle of an agent's work: whoever has gone sends nothing.

A route that reads one message after the other waits by design.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.resilience import Wait, WaitKind
from agent_architecture.semantics.bounds.deadlines import deadline_around
from agent_architecture.semantics.effects.socket_reads import RECEIVING
from agent_architecture.semantics.matching.context import called
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.loops.multi_user_code import Served
    from agent_architecture.semantics.loops.reached_work import Work


def sockets(work: Work, served: Served) -> Iterator[tuple[ir.Scope, Wait]]:
    """Every awaited message without a limit of time, outside of the routes that open sockets and of loops."""
    program = work.context.program
    for name in sorted(RECEIVING):
        for site in program.calls(name):
            scope, structure = site.scope, program.structure(site.scope)
            if not isinstance(scope, ir.Function) or not any(map(_is_await, structure.ancestors(site.call))):
                continue
            if served.answers(scope) or any(True for _ in structure.enclosing(site.call, ir.Loop)):
                continue
            around = deadline_around(work.context, site.call, scope)
            if around is None or not around.every_path:
                yield scope, Wait(site.call.span, called(site.call), "", WaitKind.SIGNAL)


def _is_await(node: ir.Node) -> bool:
    return isinstance(node, ir.Await)
