"""The checks that stop agents from starting further agents: a depth that is compared, a mark of being an inner one.

Looked for in the functions on the way from a tool or hook to the run that it starts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import ABSENT, Setting, unknown, written
from agent_architecture.names.keyed_reads import keyed_read
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.test_parts import ORDERED
from agent_architecture.names.values import Const
from agent_architecture.regexes import regex
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.control.leaving import leavings
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

DEPTH: Final = regex(
    r"depth|recurs|nest(?:ing|ed)|(?:agent|spawn|delegation)_?(?:level|count)|\bhops?\b", re.IGNORECASE
)
"""Names of how deep a run is inside others."""
INNER: Final = regex(
    r"is_?(?:sub|child|nested|inner)|(?:sub|child)_?agent$|parent(?:_?agent)?(?:_?id)?$|reentr", re.IGNORECASE
)
"""Names of what says that a run is an inner one."""


def stopped_at(context: Context, functions: Iterable[ir.Function]) -> tuple[Setting, bool]:
    """The depth at which these functions stop, and whether a caller decides it; ABSENT where they look at none."""
    for function in functions:
        for leaving in leavings(conditions_of(context), own_nodes(function)):
            for reason in leaving.reasons:
                found = _compared(context.program, reason.expr, holds=reason.holds is True)
                if found is not None:
                    return found
    return ABSENT, False


def _compared(program: Program, test: ir.Expr, *, holds: bool) -> tuple[Setting, bool] | None:
    """What a depth is compared with; a mark of an inner run counts as a depth of one."""
    if isinstance(test, ir.Operator) and test.op in ORDERED and any(_is_called(o, DEPTH) for o in test.operands):
        for operand in test.operands:
            values = program.value_of(operand)
            numbers = [v for v in values if isinstance(v, Const) and isinstance(v.value, int)]
            if numbers and len(numbers) == len(values) and not (_is_called(operand, DEPTH) and numbers[0].value == 0):
                return written(max(int(str(v.value)) for v in numbers), numbers[0].span), False
        return unknown("the caller", test.span), True
    if holds and (not isinstance(test, ir.Operator) or test.op in {ir.Op.IS, ir.Op.EQ, ir.Op.NE}):
        operands = test.operands if isinstance(test, ir.Operator) else (test,)
        if any(_is_called(operand, INNER) for operand in operands):
            return written(1, test.span), False
    return None


def _is_called(expr: ir.Expr, words: re.Pattern[str]) -> bool:
    match expr:
        case ir.Name(id=name) | ir.Member(name=name):
            return words.search(name) is not None
        case _ if (read := keyed_read(expr)) is not None:
            return words.search(read.key) is not None
        case ir.Call(callee=ir.Name(id=name) | ir.Member(name=name)):
            return words.search(name) is not None
        case _:
            return False
