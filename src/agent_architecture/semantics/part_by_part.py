"""Tools that a function of the project registers for its callers, part by part: `add("count", { … }, run)`, where `add`
calls `server.registerTool(name, config, run)`.

Each call of such a function is a tool, with what it passes in the place of the parameters. Those that are handed one
object are for `offered.wrapped`. Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.calls import passed_argument
from agent_architecture.names.values import Unknown
from agent_architecture.semantics.read import expressions
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.semantics.match import Match


DEPTH: Final = 3
"""Functions around each other that hand on what they are given."""


def for_callers(program: Program, match: Match, depth: int = DEPTH) -> tuple[Match, ...]:
    """The match as it is for each caller of the function around it; the match itself where that names no parameter.

    What nobody in the project calls registers no tool of the project.
    """
    function = program.scope_of(match.node)
    named = match.row.properties.get("name")
    given = match.arguments
    if named is None or not isinstance(given, ir.Call) or not isinstance(function, ir.Function) or not depth:
        return (match,)
    params = {param.name: param for param in function.params if not param.kind and param.pattern is None}
    names = expressions(program, given, named)
    if not names or not all(isinstance(name, ir.Name) and name.id in params for name in names):
        return (match,)
    sites = tuple(site for site in program.callers(function) if not site.escapes)
    if not sites:
        return (match,) if _is_called_beside(program, function) else ()
    made = (match._replace(node=site.call, arguments=_filled(function, given, site, params)) for site in sites)
    return tuple(one for each in made for one in for_callers(program, each, depth - 1))


def _is_called_beside(program: Program, function: ir.Function) -> bool:
    """Whether something of its name is called by code of the same kind: examples and tests are not the application."""
    own = program.table.file(function.span.path)
    files = (program.table.file(site.call.span.path) for site in program.calls(function.name))
    return any(file is not None and (own is None or file.role is own.role) for file in files)


def _filled(function: ir.Function, call: ir.Call, site: CallSite, params: Mapping[str, ir.Parameter]) -> ir.Call:
    """The call with what a caller passes in the place of the parameters, in objects too."""

    def fill(expr: ir.Expr) -> ir.Expr:
        match expr:
            case ir.Name(id=name) if name in params:
                passed = passed_argument(site, function, params[name])
                passed = params[name].default if passed is None else passed
                return expr if passed is None or isinstance(passed, Unknown) else passed
            case ir.Map(span=span, entries=entries):
                return ir.Map(span, tuple(ir.Entry(entry.key, fill(entry.value)) for entry in entries))
            case _:
                return expr

    return call._replace(args=tuple(argument._replace(value=fill(argument.value)) for argument in call.args))
