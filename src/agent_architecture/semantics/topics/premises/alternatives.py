"""Requests of which code makes one or another: the same method of several clients, of which a setting picks one.

What such a client answered and another one is told again is the same agent's conversation. Of clients that a loop goes
through, each is asked: those are several.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.lookup import visible_bindings
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.names.program_answers import CallSite


def in_its_place(program: Program, one: ir.Node, other: ir.Node) -> bool:
    """Whether some call of the project makes the one request or the other, by which client it is given."""
    first, second = program.scope_of(one), program.scope_of(other)
    if first is second or not isinstance(first, ir.Function) or not isinstance(second, ir.Function):
        return False
    return any(
        any(function is second for function in program.callees(site.call)) and not _in_turn(program, site.call)
        for site in program.callers(first)
        if not _is_put_around(program, site)
    )


def _is_put_around(program: Program, site: CallSite) -> bool:
    """Whether a call runs what a function around it was given: what a decorator gives back runs each function that it
    is put around, none of them in another's place.
    """
    name = site.call.callee
    found = visible_bindings(program, name) if isinstance(name, ir.Name) else ()
    return any(binding.kind == "parameter" and binding.node is not site.scope for binding in found)


def _in_turn(program: Program, call: ir.Call) -> bool:
    """Whether a loop goes through the clients that a call is made of."""
    target = call.callee.target if isinstance(call.callee, ir.Member) else call.callee
    if not isinstance(target, ir.Name):
        return False
    return any(isinstance(binding.node, ir.Loop) for binding in visible_bindings(program, target))
