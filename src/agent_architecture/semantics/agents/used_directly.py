"""Objects of a library's tools that code uses by itself: `search = TavilySearch()`, then `search.invoke(query)`.

No model is offered what code makes under a name, and only calls by that name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeGuard

from agent_architecture.names.classes import ITSELF
from agent_architecture.names.closure_writes import nested_functions
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.structure import Structure

RUNNING: Final = frozenset({"invoke", "ainvoke", "run", "arun", "_run", "_arun", "call", "batch", "abatch", "results"})
"""Methods by which libraries let code run a tool."""

PASSING: Final = frozenset({"or", "??", "+", "|"})
"""Operators whose result may be what stands beside them."""


def is_used_directly(program: Program, node: ir.Node) -> bool:
    """Whether a call's result has a name in a function or module, or is a part of an object, where all that is done
    with it is to run or to read it, or to ask whether it is there.
    """
    scope = program.scope_of(node)
    if (
        not isinstance(node, ir.Call)
        or isinstance(scope, ir.Class)
        or (_is_function(scope) and nested_functions(scope))
    ):
        return False
    assigned = program.structure(scope).parent(node)
    if isinstance(assigned, ir.Assign) and assigned.value is node and isinstance(assigned.target, ir.Member):
        return _is_own_part(program, assigned.target)
    if not isinstance(assigned, ir.Assign) or assigned.value is not node or not isinstance(assigned.target, ir.Name):
        return False
    name = assigned.target.id
    if isinstance(scope, ir.Module) and _is_imported(program, name):
        return False
    places = scope.code if isinstance(scope, ir.Module) else (scope,)
    uses = [(place, use) for place in places for use in _uses(program, place, name)]
    return bool(uses) and all(_is_direct(program.structure(place), use) for place, use in uses)


def _is_own_part(program: Program, target: ir.Member) -> bool:
    """Whether an attribute of an object is there for its own methods alone, which run it or read it; a private one may
    be of no use at all.
    """
    if not isinstance(target.target, ir.Name) or target.target.id not in ITSELF:
        return False
    uses = program.once(_members).get(target.name, ())
    elsewhere = [(structure, use) for structure, use in uses if not _is_set(structure, use)]
    is_private = target.name.startswith(("_", "#"))
    return (bool(elsewhere) or is_private) and all(_is_direct(structure, use) for structure, use in elsewhere)


def _members(program: Program) -> dict[str, list[tuple[Structure, ir.Member]]]:
    """The members of anything that code of the project names, by their names."""
    found: dict[str, list[tuple[Structure, ir.Member]]] = {}
    for scope in (scope for module in program.modules for scope in module.code):
        structure = program.structure(scope)
        for node in structure.nodes:
            if isinstance(node, ir.Member):
                found.setdefault(node.name, []).append((structure, node))
    return found


def _is_set(structure: Structure, use: ir.Member) -> bool:
    around = structure.parent(use)
    return isinstance(around, ir.Assign) and around.target is use


def _is_function(scope: ir.Scope) -> TypeGuard[ir.Function]:
    return isinstance(scope, ir.Function)


def _is_imported(program: Program, name: str) -> bool:
    """Whether another module may take the name."""
    named = (one.name for module in program.modules for _, node in module.index.imports for one in node.names)
    return any(one == name for one in named)


def _uses(program: Program, place: ir.Scope, name: str) -> Iterator[ir.Name]:
    structure = program.structure(place)
    for node in structure.nodes:
        if isinstance(node, ir.Name) and node.id == name:
            around = structure.parent(node)
            if not (isinstance(around, ir.Assign) and around.target is node):
                yield node


def _is_direct(structure: Structure, use: ir.Name | ir.Member) -> bool:
    around = structure.parent(use)
    if isinstance(around, ir.Call):
        return around.callee is use
    if isinstance(around, ir.If):
        return True
    if isinstance(around, ir.Operator):
        return around.op not in PASSING
    if not isinstance(around, ir.Member):
        return False
    caller = structure.parent(around)
    called = isinstance(caller, ir.Call) and caller.callee is around
    return around.name in RUNNING if called else not isinstance(caller, ir.List)
