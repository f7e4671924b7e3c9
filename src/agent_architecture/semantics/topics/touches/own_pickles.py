"""Pickles that a project puts into a store itself and takes out of it again: a saver of checkpoints, a cache.

What a model wrote lies in them as data; the program of such a pickle is the project's own. Says nothing of who else can
write to the store.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

UNPICKLES: Final = "loads"
PICKLES: Final = regex(r"py:(?:pickle|dill|cloudpickle)[.:]dumps")


def is_own_pickle(program: Program, sink: ir.Node) -> bool:
    """Whether a call reads what the same class, or file, puts as a pickle into the store that is asked beside it."""
    if not isinstance(sink, ir.Call) or not dotted(sink.callee).endswith(UNPICKLES):
        return False
    asked = {holder for call in _near(program, program.scope_of(sink)) if (holder := _holder(call))}
    given = (holder for call in _beside(program, sink) if (holder := _holder(call)) and _is_given_pickle(program, call))
    return not asked.isdisjoint(given)


def _near(program: Program, scope: ir.Scope) -> Iterator[ir.Call]:
    yield from program.structure(scope).calls


def _beside(program: Program, sink: ir.Call) -> Iterator[ir.Call]:
    """The calls of the class that a call stands in, or of its whole file outside of classes."""
    module, scope = program.module_of(sink), program.scope_of(sink)
    holder = scope.outer if isinstance(scope, ir.Function) else module
    for each in module.code:
        if isinstance(each, ir.Function) and each.outer is holder:
            yield from _near(program, each)


def _holder(call: ir.Call) -> str:
    """The object that a method is called on, without calls in between: `self.store` of `self.store.get(key)`."""
    target = call.callee.target if isinstance(call.callee, ir.Member) else None
    while isinstance(target, ir.Call):
        target = target.callee.target if isinstance(target.callee, ir.Member) else None
    return dotted(target) if isinstance(target, (ir.Member, ir.Name)) else ""


def _is_given_pickle(program: Program, call: ir.Call) -> bool:
    inside = (node for argument in call.args for node in ir.walk(argument.value) if isinstance(node, ir.Call))
    return any(isinstance(v, Api) and PICKLES.match(v.path) for node in inside for v in program.value_of(node.callee))
