"""Agents to which a graph passes the work because a model chose them: a supervisor names the next worker, and the node
of that name runs an agent. An edge that code chooses, or that is fixed, passes nothing on: it is how the graph works.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree, weakest
from agent_architecture.model.decisions import Deciding
from agent_architecture.model.system import Handoff
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Const
from agent_architecture.semantics.adapters.langgraph import built_graphs
from agent_architecture.semantics.adapters.langgraph_decisions import decided_edges
from agent_architecture.semantics.adapters.step_names import ANY
from agent_architecture.semantics.loops.sites import agents_run
from agent_architecture.semantics.topics.decisions.routers import of_branch
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.system import Agent
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.adapters.graphs import Built
    from agent_architecture.semantics.adapters.langgraph_decisions import Branch
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

COMMAND: Final = "Command"
WHERE: Final = "goto"


def chosen_agents(work: Work) -> Iterator[Handoff]:
    """The edges from each compiled graph to the agents that the nodes run among which a model chooses, each once."""
    context, agents = work.context, work.agents
    compiled: dict[int, list[Match]] = {}
    for match in context.of_kind("agent"):
        builder = context.made(match.api, "graph")
        if builder is not None:
            compiled.setdefault(id(builder.node), []).append(match)
    found: dict[tuple[Span, Span, Span], Handoff] = {}
    for branch in decided_edges(context) if compiled else ():
        spans = tuple(_chosen_at(context.program, branch)) if branch.graph in compiled else ()
        if not spans or of_branch(context, branch).by is not Deciding.MODEL:
            continue
        for target, degree in _targets(work, built_graphs(context)[branch.graph], branch):
            for source in map(agents.agent_of, compiled[branch.graph]):
                if source.span != target.span:
                    symbol = f"{source.symbol} → {target.symbol}"
                    for span in spans:
                        edge = Handoff(span, symbol, source.framework, source, target, degree)
                        found.setdefault((span, source.span, target.span), edge)
    yield from found.values()


def _chosen_at(program: Program, branch: Branch) -> Iterator[Span]:
    """Where a branch goes one of several ways: the conditional edge, or each `Command` that does not say which."""
    commands = [
        (call, argument.value)
        for function in branch.functions
        for call in own_nodes(function, ir.Call)
        if isinstance(call.callee, ir.Name) and call.callee.id == COMMAND
        for argument in call.args
        if argument.keyword == WHERE
    ]
    if not commands:
        yield branch.span
    for call, way in commands:
        values = program.value_of(way)
        if not values or not all(isinstance(value, Const) for value in values):
            yield call.span


def _targets(work: Work, graph: Built, branch: Branch) -> Iterator[tuple[Agent, Degree]]:
    """The agents that the nodes run to which a branch can lead; where nobody tells which these are, of all but those
    that choose.
    """
    is_open = ANY in branch.targets
    for label in sorted(graph.actions if is_open else {*branch.targets} & graph.actions.keys()):
        functions = graph.actions[label]
        if any(choice.function in branch.functions for choice in graph.decides.get(label, ())):
            continue
        for function in functions:
            for ask in work.inside(*function.body).asks:
                for agent in agents_run(work.context, work.agents, ask) if ask.row.kind == "run" else ():
                    yield agent, weakest((agent.degree, Degree.INFERRED)) if is_open else agent.degree
