"""Objects that are made once and kept by a module, by whoever asks for them first: `global desk; desk = Desk()`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.classes import CONSTRUCTOR
from agent_architecture.names.scopes import enclosing_scopes
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.names.program import Program


def is_made_once(program: Program, call: ir.Call) -> bool:
    """Whether what a call makes is put under a variable of a module."""
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
