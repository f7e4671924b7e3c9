"""Agency Swarm's chart: who may write to whom, told to the agency that is made of the agents.

Rows cannot say this: a part of the chart is a list or tuple of a sender and a receiver, a chain `first > second`, or
such a chain in a tuple with the class of the tool that sends. Rule: agency_swarm/agent/agent_flow.py and
agency_swarm/agency/setup.py; before 1.0 agency_swarm/agency/agency.py (`_parse_agency_chart`).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from agent_architecture.names.test_parts import joined_by
from agent_architecture.names.values import Items
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.packs.addresses import parse_address
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

AGENCY: Final = "py:agency_swarm.Agency"
PARTS: Final = parse_address("communication_flows[] | agency_chart[] | 0[]")
COMPARED: Final = frozenset({ir.Op.GT, ir.Op.LT})


def charted_handoffs(context: Context) -> Iterator[tuple[Match, ir.Expr]]:
    """Each agent of a chart with the expression of one that it may write to."""
    for site in context.program.calls("Agency"):
        paths = (context.packs.canonical(api.path) for api in resolved(context.program, site.call.callee))
        if AGENCY in paths:
            for part in expressions(context.program, site.call, PARTS):
                for sender, receiver in _pairs(context, part):
                    for agent in context.made_by(context.program.value_of(sender), "agent"):
                        yield agent, receiver


def _pairs(context: Context, part: ir.Expr) -> Iterator[tuple[ir.Expr, ir.Expr]]:
    written = tuple(_chained(part))
    if written:
        yield from written
        return
    for value in context.program.value_of(part):
        if isinstance(value, Items) and value.items:
            yield from tuple(_chained(value.items[0])) or pairwise(value.items[:2])


def _chained(part: ir.Expr) -> Iterator[tuple[ir.Expr, ir.Expr]]:
    """The pairs of `first > second > third`, senders first; none of anything else."""
    for pair in joined_by("and", part):
        if isinstance(pair, ir.Operator) and pair.op in COMPARED:
            left, right = pair.operands
            yield (left, right) if pair.op == ir.Op.GT else (right, left)
