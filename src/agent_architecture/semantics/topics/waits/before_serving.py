"""What a server runs before it answers: nothing else runs in its event loop then, so that no call holds anybody up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import callee_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import Span

EVENTS: Final = "on_event"
START: Final = "startup"
STARTING: Final = frozenset({"before_serving", EVENTS, "on_startup"})
"""Decorators of what a server runs when it starts; that of events is told which one."""
LIFESPAN: Final = "lifespan"
"""What runs up to its `yield` before a server answers: an argument of its application, a name that it is given."""
LEVELS: Final = 3
"""Functions that what starts runs, below each other."""


def is_before_serving(program: Program, scope: ir.Scope, place: Span, levels: int = LEVELS) -> bool:
    """Whether code runs only while its server starts."""
    if not isinstance(scope, ir.Function) or not scope.is_async:
        return False
    if any(_says_start(decorator) for decorator in scope.decorators):
        return True
    sites = tuple(site for site in program.callers(scope) if not site.decorates)
    if program.structure(scope).yields:
        first = min(one.span for one in program.structure(scope).yields)
        return place < first and not sites and _is_lifespan(program, scope)
    if not sites or not levels or any(site.escapes for site in sites):
        return False
    return all(is_before_serving(program, site.scope, site.call.span, levels - 1) for site in sites)


def _says_start(decorator: ir.Expr) -> bool:
    """Whether a decorator has a server run a function when it starts: `@app.on_event("startup")`."""
    called = decorator.callee if isinstance(decorator, ir.Call) else decorator
    if callee_name(called) not in STARTING:
        return False
    given = decorator.args if isinstance(decorator, ir.Call) else ()
    words = [argument.value.value for argument in given if isinstance(argument.value, ir.Literal)]
    return callee_name(called) != EVENTS or START in words


def _is_lifespan(program: Program, function: ir.Function) -> bool:
    """Whether an application is given a function for its lifespan: `FastAPI(lifespan=lifespan)`."""
    for scope, node in program.mentions(function):
        around = program.structure(scope).parent(node)
        given = around.args if isinstance(around, ir.Call) else ()
        if any(argument.value is node and argument.keyword == LIFESPAN for argument in given):
            return True
    return False
