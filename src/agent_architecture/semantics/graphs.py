"""Graphs of steps: whether a run of one can come back to a model, and which agents deployment files export.

Lifters read nodes and edges (each library has its own calls for them); this module answers the questions that sites
ask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import ABSENT, Setting
from agent_architecture.semantics.effective import library_default

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_architecture.semantics.agents import Agents
    from agent_architecture.semantics.context import Context
    from agent_architecture.semantics.match import Match

ANY: Final = "*"
"""A target that cannot be read: any node of the graph."""
START: Final = "__start__"
END: Final = "__end__"


class Built:
    """A graph as its builder was told: node names, edges, the agents that are nodes, and whether it passes work
    among agents.
    """

    __slots__ = ("edges", "inner", "nodes", "passes")

    def __init__(self, *, passes: bool) -> None:
        self.nodes: set[str] = set()
        self.edges: set[tuple[str, str]] = set()
        self.inner: list[Match] = []
        self.passes = passes

    def is_cyclic(self) -> bool:
        """Whether a node can be reached from itself."""
        return self.passes or _has_cycle(_resolved(self.edges, self.nodes))


class Graphs:
    """All graphs of the program, by the node that makes their builder, and the agents that are exported."""

    def __init__(
        self, context: Context, agents: Agents, built: Mapping[int, Built], exports: tuple[Match, ...]
    ) -> None:
        self._context = context
        self._agents = agents
        self._built = built
        self.exported = exports
        """The agents that deployment files name, by position."""

    def repeats(self, agent: Match) -> bool:
        """Whether a run of an agent can come back to a model: its graph has a cycle, or it has something to call."""
        return self._repeats(agent, frozenset())

    def _repeats(self, agent: Match, around: frozenset[int]) -> bool:
        builder = self._context.made(agent.api, "graph")
        graph = self._built.get(id(agent.node if builder is None else builder.node))
        if graph is None:
            return self._agents.can_act(agent)
        if graph.is_cyclic():
            return True
        seen = around | {id(agent.node)}
        return any(self._repeats(inner, seen) for inner in graph.inner if id(inner.node) not in seen)

    def run_default(self, match: Match) -> Setting:
        """The step limit that a run of this agent has when nobody writes one: that of its library's run call."""
        path = self._context.packs.canonical(match.api.path)
        for name in ("invoke", "run", "stream"):
            for row in self._context.packs.entities(f"{path}().{name}"):
                if row.kind == "run":
                    return library_default(self._context, match._replace(row=row), "step_limit")
        return ABSENT


def _resolved(edges: set[tuple[str, str]], names: set[str]) -> dict[str, set[str]]:
    """Edges as a mapping, `ANY` replaced by every node."""
    table: dict[str, set[str]] = {}
    every = names | {a for a, _ in edges} | {b for _, b in edges}
    every -= {ANY, START, END}
    for source, target in edges:
        for a in every if source == ANY else {source}:
            table.setdefault(a, set()).update(every if target == ANY else {target})
    return table


def _has_cycle(table: dict[str, set[str]]) -> bool:
    for start, targets in table.items():
        seen: set[str] = set()
        stack = list(targets)
        while stack:
            node = stack.pop()
            if node == start:
                return True
            if node not in seen:
                seen.add(node)
                stack.extend(table.get(node, ()))
    return False
