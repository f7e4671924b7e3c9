"""Code that no caller switches on: it stands behind a test that all of them answer otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.switches import settled
from agent_architecture.semantics.control.condition import Condition
from agent_architecture.semantics.control.conditions_of_project import conditions_of

if TYPE_CHECKING:
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.syntax import ir


def is_switched_off(context: Context, node: ir.Node) -> bool:
    """Whether a node stands where no caller comes to."""
    program = context.program
    scope = program.scope_of(node)
    known = (one for one in conditions_of(context).at(node) if isinstance(one, Condition))
    return any(
        one.holds is not None and program.scope_of(one.expr) is scope and settled(program, one.expr) is (not one.holds)
        for one in known
    )
