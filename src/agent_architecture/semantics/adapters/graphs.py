"""Graphs of steps: whether a run of one can come back to a model, and which agents deployment files export.

Lifters read nodes and edges (each library has its own calls for them); this module answers the questions that sites
ask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.settings import ABSENT, Setting
from agent_architecture.names.reached import reached
from agent_architecture.semantics.adapters.deployments import exported_by
from agent_architecture.semantics.adapters.step_names import ANY, END, START
from agent_architecture.semantics.matching.effective import library_default

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agent_architecture.model.system import Bound
    from agent_architecture.semantics.adapters.known_agents import KnownAgents
    from agent_architecture.semantics.adapters.langgraph_choices import Choice
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.syntax import ir


class Built:
    """A graph as its builder was told: node names, edges, the agents that are nodes, and whether it passes work
    among agents; the functions that nodes run, and those that decide where it goes on from a node.
    """

    __slots__ = (
        "actions", "bound", "decided", "decides", "edges", "inner", "is_read", "keeps_messages", "nodes", "passes"
    )  # fmt: skip

    def __init__(self, *, passes: bool) -> None:
        self.nodes: set[str] = set()
        self.edges: set[tuple[str, str]] = set()
        self.inner: list[Match] = []
        self.actions: dict[str, list[ir.Function]] = {}
        self.decides: dict[str, list[Choice]] = {}
        self.decided: set[tuple[str, str]] = set()
        """The edges that these functions choose among."""
        self.bound: Bound | None = None
        """What numbers in the state set to all its cycles."""
        self.passes = passes
        self.is_read = False
        """Whether each of its steps, and of what chooses among them, is one of the project's functions."""
        self.keeps_messages = False
        """Whether a conversation is in its state: somebody means to have a model in it."""

    def is_cyclic(self) -> bool:
        """Whether a node can be reached from itself."""
        return self.passes or bool(cyclic(resolved(self.edges, self.nodes)))


