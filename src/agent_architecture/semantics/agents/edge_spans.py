"""Where an edge between agents is declared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Items
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.model.system import Agent
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span


EDGES: Final = ("handoffs", "agents", "tools")
"""Relations whose elements an agent may hand over to."""
MEMBERS: Final = "agents"
"""The relation of a team; what hands over as a tool, or by a call of its own, says so where that stands."""
ADDING: Final = frozenset({"append", "push", "add", "extend"})
"""What puts an agent into a list that exists."""


def declared_at(program: Program, match: Match, element: ir.Expr, target: Agent) -> Span:
    """Where a match names an agent: at the element, or, if that makes the agent in a table which stands elsewhere
    (`list(agents.values())`), where the match takes it out. Of a list that is filled one by one, where it is taken.
    """
    if match.arguments is None or match.node.span.contains(element.span):
        return element.span
    addresses = [match.row.relations[name].whole() for name in EDGES if name in match.row.relations]
    exprs = [expr for address in addresses for expr in expressions(program, match.arguments, address)]
    if _is_added(program, element) and MEMBERS in match.row.relations:
        members = expressions(program, match.arguments, match.row.relations[MEMBERS].whole())
        return next((expr.span for expr in members if _holds(program, expr, element)), element.span)
    if target.span != element.span:
        return element.span
    return next((expr.span for expr in exprs if isinstance(expr, ir.Call)), element.span)


def _is_added(program: Program, element: ir.Expr) -> bool:
    """Whether it is put into a list by itself: `members.append(writer)`, also of a list that this makes."""
    around = next(iter(program.structure(program.scope_of(element)).ancestors(element)), None)
    if isinstance(around, ir.List):
        return not around.span.contains(element.span)
    return isinstance(around, ir.Call) and callee_name(around.callee) in ADDING and around.callee is not element


def _holds(program: Program, given: ir.Expr, element: ir.Expr) -> bool:
    """Whether an element is in the list that an expression is."""
    made = (value for value in program.value_of(given) if isinstance(value, Items))
    return any(item is element for value in made for item in value.items)
