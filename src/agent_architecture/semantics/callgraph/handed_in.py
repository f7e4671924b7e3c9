"""What a function that runs its parameter was handed: `with_span("ask", lambda: ask(text))` runs `ask`, and who hands
the same helper something else does not come to a model by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.values import Const, Func, Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.callgraph.callbacks import scopes_around
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import CallSite, Program


class Handed(NamedTuple):
    """A function that a helper runs under the name of one of its parameters."""

    helper: ir.Function
    param: ir.Parameter
    function: ir.Function


def handed_in(program: Program, site: CallSite, entered: ir.Scope, before: tuple[Handed, ...]) -> tuple[Handed, ...]:
    """What has to be handed in further up for a call to enter a function, where so much had to be `before`: as long as
    the way upwards stands in the helper, in a function that is written there, or in one that hands on what it is given.
    """
    around = tuple(scopes_around(site.scope))
    held = [one for one in before if any(one.helper is scope for scope in around)]
    for one in before:
        given = passed_argument(site, one.helper, one.param) if one.helper is entered and not site.escapes else None
        further = _parameter(program, given)
        held += [Handed(*further, one.function)] if further is not None else []
    own = _parameter(program, site.call.callee)
    if own is not None and isinstance(entered, ir.Function) and all(one.helper is not own[0] for one in held):
        held.append(Handed(*own, entered))
    return tuple(held)


def hands_in(program: Program, site: CallSite, scope: ir.Scope, needed: tuple[Handed, ...]) -> bool:
    """Whether a call of this scope may hand its helper the function that is needed; in doubt it does."""
    return all(_may(program, site, scope, one) for one in needed)


def _may(program: Program, site: CallSite, scope: ir.Scope, needed: Handed) -> bool:
    if site.escapes or site.decorates:
        return True
    if scope is needed.helper:
        given = passed_argument(site, needed.helper, needed.param)
        return given is None or isinstance(given, Unknown) or _may_be(program, given, needed.function)
    if any(each is needed.helper for each in scopes_around(site.scope)):
        return True  # still inside the helper
    values = program.value_of(site.call.callee)
    named = [value.function for value in values if isinstance(value, Func)]
    if len(named) < len(values) or not named or any(each is scope for each in named):
        return True
    return any(each is needed.function for each in named)  # a decorated function runs itself, and no other one


def _may_be(program: Program, given: ir.Expr, function: ir.Function) -> bool:
    values = program.value_of(given)
    functions = [value.function for value in values if isinstance(value, Func)]
    others = [value for value in values if not isinstance(value, (Func, Const))]
    return not functions or bool(others) or any(each is function for each in functions)


def _parameter(program: Program, expr: object) -> tuple[ir.Function, ir.Parameter] | None:
    """The parameter that an expression is, and nothing else, with its function."""
    bindings = visible_bindings(program, expr) if isinstance(expr, ir.Name) else ()
    only = bindings[0] if len(bindings) == 1 else None
    if only is None or not isinstance(only.node, ir.Function) or not isinstance(only.extra, ir.Parameter):
        return None
    return (only.node, only.extra) if only.kind == "parameter" and not only.extra.kind else None
