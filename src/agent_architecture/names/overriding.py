"""Methods of the project that override a library's and hand their call on to it: `return clean(super().invoke(text))`.

A call of such a method asks the library, as one of the library's own method would.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.classes import library_base
from agent_architecture.names.evaluate import is_super
from agent_architecture.names.values import Api, Func, Instance
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program


def overridden(program: Program, callee: ir.Expr) -> Iterator[tuple[ir.Function, Api]]:
    """The library's methods that a callee stands for, each with the project's method that hands on to it."""
    if not isinstance(callee, ir.Member) or is_super(callee.target):
        return
    for value in program.value_of(callee):
        owner = value.receiver if isinstance(value, Func) else None
        if isinstance(value, Func) and isinstance(owner, Instance) and handing_on(program, value.function):
            base = library_base(program, owner.cls)
            if base is not None:
                made = Api(f"{base.path}()", owner.call or callee, base)
                yield value.function, Api(f"{made.path}.{callee.name}", callee, made)


def passed_on_names(program: Program, names: frozenset[str]) -> frozenset[str]:
    """Those of the names of methods that some class of the project overrides and hands on to its base."""
    scopes = ((name, scope) for name in names for scope in program.scopes_calling(name))
    return frozenset(
        name
        for name, scope in scopes
        if isinstance(scope, ir.Function) and scope.name == name and handing_on(program, scope) is not None
    )


def handing_on(program: Program, method: ir.Function) -> ir.Call | None:
    """The call by which a method asks its base for what it is called itself; None for any other function."""
    if not isinstance(method.outer, ir.Class):
        return None
    calls = program.structure(method).calls
    return next((c for c in calls if _is_of_base(c.callee, method.name)), None)


def _is_of_base(callee: ir.Expr, name: str) -> bool:
    return isinstance(callee, ir.Member) and callee.name == name and is_super(callee.target)
