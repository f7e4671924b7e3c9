"""Questions that belong to a command of the user's own: `if said == "/clear": clear()`, which asks before it clears.

No model can call such a command: a person typed it, and what it asks is about what that person wants done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.callers import on_ways
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


def is_of_own_command(context: Context, node: ir.Node) -> bool:
    """Whether code is come to only where a person typed a command: on every way to it."""

    def found_at(place: ir.Node, _owner: ir.Scope) -> bool | None:
        return True if held(conditions_of(context).at(place), _asks_for_command) else None

    program = context.program
    found, every_way = on_ways(program, node, program.scope_of(node), found_at, UPWARDS)
    return bool(found) and every_way


def _asks_for_command(condition: Condition) -> dict[str, bool]:
    test = condition.expr
    if condition.holds is not True or not isinstance(test, ir.Operator) or test.op not in {ir.Op.EQ, ir.Op.IN}:
        return {}
    texts = [node.value for node in ir.walk(test) if isinstance(node, ir.Literal)]
    return {"": True} if any(isinstance(text, str) and COMMAND.search(text) for text in texts) else {}
