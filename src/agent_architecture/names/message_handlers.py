"""Functions that are set on an object as what it does with a message: `source.onmessage = (event) => …`.

What made the object runs them, whenever something comes. Handlers of what ends or fails (`onclose`, `onerror`) are none
of these: they start over what was lost, and are handed no message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.lookup import only_value
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program

MESSAGES: Final = frozenset({"onmessage", "onload", "onloadend", "onreadystatechange"})
"""Attributes of event streams, sockets, workers and requests."""


def set_on(program: Program, store: ir.Node | None) -> ir.Call | None:
    """The call that made the object on which an assignment sets such a function; None for any other statement."""
    match store:
        case ir.Assign(target=ir.Member(name=name, target=ir.Name() as owner), op=None) if name in MESSAGES:
            made = only_value(program, owner)
            return made if isinstance(made, ir.Call) and made.span.path == owner.span.path else None
        case _:
            return None
