"""Whether code that tries again stands behind the look for what was done before, which then keeps no try away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.resilience import Retry
    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import Span

CALLS: Final = 6
"""Calls from the look to what is done."""


def retried_behind(program: Program, call: ir.Call, look: Span, retries: tuple[Retry, ...]) -> Retry | None:
    """The retry on a way from a look to a call: `if (sent.has(id)) return; await withRetry(() => post(id))`."""
    return next(_between(program, call, look, retries, CALLS), None)


def _between(program: Program, node: ir.Node, look: Span, retries: tuple[Retry, ...], left: int) -> Iterator[Retry]:
    scope = program.scope_of(node)
    near = tuple(retry for retry in retries if not retry.span.contains(look))
    around = [retry for retry in near if retry.span.contains(node.span) and scope.span.contains(retry.span)]
    if scope.span.contains(look):
        yield from around
        return
    if not isinstance(scope, ir.Function) or not left:
        return
    decorators = tuple(decorator.span for decorator in scope.parts.decorators)
    around += [retry for retry in near if any(span.contains(retry.span) for span in decorators)]
    for further, running in _ways_up(program, scope):
        run = [retry for retry in near if any(one.span.contains(retry.span) for one in running)]
        found = (*around, *run)
        if found and _leads_to(program, further, look, left):
            yield found[0]
        yield from _between(program, further, look, retries, left - 1)


def _ways_up(program: Program, scope: ir.Function) -> Iterator[tuple[ir.Call, tuple[ir.Function, ...]]]:
    """The calls that run a function, each with the functions that are handed it there, and run it."""
    parent = program.structure(scope.outer).parent(scope)
    if isinstance(parent, ir.Call):
        yield parent, tuple(program.callees(parent))
    for site in program.callers(scope):
        if site.call is not parent:
            yield site.call, ()


def _leads_to(program: Program, node: ir.Node, look: Span, left: int) -> bool:
    """Whether the code around a call stands, or is called, where the look is."""
    scope = program.scope_of(node)
    if scope.span.contains(look):
        return True
    if not isinstance(scope, ir.Function) or not left:
        return False
    return any(_leads_to(program, further, look, left - 1) for further, _ in _ways_up(program, scope))
