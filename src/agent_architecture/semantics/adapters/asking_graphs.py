"""Graphs whose steps are code of the project: agents where a step asks a model or runs an agent, and else none.

Which steps one has is for the adapter of its library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api
from agent_architecture.semantics.adapters import (
    burr_applications,
    event_handlers,
    event_workflows,
    pocket_flows,
    pydantic_graphs,
)
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.matching.makers import receivers
from agent_architecture.semantics.matching.read import at_call

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.adapters.graphs import Built
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.packs.packs import Packs
    from agent_architecture.syntax import ir

    Steps = Callable[[Program, Packs, Match], Iterable[ir.Function]]

ASKING: Final = frozenset({"model_call", "run"})
STEPS: Final[Mapping[str, Steps]] = {
    event_workflows.WORKFLOW: event_workflows.steps_of,
    event_handlers.WORKFLOW: event_handlers.steps_of,
    pydantic_graphs.GRAPH: pydantic_graphs.steps_of,
    pydantic_graphs.BUILT: pydantic_graphs.steps_of,
    **dict.fromkeys(pocket_flows.FLOWS, pocket_flows.steps_of),
    **dict.fromkeys(burr_applications.BUILT, burr_applications.steps_of),
}
"""The functions that the graphs of each library run, by the call that makes one."""
READERS: Final = (
    event_workflows.event_workflows,
    event_handlers.event_handlers,
    pydantic_graphs.pydantic_graphs,
    pocket_flows.pocket_flows,
    burr_applications.burr_applications,
)


def asking_graphs(context: Context) -> dict[int, Built]:
    """The graphs of these libraries, by the node that makes the agent."""
    return {node: graph for read in READERS for node, graph in context.once(read).items()}


def without_plain_graphs(program: Program, packs: Packs, matches: tuple[Match, ...]) -> tuple[Match, ...]:
    """The matches without those of graphs whose steps ask no model and run no agent, and without their runs."""
    made = [match for match in matches if match.row.kind == "agent" and packs.canonical(match.api.path) in STEPS]
    if not made:
        return matches
    asks = {id(match.node) for match in matches if match.row.kind in ASKING}
    plain = {id(match.node) for match in made if not _asks(program, packs, match, asks)}
    return tuple(m for m in matches if m.row.kind not in {"agent", "run"} or not _belongs(program, m, plain))


def _asks(program: Program, packs: Packs, match: Match, asks: set[int]) -> bool:
    steps = STEPS[packs.canonical(match.api.path)](program, packs, match)
    return any(id(node) in asks for step in steps for node in extent(program, step.body, ()).nodes())


def _belongs(program: Program, match: Match, plain: set[int]) -> bool:
    """Whether a match is one of these graphs, or a run of one, by its method or as what it is given."""
    if id(match.node) in plain or any(id(api.node) in plain for api in receivers(match.api)):
        return True
    address = match.row.relations.get("agent") if match.row.kind == "run" else None
    values = () if address is None else at_call(program, match.arguments, match.api.receiver, address).values
    return any(
        id(one.node) in plain for value in values if isinstance(value, Api) for one in (value, *receivers(value))
    )
