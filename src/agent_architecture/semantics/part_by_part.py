"""Tools that a function of the project registers for its callers, part by part: `add("count", { … }, run)`, where `add`
calls `server.registerTool(name, config, run)`.

Each call of such a function is a tool, with what it passes in the place of the parameters. Those that are handed one
object are for `offered.wrapped`. Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.calls import passed_argument
from agent_architecture.names.values import Unknown
from agent_architecture.semantics.read import expressions
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.semantics.match import Match


def for_callers(program: Program, match: Match) -> tuple[Match, ...]:
    """The match as it is for each caller of the function around it; the match itself where that names no parameter."""
    function = program.scope_of(match.node)
    named = match.row.properties.get("name")
    if named is None or not isinstance(match.node, ir.Call) or not isinstance(function, ir.Function):
        return (match,)
    params = {param.name: param for param in function.params if not param.kind and param.pattern is None}
    names = expressions(program, match.node, named)
    if not names or not all(isinstance(name, ir.Name) and name.id in params for name in names):
        return (match,)
    sites = tuple(site for site in program.callers(function) if not site.escapes)
    made = (match._replace(node=site.call, arguments=_filled(function, match.node, site, params)) for site in sites)
    return tuple(made) or (match,)


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
