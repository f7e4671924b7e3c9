"""What rows cannot say of Langroid: a task speaks for the agent that it is made with, and so do the tasks below it.

Rule: langroid/agent/task.py (`Task.add_sub_task`, `Task.response`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import expressions, within
from agent_architecture.semantics.packs.addresses import parse_address
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

ADDS: Final = "add_sub_task"
METHOD: Final = "py:langroid.Task().add_sub_task"
SPEAKS_FOR: Final = parse_address("agent | 0")
BELOW: Final = tuple(
    parse_address(f"{task}.agent | {task}.0") for task in ("task", "0", "task[]", "0[]", "task[].0", "0[].0", "0.0")
)
"""The agent of a task that is added: the task alone, in a list, or in a pair with how it is run."""


def agents_of_sub_tasks(context: Context) -> Iterator[tuple[Match, ir.Expr]]:
    """The agent of each task with the expression of the agent of a task that is added below it."""
    program = context.program
    for site in program.calls(ADDS):
        paths = {context.packs.canonical(api.path) for api in resolved(program, site.call.callee)}
        if METHOD not in paths or not isinstance(site.call.callee, ir.Member):
            continue
        below = tuple(dict.fromkeys(expr for way in BELOW for expr in expressions(program, site.call, way)))
        for task in program.value_of(site.call.callee.target):
            for agent in context.made_by(within(program, task, SPEAKS_FOR).values, "agent"):
                yield from ((agent, expr) for expr in below)
