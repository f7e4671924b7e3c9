"""Loops that look for a name which nobody has yet: each pass makes another one up, and what is not there ends the loop.

`for attempt in range(10)` around `code = token_hex(4); if not codes.exists(code): return code` repeats nothing that
failed. A try under a new number, which is left when there is an answer, is a retry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.exits import leaves
from agent_architecture.names.null_checks import no_value
from agent_architecture.names.program import callee_name
from agent_architecture.names.test_parts import parts_of
from agent_architecture.semantics.control.leaving import asked_last, leavings
from agent_architecture.semantics.effects.idempotency import FRESH
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.control.conditions import Conditions

DRAWN: Final = FRESH | {"choice", "choices", "sample", "randrange", "randomInt", "randomBytes", "getRandomValues"}
"""Calls that draw something else each time."""
ROUNDS: Final = 4
"""Assignments in a row that a name is followed through."""


def looks_for_unused(program: Program, conditions: Conditions, loop: ir.Loop) -> bool:
    """Whether a loop is left when what a pass made up is not there."""
    drawn = _made_of_draws(program, loop)
    return bool(drawn) and any(
        leaves(leaving.node) and _is_gone(reason.expr, holds=reason.holds is not False) and _uses(reason.expr, drawn)
        for leaving in leavings(conditions, ir.walk(*loop.body))
        for reason in asked_last(leaving, loop)
    )


def _made_of_draws(program: Program, loop: ir.Loop) -> frozenset[str]:
    """The names that are given something that a pass draws, or something that is asked with it."""
    names = set[str]()
    given = [n for n in ir.walk(*loop.body) if isinstance(n, ir.Assign) and isinstance(n.target, ir.Name) and not n.op]
    for _ in range(ROUNDS):
        names |= {
            node.target.id
            for node in given
            if isinstance(node.target, ir.Name)
            and node.value is not None
            and (_uses(node.value, names) or any(_draws(program, inner) for inner in ir.walk(node.value)))
        }
    return frozenset(names)


def _draws(program: Program, node: ir.Node) -> bool:
    """Whether a call draws something, or runs a function of the project that does nothing else."""
    if not isinstance(node, ir.Call):
        return False
    if callee_name(node.callee) in DRAWN:
        return True
    inside = (program.structure(function).calls for function in program.callees(node))
    return any(callee_name(call.callee) in DRAWN for calls in inside for call in calls)


def _is_gone(test: ir.Expr, *, holds: bool) -> bool:
    """Whether a test that is answered so says that something is not there."""
    return any(_says_gone(part, holds=each) for part, each in parts_of(test, holds=holds))


def _says_gone(part: ir.Expr, *, holds: bool) -> bool:
    match part:
        case ir.Operator(op=ir.Op.EQ | ir.Op.IS, operands=(_, right)):
            return holds and _is_none(right)
        case ir.Operator(op=ir.Op.NE | ir.Op.GT, operands=(_, right)):
            return not holds and _is_none(right)
        case ir.Operator(op=ir.Op.IN) | ir.Name() | ir.Member() | ir.Call() | ir.Await():
            return not holds
        case _:
            return False


def _is_none(expr: ir.Expr) -> bool:
    return no_value(expr) or (isinstance(expr, ir.Literal) and expr.value == 0)


def _uses(expr: ir.Node, names: frozenset[str] | set[str]) -> bool:
    return any(isinstance(node, ir.Name) and node.id in names for node in ir.walk(expr))
