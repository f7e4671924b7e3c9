"""Parameters that are filled where nothing is passed: `if x is None: x = 10`, and whether that ever happens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.reaching import filled_in
from agent_architecture.names.values import Const, Unknown
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.flow_paths import Calls
    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding


def without_filling(
    program: Program, name: ir.Name, bindings: tuple[Binding, ...], calls: Calls = ()
) -> tuple[Binding, ...]:
    """The bindings of a name without what only fills a parameter that every call gives: the call that the way came in
    by, else all that are known.
    """
    filling = filled_in(program, name, bindings) if len(bindings) > 1 else None
    given = next((b for b in bindings if b.kind == "parameter" and not b.steps), None)
    if filling is None or given is None:
        return bindings
    function, param = given.node, given.extra
    if not isinstance(function, ir.Function) or not isinstance(param, ir.Parameter):
        return bindings
    sites = program.callers(function)
    entered = tuple(site for site in sites if site.call is calls[-1]) if calls else ()
    arguments = [passed_argument(site, function, param) for site in entered or sites]
    if not arguments or not all(_is_something(program, argument) for argument in arguments):
        return bindings
    return tuple(binding for binding in bindings if binding is not filling)


def _is_something(program: Program, argument: ir.Expr | Unknown | None) -> bool:
    """Whether a call passes an argument, and none that may be written as None."""
    if argument is None or isinstance(argument, Unknown):
        return False
    return not any(isinstance(value, Const) and value.value is None for value in program.value_of(argument))
