"""Loops that ask a peer for a task until it is over."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.peers import TaskPoll
from agent_architecture.names.in_place import called_from
from agent_architecture.names.pauses import may_pause, where_pauses_stand
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.test_parts import ORDERED
from agent_architecture.names.values import Items
from agent_architecture.regexes import regex
from agent_architecture.semantics.topics.peers.events import OVER, STATES, normal
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.semantics.matching.context import Context

ASKING: Final = ("get_task", "getTask")
SPEAKS: Final = regex(rb"\ba2a\b|@a2a-js|a2a_|A2A")
TERMINAL: Final = regex(r"terminal|final_states|is_final|isFinal|finished", re.IGNORECASE)
CLOCKS: Final = regex(r"time|deadline|attempt|retries|elapsed|monotonic|polls?$|max", re.IGNORECASE)


def task_polls(context: Context) -> tuple[TaskPoll, ...]:
    """Every such loop, once."""
    found: dict[int, TaskPoll] = {}
    for name in ASKING:
        for site in context.program.calls(name):
            file = context.program.table.file(site.call.span.path)
            if file is None or not SPEAKS.search(file.data):
                continue
            loop = next(_around(context.program, site), None)
            if loop is None or not _waits(context.program, loop):
                continue
            if loop.kind in {"while", "do"}:
                found[id(loop)] = _poll(context, loop, name)
            elif loop.kind == "for" or _is_range(loop):
                found[id(loop)] = _poll(context, loop, name)._replace(limited=True)
    return tuple(sorted(found.values(), key=lambda poll: poll.span))


def _around(program: Program, site: CallSite) -> Iterator[ir.Loop]:
    """The loops around a call, or around those of a helper that makes it."""
    for node, scope in called_from(program, site.call, site.scope):
        yield from program.structure(scope).enclosing(node, ir.Loop)


def _waits(program: Program, loop: ir.Loop) -> bool:
    """Whether a loop goes round for the task's sake: it asks for its state, or pauses between questions."""
    if any(map(may_pause, where_pauses_stand(program, ir.walk(loop)))):
        return True
    tested = ir.walk(loop.test) if loop.test is not None else ()
    return any(isinstance(node, ir.Member) and node.name in {"state", "status"} for node in tested)


def _is_range(loop: ir.Loop) -> bool:
    items = next(
        (
            node
            for node in (ir.walk(loop.source) if loop.source is not None else ())
            if isinstance(node, ir.Call) and callee_name(node.callee) == "range"
        ),
        None,
    )
    return items is not None


def _listed(context: Context, nodes: Iterable[ir.Node]) -> Iterator[ir.Node]:
    """What stands in the lists that some of the nodes name: `ENDS.includes(state)`."""
    for node in nodes:
        for value in context.program.value_of(node) if isinstance(node, ir.Name) else ():
            if isinstance(value, Items):
                yield from ir.walk(*value.items)


def _poll(context: Context, loop: ir.Loop, name: str) -> TaskPoll:
    states: set[str] = set()
    limited = False
    asked = [
        function for node in ir.walk(loop) if isinstance(node, ir.Call) for function in context.program.callees(node)
    ]
    read = (*ir.walk(loop), *(inner for function in asked for inner in own_nodes(function)))
    for node in (*read, *_listed(context, read)):
        word = node.name if isinstance(node, ir.Member) else node.id if isinstance(node, ir.Name) else ""
        if isinstance(node, ir.Literal) and isinstance(node.value, str):
            word = node.value
        if normal(word) in STATES:
            states.add(normal(word))
        elif TERMINAL.search(word):
            states |= OVER
        if isinstance(node, ir.Operator) and node.op in ORDERED:
            words = (
                n.name if isinstance(n, ir.Member) else n.id
                for n in ir.walk(node)
                if isinstance(n, (ir.Member, ir.Name))
            )
            limited = limited or any(CLOCKS.search(each) for each in words)
    return TaskPoll(loop.header, name, "", frozenset(states), limited)
