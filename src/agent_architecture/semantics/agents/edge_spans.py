"""Where an edge between agents is declared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.semantics.matching.read import expressions
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.model.system import Agent
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span


EDGES: Final = ("handoffs", "agents", "tools")
"""Relations whose elements an agent may hand over to."""


def declared_at(program: Program, match: Match, element: ir.Expr, target: Agent) -> Span:
    """Where a match names an agent: at the element, or, if that makes the agent in a table which stands elsewhere
    (`list(agents.values())`), where the match takes it out.
    """
    if match.arguments is None or target.span != element.span or match.node.span.contains(element.span):
        return element.span
    addresses = [match.row.relations[name].whole() for name in EDGES if name in match.row.relations]
    exprs = (expr for address in addresses for expr in expressions(program, match.arguments, address))
    return next((expr.span for expr in exprs if isinstance(expr, ir.Call)), element.span)
