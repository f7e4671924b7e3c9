"""Requests that only ask whether somebody answers yet: a server that starts, a machine that boots.

A loop around one waits until it is up, which takes as long as it takes: it is a wait, not a retry. States what is
written; judges nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.exits import answers
from agent_architecture.names.log_calls import says
from agent_architecture.names.options import options_of
from agent_architecture.names.program import callee_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.structure import Structure

STATUS: Final = frozenset({"ok", "is_success", "is_error", "status_code", "statusCode", "status"})
"""What says of an answer whether it is a good one."""
_LOOKS: Final = frozenset({"get", "head", "fetch", "ping", "urlopen", "connect", "create_connection"})
_SENDS: Final = frozenset({"json", "data", "body", "method", "content", "files"})
ENDS: Final = frozenset({"raise_for_status", "close"})
"""What is done with an answer that asks nobody anything more."""


def asks_whether_up(program: Program, structure: Structure, attempt: ir.Try) -> bool:
    """Whether what is tried makes requests that change nothing, and does no more with their answers than look at
    their status.
    """
    body = tuple(ir.walk(*attempt.body, *attempt.otherwise))
    calls = [node for node in body if isinstance(node, ir.Call) and not _asks_nobody(node)]
    said = any(not isinstance(answer, ir.Literal) for answer in answers(body))
    return bool(calls) and not said and all(_only_looks(program, call) and _unused(structure, call) for call in calls)


def _asks_nobody(call: ir.Call) -> bool:
    return callee_name(call.callee) in ENDS or says(call)


def _only_looks(program: Program, call: ir.Call) -> bool:
    if callee_name(call.callee) not in _LOOKS:
        return False
    return _SENDS.isdisjoint(options_of(program, call))


def _unused(structure: Structure, call: ir.Call) -> bool:
    """Whether nothing but the status of an answer is looked at."""
    around: ir.Node = call
    parent = structure.parent(call)
    while isinstance(parent, ir.Await):
        around, parent = parent, structure.parent(parent)
    match parent:
        case None | ir.Try() | ir.Block():
            return True
        case ir.Member(name=name):
            return name in STATUS
        case ir.Assign(target=ir.Name(id=name), value=value) if value is around:
            return all(_is_looked_at(structure, use) for use in _uses(structure, name, parent))
        case _:
            return False


def _uses(structure: Structure, name: str, assign: ir.Assign) -> Iterator[ir.Name]:
    """Where a name is used from its assignment on, behind the loop, too."""
    later = (n for n in structure.nodes if isinstance(n, ir.Name) and n.id == name and n.span >= assign.span)
    return (n for n in later if n is not assign.target)


def _is_looked_at(structure: Structure, use: ir.Name) -> bool:
    parent = structure.parent(use)
    return isinstance(parent, ir.Member) and parent.name in STATUS | ENDS
