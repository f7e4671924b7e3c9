"""Functions that call themselves once with another variant of what they were asked for: `connect("user")` that failed
calls `connect("bot")`. The same test that lets it do so keeps it from doing it again: nothing is tried a second time.

States what is written; judges nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.program import CallSite
from agent_architecture.names.values import Const, Unknown
from agent_architecture.semantics.control.condition import Condition
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.control.conditions import Conditions


def falls_back(program: Program, conditions: Conditions, function: ir.Function, call: ir.Call) -> bool:
    """Whether a call stands where a parameter has one text, and gives it another one."""
    site = CallSite(call, function)
    for condition in conditions.at(call):
        if isinstance(condition, Condition) and condition.holds is True:
            for param in function.params:
                text = _compared(condition.expr, param.name)
                given = passed_argument(site, function, param) if text is not None else None
                values = () if given is None or isinstance(given, Unknown) else program.value_of(given)
                if values and all(
                    isinstance(v, Const) and isinstance(v.value, str) and v.value != text for v in values
                ):
                    return True
    return False


def _compared(test: ir.Expr, name: str) -> str | None:
    """The text that a test wants a name to be."""
    if not isinstance(test, ir.Operator) or test.op is not ir.Op.EQ:
        return None
    texts = [part.value for part in test.operands if isinstance(part, ir.Literal)]
    named = any(isinstance(part, ir.Name) and part.id == name for part in test.operands)
    return texts[0] if named and texts and isinstance(texts[0], str) else None
