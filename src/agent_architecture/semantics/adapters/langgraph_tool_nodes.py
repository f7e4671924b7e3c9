"""The steps of LangGraph graphs that run what a model picked, by name: a pause before them asks about each call.

An adapter of one framework's graphs; which tools are bound to them is for `bindings`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.semantics.adapters.asking_graphs import asking_graphs
from agent_architecture.semantics.adapters.langgraph import NODE, builder_calls, built_graphs, node_functions
from agent_architecture.semantics.adapters.langgraph_routes import at, labels
from agent_architecture.semantics.matching.picked_tools import CALLS, is_picked
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match


def acting_nodes(context: Context, agent: Match) -> frozenset[str]:
    """The names of the steps of a compiled graph that run tools; nothing for any other agent."""
    builders = context.made_by([agent.api], "graph")
    return frozenset(name for builder in builders for name in _all(context).get(id(builder.node), ()))


def asking_steps(context: Context, agent: Match) -> Iterator[Match]:
    """The requests that the steps of a compiled graph, or of a workflow of events, make by their own code, where a step
    runs what was picked.
    """
    functions = list(_own_steps(context, agent)) if acting_nodes(context, agent) else []
    workflow = context.once(asking_graphs).get(id(agent.node))
    steps = [] if workflow is None else [step for run in workflow.actions.values() for step in run]
    functions += steps if any(_runs_picked(context, step) for step in steps) else []
    for function in functions:
        calls = context.program.structure(function).calls
        yield from (one for call in calls if (one := context.at(call, "model_call")) is not None)


def steps_of(context: Context, agent: Match) -> tuple[ir.Function, ...]:
    """The project's functions that are steps of a compiled graph, or of a workflow of events."""
    workflow = context.once(asking_graphs).get(id(agent.node))
    inner = () if workflow is None else (step for run in workflow.actions.values() for step in run)
    return (*_own_steps(context, agent), *inner)


def _own_steps(context: Context, agent: Match) -> Iterator[ir.Function]:
    for builder in context.made_by([agent.api], "graph"):
        yield from node_functions(context).get(id(builder.node), ())


def _all(context: Context) -> dict[int, set[str]]:
    return context.once(_named)


def _named(context: Context) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for key, site in builder_calls(context, NODE):
        values = [value for argument in site.call.args[:2] for value in context.program.value_of(argument.value)]
        if context.made_by(values, "tool_set"):
            named = [label for value in at(context, site.call, "0 | node") for label in labels(context, value)]
            found.setdefault(key, set()).update(named or ["tools"])
    for key, graph in built_graphs(context).items():
        for name, functions in graph.actions.items():
            if any(_runs_picked(context, function) for function in functions):
                found.setdefault(key, set()).add(name)
    return found


def _runs_picked(context: Context, function: ir.Function) -> bool:
    """Whether a step goes through the calls that a model picked and asks no model itself."""
    structure = context.program.structure(function)
    if any(context.at(call, "model_call", "run") is not None for call in structure.calls):
        return False
    sources = (node.source for node in structure.nodes if isinstance(node, ir.Loop) and node.source is not None)
    return any(is_picked(context.program, source, CALLS) for source in sources)


def graphs_around(context: Context, call: ir.Node) -> tuple[Match, ...]:
    """The compiled graphs of which a step makes a call by its own code."""
    scope = context.program.scope_of(call)
    keys = {key for key, functions in node_functions(context).items() if any(each is scope for each in functions)}
    agents = context.of_kind("agent") if keys else ()
    return tuple(a for a in agents if any(id(b.node) in keys for b in context.made_by([a.api], "graph")))


def steps_beside(context: Context, call: ir.Node) -> tuple[ir.Function, ...]:
    """The other steps of the graphs of which a step makes a call by its own code."""
    scope = context.program.scope_of(call)
    around = [each for each in node_functions(context).values() if any(step is scope for step in each)]
    return tuple(dict.fromkeys(step for each in around for step in each if step is not scope))
