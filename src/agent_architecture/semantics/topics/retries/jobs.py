"""Jobs of queues: which code does them, and whether an agent has to do with them.

A queue repeats a job somewhere else than where it is started. A job that asks no model, runs no agent or tool and that
no tool, step or loop of an agent starts is the business of the program around the agent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import callee_name
from agent_architecture.names.values import ClassValue, Func
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.loops.reached_work import Reached, Work
    from agent_architecture.semantics.matching.match import Match

JOB: Final = "job"
"""The `scope` of a row that repeats the jobs of a queue."""
RUN: Final = "run"
BASE: Final = "base"
ADDING: Final = frozenset({"add", "addBulk"})
"""Methods that put a job on a queue object."""


def is_job(work: Work, match: Match) -> bool:
    """Whether a retry is that of a queue."""
    return effective(work.context, match, "scope").value == JOB


def done_by(work: Work, match: Match) -> Iterator[ir.Function]:
    """The functions that do the jobs of a retry: what it decorates or its call names, else what the workers of its
    queue run.
    """
    if isinstance(match.node, ir.Class):
        yield from _of_base(work.context.program, match.node)
        return
    own = (match.node,) if isinstance(match.node, ir.Function) else tuple(_functions(work, match))
    if own:
        yield from own
        return
    queue = effective(work.context, match, "name")
    for worker in work.context.of_kind("limiter") if queue.is_known and queue.values else ():
        if worker.row.where.pack == match.row.where.pack:
            name = effective(work.context, worker, "name")
            if name.is_known and set(name.values) & set(queue.values):
                yield from _functions(work, worker)


def _of_base(program: Program, cls: ir.Class) -> Iterator[ir.Function]:
    """The jobs of a base of tasks: its own `run` and those of what derives from it, and the functions that name it in
    their decorator (`@app.task(base=Base)`).
    """
    family = (cls, *program.subclasses(cls))
    yield from (node for each in family for node in each.body if isinstance(node, ir.Function) and node.name == RUN)
    functions = [function for module in program.modules for function in module.index.functions if function.decorators]
    for function in functions:
        calls = (each for each in function.decorators if isinstance(each, ir.Call))
        bases = (v for call in calls for a in call.args if a.keyword == BASE for v in program.value_of(a.value))
        if any(isinstance(value, ClassValue) and value.cls in family for value in bases):
            yield function


def _functions(work: Work, match: Match) -> Iterator[ir.Function]:
    address = match.row.relations.get("function")
    if address is not None:
        read = at_call(work.context.program, match.arguments, match.api.receiver, address)
        yield from (value.function for value in read.values if isinstance(value, Func))


class Started:
    """Which jobs the tools, loops and graph steps of agents start."""

    def __init__(self, work: Work, bodies: Iterable[Iterable[ir.Node]]) -> None:
        self._work = work
        self._bodies = bodies
        self._calls: tuple[ir.Call, ...] | None = None

    def is_apart(self, match: Match, functions: tuple[ir.Function, ...], reached: Reached | None) -> bool:
        """Whether no agent has to do with a job whose code can be read to its end."""
        if not functions or reached is None or reached.acts or reached.handed or _is_open(reached):
            return False
        return not any(self._starts(call, match, functions) for call in self._own())

    def _own(self) -> tuple[ir.Call, ...]:
        """The calls that agents come to in their tools, loops and steps."""
        if self._calls is None:
            nodes = {id(node): node for body in self._bodies for node in body}
            self._calls = tuple(node for node in nodes.values() if isinstance(node, ir.Call))
        return self._calls

    def _starts(self, call: ir.Call, match: Match, functions: tuple[ir.Function, ...]) -> bool:
        if call is match.node:
            return True
        program = self._work.context.program
        if any(callee in functions for callee in program.callees(call)):
            return True
        if not isinstance(call.callee, ir.Member):
            return False
        values = program.value_of(call.callee.target)
        if any(isinstance(value, Func) and value.function in functions for value in values):
            return True  # `notify.delay(…)`
        made = self._work.context.made_by(values, "retry") if callee_name(call.callee) in ADDING else ()
        return any(one.node is match.node for one in made)


def _is_open(reached: Reached) -> bool:
    """Whether what a job calls is picked from a table when it runs."""
    return any(isinstance(node, ir.Call) and isinstance(node.callee, ir.Index) for node in reached.nodes)
