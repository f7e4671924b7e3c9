"""Templates that a helper fills and does not own: `def ask(prompt, query): return model(prompt.format(query=query))`.

What is filled into a template is then what the callers hand in that hand in this template, not what others hand in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.call_branches import comes_to
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.values import Api, Unknown
from agent_architecture.semantics.conversations.messages import places_in
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.flow_paths import Calls
    from agent_architecture.names.string_parts import Place
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

ANY: Final[tuple[Calls, ...]] = ((),)
"""All callers count."""


def each_template(context: Context, fill: Match) -> tuple[Match, ...]:
    """A call that fills one of several templates, as one for each of them that a caller hands in; any other call as it
    is.
    """
    callee, made = fill.node.callee if isinstance(fill.node, ir.Call) else None, fill.api.receiver
    if "syntax" not in fill.row.constants or not isinstance(callee, ir.Member) or made is None:
        return (fill,)
    values = [value for value in context.program.value_of(callee.target) if isinstance(value, Api)]
    others = [value for value in values if value.path == made.path and value != made]
    if not others:
        return (fill,)
    every = (fill, *(fill._replace(api=fill.api._replace(receiver=value)) for value in others))
    return tuple(each for each in every if _handing(context, each) != ())


def filled(context: Context, text: ir.Expr, fill: Match) -> Iterator[tuple[Place, Calls]]:
    """The places of a template that a call fills, each with the calls by which the function around was entered."""
    for place in places_in(context, text, fill):
        yield from ((place, calls) for calls in _ways_into(context, fill, place.expr))


def _ways_into(context: Context, fill: Match, filled: ir.Expr) -> tuple[Calls, ...]:
    """The calls by which the function was entered that fills a template with an expression, one way for each."""
    if context.program.scope_of(filled) is not context.program.scope_of(fill.node):
        return ANY
    return _handing(context, fill) or ANY


def _handing(context: Context, fill: Match) -> tuple[Calls, ...] | None:
    """The calls that hand in the template and come to where it is filled; None where that is not known."""
    program, call = context.program, fill.node
    template = call.callee.target if isinstance(call, ir.Call) and isinstance(call.callee, ir.Member) else None
    bindings = visible_bindings(program, template) if isinstance(template, ir.Name) else ()
    only = bindings[0] if len(bindings) == 1 and not bindings[0].steps else None
    if only is None or not isinstance(only.node, ir.Function) or not isinstance(only.extra, ir.Parameter):
        return None
    found: list[Calls] = []
    for site in program.callers(only.node):
        passed = passed_argument(site, only.node, only.extra)
        if passed is None or isinstance(passed, Unknown):
            return None
        if fill.api.receiver in program.value_of(passed) and comes_to(program, site, call):
            found.append((site.call,))
    return tuple(found)
