"""Errors that a handler hands to whoever waits for the result, who raises them there: set on a future, given to
`reject`, or put on a queue whose taker raises what is an error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.exits import is_raised
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

SETS: Final = frozenset({"set_exception", "reject"})
"""Calls after which whoever awaits the result gets the error."""
PUTS: Final = frozenset({"put", "put_nowait", "send", "send_nowait"})
TAKES: Final = frozenset({"get", "get_nowait", "receive"})


def hands_on(program: Program, handler: ir.Handler) -> bool:
    """Whether a handler gives the error to somebody who raises it."""
    for call in (node for node in ir.walk(*handler.body) if isinstance(node, ir.Call)):
        name, given = callee_name(call.callee), [argument.value for argument in call.args]
        if handler.name is None or not any(isinstance(one, ir.Name) and one.id == handler.name for one in given):
            continue
        if name in SETS or (name in PUTS and _is_raised_again(program, call)):
            return True
    return False


def _is_raised_again(program: Program, put: ir.Call) -> bool:
    """Whether what is taken from the same queue is raised, in the function around or in one of the same class."""
    queue = _holder(put)
    return bool(queue) and any(
        is_raised(node) and any(isinstance(n, ir.Name) and queue in _taken_from(program, n) for n in ir.walk(node))
        for scope in _beside(program, program.scope_of(put))
        for node in program.structure(scope).nodes
    )


def _beside(program: Program, scope: ir.Scope) -> Iterator[ir.Scope]:
    outer = scope
    while isinstance(outer, ir.Function) and isinstance(outer.outer, ir.Function):
        outer = outer.outer
    yield outer
    around = outer.outer if isinstance(outer, ir.Function) else None
    for each in program.module_of(scope).code:
        if isinstance(each, ir.Function) and (each.outer is outer or (each.outer is around and _is_class(around))):
            yield each


def _is_class(scope: ir.Scope | None) -> bool:
    return isinstance(scope, ir.Class)


def _taken_from(program: Program, name: ir.Name) -> Iterator[str]:
    """The queues that a name is taken from."""
    for binding in visible_bindings(program, name):
        value = binding.value
        while isinstance(value, ir.Await):
            value = value.value
        if isinstance(value, ir.Call) and callee_name(value.callee) in TAKES:
            yield _holder(value)


def _holder(call: ir.Call) -> str:
    return dotted(call.callee.target) if isinstance(call.callee, ir.Member) else ""
