"""Which instructions the steps of a run or loop obey, whoever writes them.

Joins feedback paths with instructions by the code that a step may run. Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.goals import Goal
from agent_architecture.semantics.adapters.asking_graphs import asking_graphs
from agent_architecture.semantics.adapters.graphs import cyclic, resolved
from agent_architecture.semantics.adapters.langgraph import built_graphs
from agent_architecture.semantics.adapters.run_steps import graph_of, run_steps
from agent_architecture.semantics.adapters.step_order import is_whole
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.effects.calls import kinds_of
from agent_architecture.semantics.loops.sites import exported_at, run_agents
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.outputs import Instruction
    from agent_architecture.model.system import Agent, FeedbackPath, Site
    from agent_architecture.semantics.adapters.graphs import Graphs
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

ROWS: Final = frozenset({"database", "database_read"})


def goals(  # noqa: PLR0913, PLR0917 - what a path is known by
    context: Context, agents: Agents, graphs: Graphs, sites: Iterable[Site], paths: Iterable[FeedbackPath],
    loops: Iterable[HandWritten], instructions: tuple[Instruction, ...],
) -> tuple[Goal, ...]:  # fmt: skip
    """One for each site with a feedback path of its own."""
    reader = _Goals(context, agents, instructions)
    places = {(path.span.path, path.span.line) for path in paths}
    by_span = {site.span: site for site in sites if (site.span.path, site.span.line) in places}
    found: dict[Span, Goal] = {}
    for loop in loops:
        if loop.site is not None and loop.site.span in by_span:
            found[loop.site.span] = reader.of_loop(by_span[loop.site.span], loop)
    for match in context.of_kind("run"):
        site = by_span.get(match.node.span)
        if site is not None:
            found.setdefault(site.span, reader.of_run(site, (match, *run_agents(context, match))))
    for site, match in exported_at(context, graphs, by_span.values()):
        found.setdefault(site.span, reader.of_run(site, (match,)))
    return tuple(found.values())


class _Goals:
    def __init__(self, context: Context, agents: Agents, instructions: tuple[Instruction, ...]) -> None:
        self._context = context
        self._agents = agents
        self._instructions = instructions
        self._rows = frozenset(self._from_tables())
        self._tools = frozenset(agents.running())
        self._functions = run_steps(context)
        self._inner = {key: graph.inner for key, graph in built_graphs(context).items()}

    def of_loop(self, site: Site, loop: HandWritten) -> Goal:
        """A hand-written loop obeys what its passes write, what its own class writes, and its agents' instructions."""
        scopes: list[ir.Scope] = [loop.scope, *self._but_tools(function for function, _ in loop.inside.called)]
        spans = [scope.span for scope in scopes if isinstance(scope, ir.Function)]
        spans += [s.outer.span for s in scopes[:1] if isinstance(s, ir.Function) and isinstance(s.outer, ir.Class)]
        runs = [agent for ask in loop.asks if ask.row.kind == "run" for agent in run_agents(self._context, ask)]
        matches = (*loop.asks, *self._all(runs))
        return self._goal(site, matches, spans)

    def of_run(self, site: Site, matches: tuple[Match, ...]) -> Goal:
        """A run obeys the instructions of its agents and of all they hand over to, and what steps of graphs write."""
        every = tuple(self._all(matches))
        spans: list[Span] = []
        for match in every:
            spans += self._steps(graph_of(self._context, match), set())
        return self._goal(site, every, spans)

    def _goal(self, site: Site, matches: tuple[Match, ...], spans: list[Span]) -> Goal:
        by_path: dict[str, list[Span]] = {}
        for span in (*spans, *(match.node.span for match in matches)):
            by_path.setdefault(span.path, []).append(span)
        found = tuple(
            each
            for each in self._instructions
            if any(span.contains(each.place) for span in by_path.get(each.place.path, ()))
        )
        open_ended = any(id(match.node) in self._agents.open_ended for match in matches)
        return Goal(site.span, site.symbol, site.framework, site, found, self._rows, open_ended)

    def _steps(self, builder: int, seen: set[int]) -> list[Span]:
        """The code that the steps of a graph may run, those of graphs inside it included."""
        if builder in seen:
            return []
        seen.add(builder)
        spans = []
        for function in self._repeated(builder):
            called = extent(self._context.program, function.body, set()).called
            spans += [function.span, *(inner.span for inner in self._but_tools(inner for inner, _ in called))]
        for inner in self._inner.get(builder, ()):
            made = self._context.made(inner.api, "graph")
            spans += [inner.node.span, *(self._steps(id(made.node), seen) if made is not None else ())]
        return spans

    def _repeated(self, builder: int) -> tuple[ir.Function, ...]:
        """The steps of a graph that it comes back to; all where it does not, or where some are not known.

        What a last step is told, no later step obeys.
        """
        every = self._functions.get(builder, ())
        graph = built_graphs(self._context).get(builder) or self._context.once(asking_graphs).get(builder)
        if graph is None or not is_whole(graph):
            return every
        again = cyclic(resolved(graph.edges, graph.nodes))
        repeated = {id(function) for label in again for function in graph.actions.get(label, ())}
        return tuple(function for function in every if id(function) in repeated) or every

    def _but_tools(self, functions: Iterable[ir.Function]) -> Iterator[ir.Function]:
        """What runs in a step, without the tools and what only they call: a model that a tool asks has a task of its
        own.
        """
        for function in functions:
            callers = {id(site.scope) for site in self._context.program.callers(function)}
            if id(function) not in self._tools and not (callers and callers <= self._tools):
                yield function

    def _all(self, matches: Iterable[Match]) -> Iterator[Match]:
        """These, and the agents that they hand over to."""
        made = {id(self._agents.agent_of(match)): match for match in self._context.of_kind("agent")}
        queue = list(matches)
        seen: set[int] = set()
        for match in queue:
            if id(match.node) in seen:
                continue
            seen.add(id(match.node))
            yield match
            if match.row.kind == "agent":
                queue += self._handed(self._agents.agent_of(match), made)
                queue += [made[id(a)] for a in self._agents.members(match) if id(a) in made]

    def _handed(self, agent: Agent, made: dict[int, Match]) -> list[Match]:
        targets = (edge.target for edge in self._agents.handoffs if edge.source is agent)
        return [made[id(target)] for target in targets if id(target) in made]

    def _from_tables(self) -> Iterator[Span]:
        """Where texts among the instructions come out of a database."""
        for entered in (each for one in self._instructions for each in one.entering if each.origin == "memory"):
            scope = self._context.program.scope_of(ir.Name(entered.source, ""))
            for node in self._context.program.structure(scope).calls:
                remembers = self._context.at(node, "memory_read") is not None
                if node.span == entered.source and not remembers and kinds_of(self._context, node) & ROWS:
                    yield entered.source
