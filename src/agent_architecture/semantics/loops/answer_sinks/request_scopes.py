"""Where an answer can be acted on: the functions around model calls, what calls these, and what they call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.closure_writes import nested_functions
from agent_architecture.semantics.callgraph.callers import above
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.names.program import Program

UP: Final = 4
"""Calls from a model call up to the function that acts on its answer, or has it acted on."""
DOWN: Final = 4
"""Calls from there down to where it is done."""
SCOPES: Final = 1200
"""Scopes that are looked into, the nearest first."""


def near(program: Program, calls: Iterable[ir.Call]) -> tuple[ir.Scope, ...]:
    """The scopes in which what these calls give may be acted on, the nearest first."""
    found = {id(scope): scope for scope in above(program, map(program.scope_of, calls), UP, SCOPES)}
    level = list(found.values())
    _new(found, (inner for s in level if isinstance(s, ir.Function) for inner in nested_functions(s)))
    level = list(found.values())
    for _ in range(DOWN):
        level = _new(found, (f for s in level for c in program.structure(s).calls for f in program.callees(c)))
    return tuple(found.values())


def _new(found: dict[int, ir.Scope], scopes: Iterable[ir.Scope]) -> list[ir.Scope]:
    """The scopes that were not found before, which are found now."""
    new = []
    for scope in scopes:
        if len(found) >= SCOPES:
            break
        if id(scope) not in found:
            found[id(scope)] = scope
            new.append(scope)
    return new


def leads_to(program: Program, start: ir.Scope, end: ir.Scope) -> bool:
    """Whether a scope, or what it calls, is `end` or has it inside."""
    around = {id(scope) for scope in _around(end)}
    found = {id(start): start}
    level: list[ir.Scope] = [start]
    for _ in range(DOWN):
        if any(id(scope) in around for scope in level if not isinstance(scope, ir.Module)) or start is end:
            return True
        level = _new(found, (f for s in level for c in program.structure(s).calls for f in program.callees(c)))
    return any(id(scope) in around for scope in level)


def _around(scope: ir.Scope) -> list[ir.Scope]:
    found = [scope]
    while isinstance(scope, (ir.Function, ir.Class)):
        scope = scope.outer
        found.append(scope)
    return [one for one in found if not isinstance(one, (ir.Module, ir.Class))] or found[:1]
