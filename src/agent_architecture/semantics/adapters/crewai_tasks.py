"""What CrewAI's tasks are told: by each other, the answers of the tasks before, or of those that `context` names; by
the code that starts their crew, the inputs.

Rules: crewai/crew.py (`_interpolate_inputs`: the texts of agents and tasks; `_get_context`: under the sequential
process a task without `context` gets what all tasks before it answered). A crew under a manager is left out: there the
manager decides what each agent is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api, Const, Entries, Values
from agent_architecture.semantics.adapters.crewai import CREW, crew_calls, is_hierarchical
from agent_architecture.semantics.matching.read import at_call, expressions
from agent_architecture.semantics.packs.addresses import parse_address
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

TASKS: Final = parse_address("tasks[]")
MEMBERS: Final = parse_address("agents[]")
CONTEXT: Final = parse_address("context | config.context")
NAMED: Final = parse_address("context[] | config.context[]")
INPUTS: Final = parse_address("inputs | 0")
TASK: Final = "py:crewai.Task"
AGENT: Final = parse_address("agent | config.agent")


def tasks_in_words(context: Context) -> Iterator[tuple[ir.Call, tuple[ir.Call, ...], Span | None]]:
    """Each task that is told what tasks of other agents answered, with these, and where it says which they are."""
    for crew in crew_calls(context, CREW):
        if is_hierarchical(context, crew):
            continue
        tasks = _calls(at_call(context.program, crew, None, TASKS).values)
        for number, task in enumerate(tasks):
            before = tuple(one for one in _before(context, task, tasks[:number]) if _is_other(context, one, task))
            if before:
                named = expressions(context.program, task, CONTEXT)
                yield task, before, next((each.span for each in named if task.span.contains(each.span)), None)


def tasks_of(context: Context, crew: Match) -> tuple[ir.Call, ...]:
    """The tasks of a crew, by the call that makes it; none of anything else."""
    if not isinstance(crew.node, ir.Call) or context.packs.canonical(crew.api.path) != CREW:
        return ()
    return _calls(at_call(context.program, crew.node, None, TASKS).values)


def members_of(context: Context, crew: Match) -> tuple[Match, ...]:
    """The agents of a crew, by the call that makes it; none of anything else."""
    if not isinstance(crew.node, ir.Call) or context.packs.canonical(crew.api.path) != CREW:
        return ()
    return tuple(context.made_by(at_call(context.program, crew.node, None, MEMBERS).values, "agent"))


def started_with(context: Context) -> Iterator[tuple[Match, tuple[tuple[str, ir.Expr], ...]]]:
    """Each start of a crew with its inputs by their names: they fill the places of its agents' and tasks' texts."""
    for run in context.of_kind("run"):
        if run.arguments is not None and context.packs.canonical(run.api.path).startswith(f"{CREW}()."):
            given = expressions(context.program, run.arguments, INPUTS)
            values = (value for expr in given for value in context.program.value_of(expr))
            found = tuple(entry for value in values if isinstance(value, Entries) for entry in value.entries)
            if found:
                yield run, found


def briefed_tasks(context: Context) -> Iterator[tuple[Match, tuple[ir.Expr, ...], tuple[Match, ...]]]:
    """Each task with what its description is made of, and the agents that do it."""
    for match in context.of_kind("prompt"):
        if context.packs.canonical(match.api.path) == TASK and isinstance(match.node, ir.Call):
            texts = expressions(context.program, match.node, match.row.properties["content"])
            yield match, texts, doing(context, match.node)


def doing(context: Context, task: ir.Call) -> tuple[Match, ...]:
    """The agents that do a task."""
    return tuple(context.made_by(at_call(context.program, task, None, AGENT).values, "agent"))


def _before(context: Context, task: ir.Call, earlier: tuple[ir.Call, ...]) -> tuple[ir.Call, ...]:
    written = at_call(context.program, task, None, CONTEXT).values
    if not written:
        return earlier
    if any(isinstance(value, Const) for value in written):
        return ()
    return _calls(at_call(context.program, task, None, NAMED).values)


def _is_other(context: Context, one: ir.Call, task: ir.Call) -> bool:
    """Whether two tasks are done by agents that are known and differ."""
    first, second = doing(context, one), doing(context, task)
    return bool(first and second) and {id(m.node) for m in first}.isdisjoint(id(m.node) for m in second)


def _calls(values: Values) -> tuple[ir.Call, ...]:
    found = (value.node for value in values if isinstance(value, Api) and isinstance(value.node, ir.Call))
    return tuple(dict.fromkeys(found))
