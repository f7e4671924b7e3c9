"""Loops that count how often they ask for the state of something that another machine works on, until it is there.

`for attempt in range(60)` around `job = jobs.get(id); if job.status == "done": return job` and a pause repeats nothing
that failed: it waits. States what is written; judges nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.exits import leaves
from agent_architecture.names.pauses import may_pause, where_pauses_stand
from agent_architecture.regexes import regex
from agent_architecture.semantics.control.leaving import asked_last, leavings
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.control.conditions import Conditions

COMPARING: Final = frozenset({ir.Op.EQ, ir.Op.NE, ir.Op.IN})
STATE: Final = regex(r"(?:^|.*[._])(?:(?i:status|state|phase|run_?status|job_?status)|[a-z]+(?:Status|State|Phase))")
"""What code calls how far something is."""


def polls_state(program: Program, conditions: Conditions, loop: ir.Loop) -> bool:
    """Whether a word for how far something is ends the loop, which pauses in between; the number of an HTTP answer, or
    an error that is caught, is none.
    """
    nodes = tuple(ir.walk(*loop.body))
    if not any(map(may_pause, where_pauses_stand(program, nodes))) or any(
        isinstance(n, ir.Try) and n.handlers for n in nodes
    ):
        return False
    return any(
        any(map(_says_how_far, _comparisons(reason.expr)))
        for leaving in leavings(conditions, nodes)
        if leaves(leaving.node)
        for reason in asked_last(leaving, loop)
    )


def _comparisons(test: ir.Expr) -> Iterator[ir.Operator]:
    return (n for n in ir.walk(test) if isinstance(n, ir.Operator) and n.op in COMPARING)


def _says_how_far(compared: ir.Operator) -> bool:
    named = any(STATE.fullmatch(dotted(operand)) for operand in compared.operands)
    numbers = (n for n in ir.walk(compared) if isinstance(n, ir.Literal) and isinstance(n.value, (int, float)))
    return named and not any(True for _ in numbers)
