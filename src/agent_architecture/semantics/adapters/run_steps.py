"""The functions that the steps of graphs run: of those that LangGraph builds, and of those whose steps are code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.semantics.adapters.asking_graphs import asking_graphs
from agent_architecture.semantics.adapters.langgraph import node_functions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.syntax import ir


def run_steps(context: Context) -> Mapping[int, tuple[ir.Function, ...]]:
    """The functions of the steps of every graph, by the id of the node that makes it or its builder."""
    return context.once(_found)


def graph_of(context: Context, agent: Match) -> int:
    """Under which id the graph of an agent stands there, should it be one."""
    builder = context.made(agent.api, "graph")
    return id((agent if builder is None else builder).node)


def steps_run(context: Context, call: ir.Call) -> tuple[ir.Function, ...]:
    """The functions that a run of a graph calls: those of its steps."""
    run, found = context.at(call, "run"), run_steps(context)
    if run is None or not found:
        return ()
    made = dict.fromkeys(id(one.node) for kind in ("graph", "agent") for one in context.made_by([run.api], kind))
    return tuple(function for key in made for function in found.get(key, ()))


def _found(context: Context) -> dict[int, tuple[ir.Function, ...]]:
    of_code = {
        key: tuple(function for run in graph.actions.values() for function in run)
        for key, graph in asking_graphs(context).items()
    }
    return {**node_functions(context), **of_code}
