"""Delegation through code that runs another agent: of a tool (`@tool def ask_billing(question): return
billing(question)`), or of a step of a graph (`graph.add_node("billing", lambda state: billing.invoke(state))`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.system import Handoff
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Func
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.adapters.langgraph_mounts import steps_added
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.system import Agent
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.match import Match


class Step(NamedTuple):
    """A run of other agents by the code of a graph's step: `run` is the call in that code which does it, or leads there
    through others.
    """

    graph: Match
    code: ir.Function
    run: ir.Node
    targets: tuple[Agent, ...]


def nested_runs(work: Work) -> Iterator[Handoff]:
    """The edges from an agent to those that the code of its tools or steps runs, where the tool is bound or the step
    runs them, each once.

    An agent that runs itself by a tool is nested, but hands nothing over.
    """
    agents = work.agents
    known = {(id(edge.source), id(edge.target)) for edge in agents.handoffs}
    run: dict[int, tuple[Agent, ...]] = {}
    for match in work.context.of_kind("agent"):
        source = agents.agent_of(match)
        for expr, values in agents.bound(match, "tools"):
            tools = (agents.tool_of(expr, value, match) for value in values)
            for function in (agents.code[id(tool)] for tool in tools if id(tool) in agents.code):
                if id(function) not in run:
                    run[id(function)] = tuple(_run_by(work, function))
                for target in run[id(function)]:
                    if target is not source and (id(source), id(target)) not in known:
                        known.add((id(source), id(target)))
                        yield _edge(source, target, expr)
    stepped: set[tuple[int, int, int]] = set()
    for step in running_steps(work):
        source = agents.agent_of(step.graph)
        for target in step.targets:
            key = id(source), id(target), id(step.run)
            if target is not source and key[:2] not in known and key not in stepped:
                stepped.add(key)
                yield _edge(source, target, step.run)


def _edge(source: Agent, target: Agent, at: ir.Node) -> Handoff:
    return Handoff(at.span, f"{source.symbol} → {target.symbol}", source.framework, source, target)


def running_steps(work: Work) -> Iterator[Step]:
    """The runs of other agents by the steps of graphs, by graph and step."""
    program = work.context.program
    for graph, added in steps_added(work.context):
        for value in program.value_of(added):
            if isinstance(value, Func):
                for run in _runs(work, value.function):
                    targets = tuple(work.agents.agent_of(match) for match in run_agents(work.context, run))
                    yield Step(graph, value.function, _in_step(work, value.function, run), targets)


def _in_step(work: Work, step: ir.Function, run: Match) -> ir.Node:
    """The run itself where the step's own code has it, else the first call there that leads to it."""
    calls = own_nodes(step, ir.Call)
    if any(call is run.node for call in calls):
        return run.node
    inner = ((call, callee) for call in calls for callee in work.context.program.callees(call))
    return next((call for call, callee in inner if any(ask.node is run.node for ask in _runs(work, callee))), run.node)


def _run_by(work: Work, function: ir.Function) -> Iterator[Agent]:
    """The agents that a function runs, directly or through others."""
    for run in _runs(work, function):
        yield from (work.agents.agent_of(match) for match in run_agents(work.context, run))


def _runs(work: Work, function: ir.Function) -> Iterator[Match]:
    return (ask for ask in work.inside(*function.body).asks if ask.row.kind == "run")
