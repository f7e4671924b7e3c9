"""LlamaIndex's workflows as graphs: a step follows those that give back an event which it takes.

Rows cannot say this: the edges are the types in the signatures of methods. Rule: workflows/decorators.py (`step`: which
events a step takes and gives is read of its annotations) and workflows/context (`send_event`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.classes import lineage
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import ClassValue, Instance
from agent_architecture.semantics.adapters.agent_graphs import agent_graphs
from agent_architecture.semantics.adapters.graphs import Built
from agent_architecture.semantics.adapters.langgraph_choices import Choice
from agent_architecture.semantics.adapters.step_types import named_types
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.packs.packs import Packs

WORKFLOW: Final = "py:workflows.Workflow"
STEP: Final = "py:workflows.step"
SENDING: Final = "send_event"


def event_workflows(context: Context) -> dict[int, Built]:
    """The graph of every workflow that is made, by the node that makes it."""
    return agent_graphs(context, {WORKFLOW}, _graph)


def steps_of(program: Program, packs: Packs, match: Match) -> tuple[ir.Function, ...]:
    """The steps of a workflow: decorated methods of its class and of those above, the first of a name."""
    made = match.node if isinstance(match.node, ir.Call) else None
    values = () if made is None else program.value_of(made.callee)
    family = [each for value in values if isinstance(value, ClassValue) for each in lineage(program, value.cls)]
    methods = [node for cls in reversed(family) for node in cls.body if isinstance(node, ir.Function)]
    return tuple({m.name: m for m in methods if any(_is_step(program, packs, d) for d in m.decorators)}.values())


def _is_step(program: Program, packs: Packs, decorator: ir.Expr) -> bool:
    callee = decorator.callee if isinstance(decorator, ir.Call) else decorator
    return any(packs.canonical(api.path) == STEP for api in resolved(program, callee))


def _graph(context: Context, match: Match) -> Built:
    program = context.program
    graph = Built(passes=False)
    steps = steps_of(program, context.packs, match)
    takes = {
        step.name: {event for param in step.params for event in named_types(program, param.annotation)}
        for step in steps
    }
    for step in steps:
        given = {*named_types(program, step.returns), *_sent(program, step)}
        following = {(step.name, other) for other, taken in takes.items() if taken & given}
        graph.nodes.add(step.name)
        graph.actions[step.name] = [step]
        graph.edges |= following
        if len(given) > 1:
            graph.decides[step.name] = [Choice(context, step)]
            graph.decided |= following
    return graph


def _sent(program: Program, step: ir.Function) -> Iterator[str]:
    """The classes of events that a step sends by itself."""
    for call in own_nodes(step, ir.Call):
        if isinstance(call.callee, ir.Member) and call.callee.name == SENDING and call.args:
            for value in program.value_of(call.args[0].value):
                if isinstance(value, Instance):
                    yield f"{value.cls.span.path}:{value.cls.span.line}"
