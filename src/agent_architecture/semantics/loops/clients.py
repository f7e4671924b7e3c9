"""The project's own clients around model calls: which calls of them hand a model call what it is given.

A wrapper is not where an agent gets its tools: that is the call of it in the function that has them, or that runs what
the model picks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.super_arguments import runs_base
from agent_architecture.names.values import Unknown
from agent_architecture.semantics.loops.single_dispatches import reads_choice
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.flow_paths import Calls
    from agent_architecture.names.program import CallSite, Program

WRAPPERS: Final = 4
"""Clients around clients that are followed."""
NAMES: Final = 3
"""Names that stand for each other between a parameter and what is handed on."""


def handing_on(program: Program, call: ir.Call, given: Iterable[ir.Expr]) -> tuple[Calls, ...]:
    """The ways, outermost call first, on which a model call is handed these expressions through the parameters of the
    functions around it; one empty way where they are its own function's.
    """
    return tuple(_ways(program, call, tuple(given), WRAPPERS)) or ((),)


def is_unused(program: Program, call: ir.Call, given: Iterable[ir.Expr]) -> bool:
    """Whether a model call is only given parts of objects that its function is handed, and nobody calls the function:
    what is put into such objects elsewhere never comes here.
    """
    scope = program.scope_of(call)
    parts = [expr for expr in given if isinstance(expr, (ir.Member, ir.Index))]
    handed = [param for expr in parts for param in _parameters(program, scope, expr, NAMES)]
    return bool(handed) and next(_ways(program, call, tuple(parts), WRAPPERS), None) is None


def beside(program: Program, ways: list[Calls], expr: ir.Expr | None) -> list[Calls]:
    """The ways that begin in the function in which an expression stands; the only one there is."""
    scope = program.scope_of(expr) if expr is not None else None
    return [way for way in ways if program.scope_of(way[0]) is scope] or (ways if len(ways) == 1 else [])


def _ways(program: Program, call: ir.Call, given: tuple[ir.Expr, ...], left: int) -> Iterator[Calls]:
    scope = program.scope_of(call)
    handed = {param.name: param for expr in given for param in _parameters(program, scope, expr, NAMES)}
    if left <= 0 or not isinstance(scope, ir.Function) or not handed or reads_choice(program, scope):
        yield ()
        return
    sites = program.callers(scope)
    is_own = runs_base(call) and not sites
    for site in sites:
        exprs = tuple(expr for param in handed.values() for expr in _passed(site, scope, param))
        if exprs and not site.escapes:
            yield from ((*way, site.call) for way in _ways(program, site.call, exprs, left - 1))
        elif runs_base(call) and not site.escapes:
            is_own = True  # what a constructor gives its base by default, or instead of what it is handed
    yield from ((),) if is_own else ()


def _passed(site: CallSite, function: ir.Function, param: ir.Parameter) -> Iterator[ir.Expr]:
    """What a call gives to a parameter; of a mapping that is spread into it, the whole."""
    found = passed_argument(site, function, param)
    if isinstance(found, Unknown):
        yield from (argument.value for argument in site.call.args if argument.spread)
    elif found is not None:
        yield found


def _parameters(program: Program, scope: ir.Scope, expr: ir.Expr, left: int) -> Iterator[ir.Parameter]:
    """The parameters of a function that an expression of it is made of."""
    for name in ir.walk(expr):
        for binding in visible_bindings(program, name) if isinstance(name, ir.Name) else ():
            if isinstance(binding.extra, ir.Parameter) and binding.node is scope:
                yield from () if binding.name in {"self", "cls"} else (binding.extra,)
            elif binding.kind == "assign" and binding.value is not None and left > 0:
                yield from _parameters(program, scope, binding.value, left - 1)
