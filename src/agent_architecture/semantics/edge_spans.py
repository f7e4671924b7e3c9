"""Where an edge between agents is declared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.semantics.read import expressions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.match import Match
    from agent_architecture.sources.source import Span
    from agent_architecture.syntax import ir


def declared_at(program: Program, match: Match, made: ir.Expr, relations: Iterable[str]) -> Span:
    """Where a match names an agent that is made in a list: there, or, if the list stands elsewhere, where the match is
    given the list.
    """
    if match.arguments is None or match.node.span.contains(made.span):
        return made.span
    addresses = [match.row.relations[name].whole() for name in relations if name in match.row.relations]
    given = (expr.span for address in addresses for expr in expressions(program, match.arguments, address))
    return next(given, made.span)