class Graphs:
    """All graphs of the program, by the node that makes their builder, and the agents that are exported."""

    def __init__(
        self, context: Context, agents: KnownAgents, built: Mapping[int, Built], exports: tuple[Match, ...]
    ) -> None:
        self._context = context
        self._agents = agents
        self._built = built
        self.exported = exports
        """The agents that deployment files name, by position."""
        self._served: dict[int, Match] | None = None

    def repeats(self, agent: Match) -> bool:
        """Whether a run of an agent can come back to a model: its graph has a cycle, or it has something to call."""
        return self._repeats(agent, frozenset())

    def is_cyclic(self, agent: Match) -> bool:
        """Whether the agent's own graph comes back to a step."""
        builder = self._context.made(agent.api, "graph")
        graph = self._built.get(id(agent.node if builder is None else builder.node))
        return graph is not None and graph.is_cyclic()

    def has_agents(self, agent: Match) -> bool:
        """Whether whole agents are steps of the agent's own graph."""
        builder = self._context.made(agent.api, "graph")
        graph = self._built.get(id(agent.node if builder is None else builder.node))
        return graph is not None and (graph.passes or bool(graph.inner))

    def is_of_functions(self, agent: Match, around: frozenset[int] = frozenset()) -> bool:
        """Whether all that a run of the agent asks is asked by the project's own functions: those of its graph's steps,
        and of the graphs that are steps of it.
        """
        builder = self._context.made(agent.api, "graph")
        graph = self._built.get(id(agent.node if builder is None else builder.node))
        if graph is None or graph.passes:
            return False
        inner = tuple(one for one in graph.inner if id(one.node) not in around)
        own = len(graph.nodes - {START, END, ANY}) > 1 or bool(graph.actions)
        return own and all(self.is_of_functions(one, around | {id(agent.node)}) for one in inner)

    def goes_its_way(self, agent: Match) -> bool:
        """Whether the agent is a graph whose edges say where it goes on, so that none of its nodes passes the work."""
        builder = self._context.made(agent.api, "graph")
        graph = self._built.get(id(agent.node if builder is None else builder.node))
        return graph is not None and not graph.passes

    def is_built(self, agent: Match) -> bool:
        """Whether the project draws the agent's graph, with a state of its own."""
        builder = self._context.made(agent.api, "graph")
        return id(agent.node if builder is None else builder.node) in self._built

    def steps(self, agent: Match) -> int:
        """How many steps the agent's own graph has; 1 for an agent that is none."""
        builder = self._context.made(agent.api, "graph")
        graph = self._built.get(id(agent.node if builder is None else builder.node))
        return 1 if graph is None else len(graph.nodes - {START, END, ANY})

    def functions(self, agent: Match, around: frozenset[int] = frozenset()) -> Iterator[ir.Function]:
        """The functions of the steps of an agent's own graph, and of the graphs that are steps of it."""
        builder = self._context.made(agent.api, "graph")
        graph = self._built.get(id(agent.node if builder is None else builder.node))
        if graph is not None and id(agent.node) not in around:
            yield from (function for name in sorted(graph.actions) for function in graph.actions[name])
            for inner in graph.inner:
                yield from self.functions(inner, around | {id(agent.node)})

    def read_steps(self, agent: Match) -> tuple[ir.Function, ...]:
        """All functions that a run of the agent's own graph may run, should it have no cycle and each be read."""
        builder = self._context.made(agent.api, "graph")
        graph = self._built.get(id(agent.node if builder is None else builder.node))
        is_plain = graph is not None and not graph.keeps_messages and not graph.is_cyclic()
        return self.all_steps(agent) if is_plain else ()

    def all_steps(self, agent: Match) -> tuple[ir.Function, ...]:
        """The same of any graph that is read as a whole, whatever its state and its edges are."""
        builder = self._context.made(agent.api, "graph")
        graph = self._built.get(id(agent.node if builder is None else builder.node))
        if graph is None or not graph.is_read:
            return ()
        choosing = (choice.function for choices in graph.decides.values() for choice in choices)
        return (*(function for run in graph.actions.values() for function in run), *choosing)

    def round_steps(self, agent: Match) -> tuple[ir.Function, ...]:
        """The functions of the steps that a graph without further agents comes back to, should each of them be read."""
        builder = self._context.made(agent.api, "graph")
        graph = self._built.get(id(agent.node if builder is None else builder.node))
        if graph is None or graph.passes or graph.inner or ANY in graph.nodes:
            return ()
        again = cyclic(resolved(graph.edges, graph.nodes))
        choosing = (choice.function for name in again for choice in graph.decides.get(name, ()))
        run = (function for name in again for function in graph.actions.get(name, ()))
        return (*run, *choosing) if all(graph.actions.get(name) for name in again) else ()

    def coming_back(self) -> Iterator[ir.Function]:
        """The functions of steps that a graph comes back to."""
        for graph in self._built.values():
            again = cyclic(resolved(graph.edges, graph.nodes))
            yield from (function for name in sorted(again) for function in graph.actions.get(name, ()))

    def deciding_before(self, function: ir.Function) -> Iterator[ir.Function]:
        """The functions of steps behind which a graph decides how it goes on, and without which no way of it leads to
        the step that runs this function.
        """
        for graph in self._built.values():
            steps = {name for name, run in graph.actions.items() if function in run}
            for name in sorted(graph.decides.keys() - steps) if steps else ():
                table = resolved(graph.edges, graph.nodes)
                if steps <= after(table, START) and steps.isdisjoint(after(table | {name: set()}, START)):
                    yield from graph.actions.get(name, ())

    def run_by_steps(self) -> Iterator[ir.Function]:
        """The functions that steps of any graph run."""
        for graph in self._built.values():
            yield from (function for run in graph.actions.values() for function in run)

    def decisions(self) -> Iterator[tuple[ir.Function, tuple[str, ...]]]:
        """The functions that decide where any graph goes on, with the steps that they choose among."""
        for graph in self._built.values():
            for name, choices in graph.decides.items():
                targets = tuple(sorted(target for source, target in graph.decided if source == name))
                yield from ((choice.function, targets) for choice in choices)

    def deciding(self) -> Iterator[ir.Function]:
        """The functions that decide where any graph goes on."""
        for graph in self._built.values():
            yield from (choice.function for choices in graph.decides.values() for choice in choices)

    def between(self, first: ir.Scope, last: ir.Scope) -> Iterator[ir.Function]:
        """The functions that decide on every way from one step of a graph to another."""
        for graph in self._built.values():
            starts, ends = (
                {name for name, run in graph.actions.items() if any(one is step for one in run)}
                for step in (first, last)
            )
            if not starts or not ends or starts & ends:
                continue
            table = resolved(graph.edges, graph.nodes)
            for node, choices in graph.decides.items():
                past = {a: targets for a, targets in table.items() if a != node}
                if node not in ends and not any(ends & after(past, start) for start in starts):
                    yield from (choice.function for choice in choices)

    def acting(self, function: ir.Function) -> tuple[Match, ...]:
        """The agents whose graphs have this function as a step."""
        keys = {key for key, graph in self._built.items() if any(function in run for run in graph.actions.values())}
        found = self._context.of_kind("agent") if keys else ()
        made = ((match, self._context.made(match.api, "graph")) for match in found)
        return tuple(match for match, builder in made if id((builder or match).node) in keys)

    def _repeats(self, agent: Match, around: frozenset[int]) -> bool:
        builder = self._context.made(agent.api, "graph")
        graph = self._built.get(id(agent.node if builder is None else builder.node))
        if graph is None:
            return self._agents.can_act(agent)
        if graph.is_cyclic():
            return True
        seen = around | {id(agent.node)}
        return any(self._repeats(inner, seen) for inner in graph.inner if id(inner.node) not in seen)

    def around(self, agents: Iterable[Match]) -> tuple[Match, ...]:
        """These agents, and those whose graphs have them as nodes, at any depth."""
        found = {id(agent.node): agent for agent in agents}
        outer: dict[int, list[int]] = {}
        for key, graph in self._built.items():
            for inner in graph.inner:
                outer.setdefault(id(inner.node), []).append(key)
        queue = list(found)
        for node in queue:
            for match in self._context.of_kind("agent") if node in outer else ():
                builder = self._context.made(match.api, "graph")
                if builder is not None and id(builder.node) in outer[node] and id(match.node) not in found:
                    found[id(match.node)] = match
                    queue.append(id(match.node))
        return tuple(found.values())

    def bounds(self, agents: tuple[Match, ...]) -> tuple[Bound, ...]:
        """The bound that numbers in the state set to runs of these agents, should they bound all that repeats."""
        found = [bound for agent in agents for bound in self._bounds(agent, frozenset())]
        known = [bound for bound in found if bound is not None]
        return tuple(known) if known and len(known) == len(found) else ()

    def _bounds(self, agent: Match, around: frozenset[int]) -> Iterator[Bound | None]:
        """A bound for each part of an agent that repeats; None for one that has none."""
        builder = self._context.made(agent.api, "graph")
        graph = self._built.get(id(agent.node if builder is None else builder.node))
        if graph is None:
            if self._agents.can_act(agent):
                yield None
            return
        if graph.is_cyclic():
            yield graph.bound
        seen = around | {id(agent.node)}
        for inner in graph.inner:
            if id(inner.node) not in seen:
                yield from self._bounds(inner, seen)

    def served_default(self, match: Match) -> Setting:
        """The step limit that the call which has this agent served gives each run when nobody writes one."""
        if self._served is None:
            self._served = exported_by(self._context)
        server = self._served.get(id(match.node))
        return ABSENT if server is None else library_default(self._context, server, "step_limit")

    def run_default(self, match: Match) -> Setting:
        """The step limit that a run of this agent has when nobody writes one: that of its library's run call."""
        path = self._context.packs.canonical(match.api.path)
        for name in ("invoke", "run", "stream"):
            for row in self._context.packs.entities(f"{path}().{name}"):
                if row.kind == "run":
                    return library_default(self._context, match._replace(row=row), "step_limit")
        return ABSENT


def resolved(edges: set[tuple[str, str]], names: set[str]) -> dict[str, set[str]]:
    """Edges as a mapping, `ANY` replaced by every node."""
    table: dict[str, set[str]] = {}
    every = names | {a for a, _ in edges} | {b for _, b in edges}
    every -= {ANY, START, END}
    for source, target in edges:
        for a in every if source == ANY else {source}:
            table.setdefault(a, set()).update(every if target == ANY else {target})
    return table


def cyclic(table: Mapping[str, set[str]]) -> set[str]:
    """The nodes that can be reached from themselves."""
    return {start for start in table if start in after(table, start)}


def after(table: Mapping[str, set[str]], start: str) -> frozenset[str]:
    """The nodes that a node leads to; itself where the graph comes back to it."""
    return frozenset(reached(table.get(start, ()), lambda each: table.get(each, ())))
