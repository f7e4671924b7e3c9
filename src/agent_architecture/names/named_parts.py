"""Parts of objects under a name of their own: after `kept = self.kept`, `kept.append(x)` is `self.kept.append(x)`.

Only names that a scope binds once, to an attribute that stands there; what is called or looked up may be something new
each time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_architecture.names.program import Program


def named_parts(program: Program, scope: ir.Scope) -> Mapping[str, ir.Member]:
    """The attributes that a scope's own names stand for."""
    return program.once(_named_parts, scope)


def _named_parts(program: Program, scope: ir.Scope) -> Mapping[str, ir.Member]:
    if isinstance(scope, ir.Class):
        return {}
    found = dict[str, ir.Member]()
    for name, (first, *others) in program.bindings(scope).items():
        if not others and first.kind == "assign" and (part := _part(first.node, name)) is not None:
            found[name] = part
    return found


def _part(node: ir.Node, name: str) -> ir.Member | None:
    match node:
        case ir.Assign(target=ir.Name(id=own), value=ir.Member() as value, op=None) if own == name and _is_path(value):
            return value
        case _:
            return None


def _is_path(expr: ir.Expr) -> bool:
    while isinstance(expr, ir.Member):
        expr = expr.target
    return isinstance(expr, ir.Name)


def part_of(program: Program, expr: ir.Expr) -> ir.Expr:
    """The attribute that a name stands for; what is no such name, as it is."""
    if not isinstance(expr, ir.Name):
        return expr
    scope = program.scope_of(expr)
    while not isinstance(scope, ir.Module) and (isinstance(scope, ir.Class) or expr.id not in program.bindings(scope)):
        scope = scope.outer
    return named_parts(program, scope).get(expr.id, expr)
