"""Templates that a helper fills and does not own: `def ask(prompt, query): return model(prompt.format(query=query))`.

What is filled into a template is then what the callers hand in that hand in this template, not what others hand in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.values import Unknown
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.flow_paths import Calls
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

ANY: Final[tuple[Calls, ...]] = ((),)
"""All callers count."""


def ways_into(context: Context, fill: Match, filled: ir.Expr) -> tuple[Calls, ...]:
    """The calls by which the function was entered that fills a template with an expression, one way for each."""
    program, call = context.program, fill.node
    template = call.callee.target if isinstance(call, ir.Call) and isinstance(call.callee, ir.Member) else None
    bindings = visible_bindings(program, template) if isinstance(template, ir.Name) else ()
    only = bindings[0] if len(bindings) == 1 and not bindings[0].steps else None
    if only is None or not isinstance(only.node, ir.Function) or not isinstance(only.extra, ir.Parameter):
        return ANY
    if program.scope_of(filled) is not only.node:
        return ANY
    found: list[Calls] = []
    for site in program.callers(only.node):
        passed = passed_argument(site, only.node, only.extra)
        if passed is None or isinstance(passed, Unknown):
            return ANY
        if fill.api.receiver in program.value_of(passed):
            found.append((site.call,))
    return tuple(found) or ANY
