"""Arguments in whose place something else is taken where a test says no: `program if program in ALLOWED else "date"`.

Says what was asked of what a call is given; what that is worth is for who reads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from agent_architecture.semantics.callgraph.tool_arguments import sides_to
from agent_architecture.semantics.control.condition import held
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agent_architecture.semantics.callgraph.tool_arguments import Body
    from agent_architecture.semantics.control.condition import Condition
    from agent_architecture.semantics.matching.context import Context

K = TypeVar("K")
T = TypeVar("T")


def chosen(context: Context, body: Body, call: ir.Call, said: Callable[[Condition], Mapping[K, T]]) -> dict[K, T]:
    """What is said, by `said`, of an argument on each way on which it gets into what a call is given: on each it stands
    on a side of a conditional expression.
    """
    found: dict[K, T] = {}
    for part in ir.parts_of(call):
        for ways in sides_to(context.program, body, part).values():
            if all(ways):
                each = [held(conditions_of(context).at(sides[-1]), said) for sides in ways]
                found |= {one: node for one, node in each[0].items() if all(one in other for other in each)}
    return found
