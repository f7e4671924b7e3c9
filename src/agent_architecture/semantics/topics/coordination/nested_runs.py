"""Delegation through a tool's own code: `@tool def ask_billing(question): return billing(question)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.system import Handoff
from agent_architecture.semantics.loops.sites import run_agents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.system import Agent
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.syntax import ir


def nested_runs(work: Work) -> Iterator[Handoff]:
    """The edges from an agent to those that the code of its tools runs, where the tool is bound, each once.

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
                        symbol = f"{source.symbol} → {target.symbol}"
                        yield Handoff(expr.span, symbol, source.framework, source, target)


def _run_by(work: Work, function: ir.Function) -> Iterator[Agent]:
    """The agents that a function runs, directly or through others."""
    runs = (ask for ask in work.inside(*function.body).asks if ask.row.kind == "run")
    for run in runs:
        yield from (work.agents.agent_of(match) for match in run_agents(work.context, run))
