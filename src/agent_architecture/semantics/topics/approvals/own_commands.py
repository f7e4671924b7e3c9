"""Questions that belong to a command of the user's own: `if said == "/clear": clear()`, which asks before it clears.

No model can call such a command: a person typed it, and what it asks is about what that person wants done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.semantics.control.condition import held
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.semantics.control.condition import Condition
    from agent_architecture.semantics.matching.context import Context

UPWARDS: Final = 3
"""Calls followed from a question to the test for the command."""
COMMAND: Final = regex(r"^[/:][a-z][\w-]*$")
"""How a command is written that is typed among what is meant for an agent."""


def is_of_own_command(context: Context, node: ir.Node, calls: int = UPWARDS) -> bool:
    """Whether code is come to only where a person typed a command: on every way to it, or to each call of its function."""
    if held(conditions_of(context).at(node), _asks_for_command):
        return True
    scope = context.program.scope_of(node)
    sites = context.program.callers(scope) if calls and isinstance(scope, ir.Function) else ()
    return bool(sites) and all(is_of_own_command(context, site.call, calls - 1) for site in sites)


def _asks_for_command(condition: Condition) -> dict[str, bool]:
    if condition.holds is not True or not isinstance(condition.expr, ir.Operator):
        return {}
    if condition.expr.op not in {ir.Op.EQ, ir.Op.IN, ir.Op.OR}:
        return {}
    texts = [node.value for node in ir.walk(condition.expr) if isinstance(node, ir.Literal)]
    return {"": True} if any(isinstance(text, str) and COMMAND.search(text) for text in texts) else {}
