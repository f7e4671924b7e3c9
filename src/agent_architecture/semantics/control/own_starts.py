"""Code that runs only where its own file is started: a command line beside what other files take from it.

A program that imports the file never comes there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.lookup import visible_bindings
from agent_architecture.semantics.callgraph.callers import on_ways
from agent_architecture.semantics.callgraph.processes import asks_if_main
from agent_architecture.semantics.control.condition import held
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.control.condition import Condition
    from agent_architecture.semantics.matching.context import Context

UPWARDS: Final = 4
"""Calls followed from code to the test whether its file was started."""


def runs_by_own_start(context: Context, node: ir.Node) -> bool:
    """Whether code is come to only under `if __name__ == "__main__":` or its like in its own file, through calls of its
    function: not where another file is started that loads this one.
    """
    program = context.program

    def said(condition: Condition) -> dict[str, bool]:
        return {"": True} if condition.holds is True and _is_started(program, condition.expr) else {}

    def found_at(place: ir.Node, _owner: ir.Scope) -> bool | None:
        is_own = place.span.path == node.span.path
        return is_own if not is_own or held(conditions_of(context).at(place), said) else None

    found, every_way = on_ways(program, node, program.scope_of(node), found_at, UPWARDS)
    return bool(found) and all(found) and every_way


def _is_started(program: Program, test: ir.Expr) -> bool:
    """Whether a test asks if its file was started, in place or as a name of what asks it."""
    if isinstance(test, ir.Name):
        values = [binding.value for binding in visible_bindings(program, test)]
        return bool(values) and all(value is not None and asks_if_main(value) for value in values)
    return asks_if_main(test)
