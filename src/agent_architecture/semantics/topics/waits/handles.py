"""Handles that are awaited by their names: of a task that was started before, and of a future that somebody else is to
fulfil.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.resilience import Wait, WaitKind
from agent_architecture.names.in_place import looked_at
from agent_architecture.regexes import regex
from agent_architecture.semantics.bounds.deadlines import deadline_around
from agent_architecture.semantics.callgraph.endings import going_on
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.topics.waits.joins import joined
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.loops.reached_work import Work

NAMES: Final = ("create_task", "ensure_future", "create_future")
STARTS: Final = regex(r"^py:asyncio[:.](?:[\w.()]+\.)?(?:create_task|ensure_future)$")
FUTURE: Final = regex(r"^py:asyncio[:.](?:[\w.()]+\.)?create_future$")
CANCEL: Final = "cancel"


def handles(work: Work) -> Iterator[tuple[ir.Scope, Wait]]:
    """Every such wait in the function that made the handle."""
    program = work.context.program
    for name in NAMES:
        for site in program.calls(name):
            for node, scope in looked_at(program, site.call, site.scope):
                made = program.structure(scope).parent(node)
                if isinstance(made, ir.Assign) and isinstance(made.target, ir.Name):
                    yield from _of(work, site.call, scope, made, made.target.id)


def _of(work: Work, call: ir.Call, scope: ir.Scope, made: ir.Assign, name: str) -> Iterator[tuple[ir.Scope, Wait]]:
    """The waits for what a call made, which a function keeps under a name."""
    paths = [api.path for api in resolved(work.context.program, call.callee)]
    for owner, waited in _awaited(work.context.program, scope, made):
        if any(FUTURE.search(path) for path in paths):
            yield owner, _of_future(work, owner, waited, name)
        elif any(STARTS.search(path) for path in paths):
            reached = work.inside(*(argument.value for argument in call.args))
            if reached.asks or reached.requests:
                yield owner, joined(work, owner, waited, name, reached)


def _awaited(program: Program, scope: ir.Scope, made: ir.Assign) -> Iterator[tuple[ir.Scope, ir.Node]]:
    """Where a handle is awaited alone, that nobody cancelled before: in its own function, or in one that ends it."""
    name, is_cancelled = dotted(made.target), False
    for each in going_on(program, scope):
        if each is not scope and name not in program.bindings(each):
            continue  # it is not handed on
        structure = program.structure(each)
        cancelled = [call.span for call in structure.calls if dotted(call.callee) == f"{name}.{CANCEL}"]
        for node in structure.nodes:
            is_it = isinstance(node, ir.Await) and isinstance(node.value, ir.Name) and node.value.id == name
            is_later = each is not scope or made.span < node.span
            if is_it and is_later and not is_cancelled and not any(span < node.span for span in cancelled):
                yield each, node
        is_cancelled = is_cancelled or bool(cancelled)


def _of_future(work: Work, scope: ir.Scope, waited: ir.Node, name: str) -> Wait:
    wait = Wait(waited.span, name, "", WaitKind.SIGNAL)
    around = deadline_around(work.context, waited, scope)
    return wait._replace(time_limit=around.limit) if around is not None and around.every_path else wait
