"""The functions that a library's circuit breaker is made for, or is given to run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Func
from agent_architecture.semantics.matching.matches import call_sites
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.sources.source import Span

THROUGH: Final = frozenset({"call", "call_async", "acall", "execute", "fire", "with_circuit_breaker"})
"""Methods of breakers that run what they are given."""


def handed_to_breakers(work: Work) -> Iterator[tuple[int, Span]]:
    """The functions that a breaker is made for, or is given to run, by id."""
    program = work.context.program
    breakers = tuple(work.context.of_kind("breaker"))
    for match in breakers:
        address = match.row.relations.get("function")
        if address is not None:
            values = at_call(program, match.arguments, match.api.receiver, address).values
            yield from ((id(value.function), match.node.span) for value in values if isinstance(value, Func))
    for site in call_sites(program, THROUGH) if breakers else ():
        callee = site.call.callee
        if isinstance(callee, ir.Member) and work.context.made_by(program.value_of(callee.target), "breaker"):
            for argument in site.call.args:
                values = program.value_of(argument.value)
                yield from ((id(value.function), site.call.span) for value in values if isinstance(value, Func))
