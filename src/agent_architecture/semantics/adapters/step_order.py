"""Which steps of a graph run before a step, in one run: what another step writes later, this one never reads.

Only for graphs whose state ends with their run: what a saver or a platform keeps, the next run's first step reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.semantics.adapters.attached_savers import ATTRIBUTE, attached
from agent_architecture.semantics.adapters.deployments import exported_agents
from agent_architecture.semantics.adapters.graphs import after, resolved
from agent_architecture.semantics.adapters.langgraph import built_graphs
from agent_architecture.semantics.adapters.step_names import END, START
from agent_architecture.semantics.callgraph.callers import above

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.adapters.graphs import Built
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.syntax import ir

DEPTH: Final = 3
"""Functions through which a step hands its state on."""


class StepOrder:
    """Answers for all graphs of a program."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._later: dict[int, dict[str, frozenset[str]]] | None = None
        self._before: dict[tuple[int, int], frozenset[int] | None] = {}

    def before(self, graph: int, reader: ir.Function) -> frozenset[int] | None:
        """The ids of the functions of all steps that can run before a step does (itself, too, where the graph comes
        back to it), or before the step that hands its state to this function. None where that cannot be said.

        `graph` is the id of the node that makes its builder.
        """
        key = graph, id(reader)
        if key not in self._before:
            self._before[key] = self._asked(graph, reader)
        return self._before[key]

    def _asked(self, graph: int, reader: ir.Function) -> frozenset[int] | None:
        later = self._orders().get(graph)
        if later is None:
            return None
        actions = built_graphs(self._context)[graph].actions
        own = {id(scope) for scope in above(self._context.program, [reader], DEPTH)}
        steps = {label for label, functions in actions.items() if any(id(function) in own for function in functions)}
        if not steps:
            return None
        earlier = (label for label in actions if later.get(label, frozenset()) & steps)
        return frozenset(id(function) for label in earlier for function in actions[label])

    # --------------------------------------------------------------------------------------------------------- graphs
    def _orders(self) -> dict[int, dict[str, frozenset[str]]]:
        """Of each graph that can be read, what runs after each of its steps."""
        if self._later is None:
            kept = {id(match.node) for match in self._kept()}
            self._later = {
                key: {step: after(edges, step) for step in edges}
                for key, graph in built_graphs(self._context).items()
                if key not in kept and is_whole(graph)
                for edges in (resolved(graph.edges, graph.nodes),)
            }
        return self._later

    def _kept(self) -> Iterator[Match]:
        """The builders of graphs whose state outlives a run, or that are steps of others."""
        every = any(attached(self._context.program))
        exported = {id(match.node) for match in exported_agents(self._context)}
        inner = {id(match.node) for graph in built_graphs(self._context).values() for match in graph.inner}
        for match in self._context.of_kind("agent"):
            builder = self._context.made(match.api, "graph")
            saved = any(argument.keyword in {ATTRIBUTE, None} for argument in match.given)
            if builder is not None and (every or saved or id(match.node) in exported | inner):
                yield builder


def is_whole(graph: Built) -> bool:
    """Whether all steps are functions that are known, under the names that edges have for them."""
    steps = graph.nodes | {step for edge in graph.edges for step in edge} - {START, END}
    return not graph.passes and not graph.inner and bool(steps) and steps <= graph.actions.keys()
