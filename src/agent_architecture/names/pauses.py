"""Calls that wait for a time, by how they are written. The one list of such words.

Who waits for somebody (a queue, a lock, an event) is for rows.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.in_place import with_helpers
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program

SLEEPING: Final = ("sleep", "setTimeout", "delay")
"""Calls that do nothing but wait."""
PAUSE: Final = regex(r"^_?(?:a?sleep\w*|delay\w*|wait|pause\w*|set_?timeout|\w*back_?off\w*)$", re.IGNORECASE)
"""Names of calls that wait, or that work out how long to."""


def sleeps(call: ir.Call) -> bool:
    """Whether a call does nothing but wait for a time."""
    return callee_name(call.callee) in SLEEPING


def may_pause(node: ir.Node) -> bool:
    """Whether something is a call of what has the name of a pause."""
    return isinstance(node, ir.Call) and PAUSE.match(callee_name(node.callee)) is not None


def where_pauses_stand(program: Program, nodes: Iterable[ir.Node]) -> Iterator[ir.Node]:
    """The nodes among which a pause may be: these, what helpers do that are called, and what stands in callbacks."""
    return with_callbacks(with_helpers(program, nodes))


def with_callbacks(nodes: Iterable[ir.Node]) -> Iterator[ir.Node]:
    """The nodes and those of functions written among them: `new Promise((go) => setTimeout(go, 500))`."""
    for node in nodes:
        yield node
        if isinstance(node, ir.Function) and not node.name:
            yield from with_callbacks(ir.walk(*node.body))
