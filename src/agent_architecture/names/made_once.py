"""Objects that are made once and kept, by whoever asks for them first: by a module (`global desk; desk = Desk()`), or
by a cache around the function that makes them (`@cache def desk(): return Desk()`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.classes import CONSTRUCTOR
from agent_architecture.names.program import callee_name
from agent_architecture.names.scopes import enclosing_scopes
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.names.program import Program


CACHES: Final = frozenset({"cache", "lru_cache", "cached"})
"""Decorators that keep what a function answers."""


def made_for_all(program: Program, node: ir.Node) -> bool:
    """Whether a call stands in the answer of a function that takes nothing, and whose answer is kept."""
    scope = program.scope_of(node)
    if not isinstance(scope, ir.Function) or scope.params:
        return False
    if not any(_answers(answer, node) for answer in program.structure(scope).returns):
        return False
    names = {callee_name(d.callee if isinstance(d, ir.Call) else d) for d in scope.decorators}
    return not CACHES.isdisjoint(names)


def _answers(answer: ir.Expr, node: ir.Node) -> bool:
    return answer is node or (isinstance(answer, ir.Await) and answer.value is node)


def is_made_once(program: Program, call: ir.Call) -> bool:
    """Whether what a call makes is put under a variable of a module, or kept by a cache."""
    if made_for_all(program, call):
        return True
    scope = program.scope_of(call)
    around = program.structure(scope).parent(call)
    if isinstance(around, ir.Await):
        around = program.structure(scope).parent(around)
    if not isinstance(around, ir.Assign) or not isinstance(around.target, ir.Name):
        return False
    name = around.target.id
    for each in (scope, *enclosing_scopes(scope)):
        bindings = program.bindings(each).get(name, ())
        if bindings:
            return isinstance(each, ir.Module) or any(binding.kind == "global" for binding in bindings)
    return False


def makes_ready(program: Program, node: ir.Node, calls: Iterable[ir.Call]) -> bool:
    """Whether a node stands in the constructor of a class of which all these calls make objects that are made once."""
    scope = program.scope_of(node)
    if not isinstance(scope, ir.Function) or scope.name != CONSTRUCTOR:
        return False
    making = [call for call in calls if any(function is scope for function in program.callees(call))]
    return bool(making) and all(is_made_once(program, call) for call in making)
