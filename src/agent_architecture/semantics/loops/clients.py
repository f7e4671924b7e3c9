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
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.loops.single_dispatches import reads_choice
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.flow_paths import Calls
    from agent_architecture.names.program import CallSite, Program

WRAPPERS: Final = 4
"""Clients around clients that are followed."""
CONVERSATION: Final = frozenset({"messages", "input", "contents", "prompt", "history"})
"""Under which keys a request has what the model is asked with."""
NAMES: Final = 3
"""Names that stand for each other between a parameter and what is handed on."""


class Given(NamedTuple):
    """What a function hands on, and the part of it that is asked for; all of it has no key."""

    expr: ir.Expr
    key: str


class Part(NamedTuple):
    """A parameter, and the part of it that is asked for; all of it has no key."""

    parameter: ir.Parameter
    key: str


def handing_on(program: Program, call: ir.Call, given: Iterable[ir.Expr]) -> tuple[Calls, ...]:
    """The ways, outermost call first, on which a model call is handed these expressions through the parameters of the
    functions around it; one empty way where they are its own function's.
    """
    return tuple(_ways(program, call, tuple(Given(expr, "") for expr in given), WRAPPERS)) or ((),)


def is_unused(program: Program, call: ir.Call, given: Iterable[ir.Expr]) -> bool:
    """Whether a model call is only given parts of objects that its function is handed, and nobody calls the function:
    what is put into such objects elsewhere never comes here.
    """
    scope = _function_around(program.scope_of(call))
    parts = [expr for expr in given if isinstance(expr, (ir.Member, ir.Index))]
    asked = tuple(Given(expr, "") for expr in parts)
    handed = [part for one in asked for part in _parameters(program, scope, one, NAMES)]
    return bool(handed) and next(_ways(program, call, asked, WRAPPERS), None) is None


def beside(program: Program, ways: list[Calls], expr: ir.Expr | None) -> list[Calls]:
    """The ways that begin in the function in which an expression stands; the only one there is."""
    scope = program.scope_of(expr) if expr is not None else None
    return [way for way in ways if program.scope_of(way[0]) is scope] or (ways if len(ways) == 1 else [])


def _ways(program: Program, call: ir.Call, given: tuple[Given, ...], left: int) -> Iterator[Calls]:
    scope = _function_around(program.scope_of(call))
    handed = dict.fromkeys(part for one in given for part in _parameters(program, scope, one, NAMES))
    if left <= 0 or not isinstance(scope, ir.Function) or not handed or reads_choice(program, scope):
        yield ()
        return
    sites = program.callers(scope)
    is_own = runs_base(call) and not sites
    for site in sites:
        passed = tuple(one for part in handed for one in _passed(site, scope, part) if _may_have(one))
        if passed and not site.escapes and any(_is_request(one.expr) for one in passed):
            yield (site.call,)
        elif passed and not site.escapes:
            yield from ((*way, site.call) for way in _ways(program, site.call, passed, left - 1))
        elif runs_base(call) and not site.escapes:
            is_own = True  # what a constructor gives its base by default, or instead of what it is handed
    yield from ((),) if is_own else ()


def _function_around(scope: ir.Scope) -> ir.Scope:
    """The function in which a callback is written: `tools` of `traced(() => client.ask(tools))` are its parameters."""
    while isinstance(scope, ir.Function) and not scope.name and isinstance(scope.outer, ir.Function):
        scope = scope.outer
    return scope


def _is_request(expr: ir.Expr) -> bool:
    """Whether a request is put together here, its conversation with it: who does that asks the model."""
    return any(isinstance(key, ir.Literal) and key.value in CONVERSATION for key in _keys(expr))


def _keys(expr: ir.Expr) -> tuple[ir.Expr | None, ...]:
    return tuple(entry.key for entry in expr.entries) if isinstance(expr, ir.Map) else ()


def _may_have(one: Given) -> bool:
    """Whether what is put together here may have the part: all of it is written out, or it is handed on."""
    keys = _keys(one.expr) if _is_request(one.expr) else ()
    return not keys or any(not isinstance(key, ir.Literal) or key.value == one.key for key in keys)


def _passed(site: CallSite, function: ir.Function, part: Part) -> Iterator[Given]:
    """What a call gives to a parameter; of a mapping that is spread into it, the whole."""
    found = passed_argument(site, function, part.parameter)
    if isinstance(found, Unknown):
        yield from (Given(argument.value, part.key) for argument in site.call.args if argument.spread)
    elif found is not None:
        yield Given(found, part.key)


def _parameters(program: Program, scope: ir.Scope, given: Given, left: int) -> Iterator[Part]:
    """The parameters of a function that an expression of it is made of."""
    inside = tuple(ir.walk(given.expr))
    keys = {id(node.target): node.name for node in inside if isinstance(node, ir.Member)}
    for name in inside:
        key = keys.get(id(name), given.key if name is given.expr else "")
        for binding in visible_bindings(program, name) if isinstance(name, ir.Name) else ():
            if isinstance(binding.extra, ir.Parameter) and binding.node is scope:
                yield from () if binding.name in {"self", "cls"} else (Part(binding.extra, key),)
            elif binding.kind == "assign" and binding.value is not None and left > 0:
                yield from _parameters(program, scope, Given(binding.value, key), left - 1)
