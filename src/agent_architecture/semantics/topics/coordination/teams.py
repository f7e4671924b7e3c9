"""Agents that work together: those that edges of delegation join, that one run starts together, that a graph or loop
leads. States what holds such a team together; judges nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.coordination import Nested, Team, Through
from agent_architecture.model.effects import Enforcement, ParameterKind
from agent_architecture.model.graph import Delegations
from agent_architecture.model.settings import ABSENT, Origin, Setting, written
from agent_architecture.model.system import BoundKind, Handoff
from agent_architecture.names.classes import fields
from agent_architecture.names.options import keyed
from agent_architecture.names.values import ClassValue
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.bounds.deadlines import deadline_around
from agent_architecture.semantics.control.failure_handlers import handled_at
from agent_architecture.semantics.effects.records import is_marked
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.packs.addresses import ELEMENT
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Agent, Site
    from agent_architecture.semantics.adapters.graphs import Graphs
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.topics.coordination.nesting import Nesting
    from agent_architecture.sources.source import Span

STATED: Final = frozenset({Origin.WRITTEN, Origin.UNKNOWN})
BOUNDING: Final = frozenset({"bounds_time"})
CROWD: Final = 3
"""So many that pass work to anyone are no list of ways; two can only pass it to each other."""
SAID: Final = frozenset(
    {"messages", "message", "history", "input", "output", "text", "query", "prompt", "chat_history"}
)
"""Fields of a state that hold a conversation as it is."""


def teams(
    work: Work, graphs: Graphs, nesting: Nesting, sites: tuple[Site, ...], handoffs: tuple[Handoff, ...]
) -> tuple[Team, ...]:
    """Every team of at least two agents, once."""
    return tuple(_Teams(work, graphs, nesting, sites, handoffs).all())


class _Group(NamedTuple):
    """The agents of a team by where they are made, with what joins them."""

    spans: frozenset[Span]
    edges: tuple[Handoff, ...]
    nested: tuple[Nested, ...]


class _Teams:
    """Looks up agents, sites and runs by where they stand."""

    def __init__(
        self, work: Work, graphs: Graphs, nesting: Nesting, sites: tuple[Site, ...], handoffs: tuple[Handoff, ...]
    ) -> None:
        self._context = work.context
        self._graphs = graphs
        self._nesting = nesting
        self._sites = sites
        self._handoffs = handoffs
        self._agents: dict[Span, Agent] = {agent.span: agent for agent in work.agents.agents}
        self._agents |= {one.span: one for edge in handoffs for one in (edge.source, edge.target)}
        self._matches = {match.node.span: match for match in self._context.of_kind("agent")}
        self._runs = {match.node.span: match for match in self._context.of_kind("run")}
        self._nested = tuple(one for one in nesting.all() if one.through is not Through.CALLBACK)
        self._names = {agent.span: agent.symbol for agent in self._agents.values()}
        for one in self._nested:
            source, _, target = one.symbol.partition(" → ")
            self._names.setdefault(one.source, source)
            self._names.setdefault(one.target, target)

    def all(self) -> Iterator[Team]:
        found: dict[Span, Team] = {}  # a loop and the class that has it may each be joined with others
        for group in self._groups():
            members = [span for span in sorted(group.spans) if not self._is_frame(span)]
            if len(members) > 1:
                team = self._team(group, tuple(self._names[span] for span in members))
                found.setdefault(team.span, team)
        yield from found.values()

    # ------------------------------------------------------------------------------------------------------ who is one
    def _groups(self) -> Iterator[_Group]:
        joined: dict[Span, Span] = {}

        def root(span: Span) -> Span:
            while joined.setdefault(span, span) != span:
                span = joined[span]
            return span

        for source, target in self._pairs():
            joined[root(target)] = root(source)
        members: dict[Span, set[Span]] = {}
        for span in joined:
            members.setdefault(root(span), set()).add(span)
        for spans in members.values():
            edges = tuple(edge for edge in self._handoffs if edge.source.span in spans)
            inner = tuple(one for one in self._nested if one.source in spans)
            yield _Group(frozenset(spans), edges, inner)

    def _pairs(self) -> Iterator[tuple[Span, Span]]:
        yield from ((edge.source.span, edge.target.span) for edge in self._handoffs)
        yield from ((one.source, one.target) for one in self._nested)
        for run in self._runs.values():
            together = [match.node.span for match in run_agents(self._context, run)]
            if _starts_all(run):
                yield from ((together[0], other) for other in together[1:])
            scope = self._context.program.scope_of(run.node)
            for graph in self._graphs.acting(scope) if isinstance(scope, ir.Function) else ():
                yield from ((graph.node.span, inner) for inner in together)

    def _is_frame(self, span: Span) -> bool:
        """Whether what stands there only leads others: a graph, crew, sequence or loop with no model of its own."""
        match = self._matches.get(span)
        if match is None:
            loop = self._nesting.loop_of(span)
            return loop is not None and loop.path.span == span and not self._nesting.asks_itself(loop)
        builder = self._context.made(match.api, "graph")
        row = (builder or match).row
        return "tools" not in match.row.relations and (builder is not None or "agents" in row.relations)

    # ------------------------------------------------------------------------------------------------- what holds it
    def _team(self, group: _Group, members: tuple[str, ...]) -> Team:
        first = self._first(group)
        entry = self._entry(group, first)
        loop = self._nesting.loop_of(first) or (self._nesting.loop_of(entry.span) if entry is not None else None)
        run = self._runs.get(entry.span) if entry is not None else None
        agent = self._agents.get(first)
        own = entry is not None and all(one.span in group.spans for one in entry.agents)
        span = entry.span if entry is not None and own else agent.span if agent is not None else first
        symbol = entry.symbol if entry is not None and own else self._names[first]
        framework = agent.framework if agent is not None else ""
        limit = entry.step_limit if entry is not None else ABSENT
        turns = Delegations(group.edges)
        return Team(
            span,
            symbol,
            framework,
            members,
            leader=self._names[first],
            circular=any(turns.on_cycle(edge) for edge in group.edges),
            in_turns=self._goes_round(first, limit),
            limit=limit,
            drawn=not _is_crowd(group.edges),
            typed=self._is_typed(group),
            time_limit=self._time_limit(first, run, loop),
            handled=self._handled(run, loop),
            entered=entry is not None,
            related=() if agent is None or span == agent.span else (agent.span,),
        )

    def _first(self, group: _Group) -> Span:
        """The agent that nobody of the team passes work to; of several, or none, the one that a run starts with."""
        inner = {edge.target.span for edge in group.edges} | {one.target for one in group.nested}
        entered = {agent.span for site in self._sites for agent in site.agents[:1]}
        return min(group.spans, key=lambda span: (span in inner, span not in entered, span))

    def _entry(self, group: _Group, first: Span) -> Site | None:
        loop = self._nesting.loop_of(first)
        if loop is not None and loop.site is not None:
            return loop.site
        bare = next((site for site in self._sites if site.span == first and not site.agents), None)
        if bare is not None:
            return bare
        at = [site for site in self._sites if any(agent.span in group.spans for agent in site.agents)]
        whole = [site for site in at if all(agent.span in group.spans for agent in site.agents)]
        return min(whole or at, key=lambda site: (all(a.span != first for a in site.agents), site.span), default=None)

    def _goes_round(self, first: Span, limit: Setting) -> bool:
        """Whether they speak in turns that no number, condition or order of theirs ends."""
        match = self._matches.get(first)
        if match is None or "agents" not in match.row.relations or match.row.constants.get("hears_back"):
            return False
        stops = effective(self._context, match, "ends").origin is not Origin.ABSENT
        return not stops and limit.is_known and None in limit.values and not self._is_sequence(match)

    def _is_sequence(self, match: Match) -> bool:
        return self._graphs.goes_its_way(match) and not self._graphs.is_cyclic(match)

    def _is_typed(self, group: _Group) -> bool:
        """Whether every way of passing work on has a form: of its input, of the answer, of the state between steps."""
        ways = [(edge.span, edge.source.span, edge.target.span) for edge in group.edges]
        ways += [(one.span, one.source, one.target) for one in group.nested]
        return bool(ways) and all(self._has_form(*way) for way in ways)

    def _has_form(self, at: Span, source: Span, target: Span) -> bool:
        written = [match for match in self._context.of_kind("handoff") if at.contains(match.node.span)][:1]
        ways = written or [match for match in self._context.of_kind("handoff") if self._is_to(match, target)]
        if ways and all(effective(self._context, way, "input_schema").origin in STATED for way in ways):
            return True
        made = self._matches.get(target)
        if made is not None and effective(self._context, made, "output_schema").origin in STATED:
            return True
        graph = self._context.made(self._matches[source].api, "graph") if source in self._matches else None
        return (graph is not None and self._has_fields(graph)) or self._tool_has_form(at)

    def _is_to(self, handoff: Match, target: Span) -> bool:
        """Whether a hand-over that is kept under a name passes the work to an agent."""
        address = handoff.row.relations.get("target")
        if address is None:
            return False
        read = at_call(self._context.program, handoff.arguments, handoff.api.receiver, address)
        return any(made.node.span == target for made in self._context.made_by(read.values, "agent"))

    def _tool_has_form(self, at: Span) -> bool:
        tools = (tool for agent in self._agents.values() for tool in agent.tools)
        for tool in (*tools, *(tool for site in self._sites for tool in site.tools)):
            if tool.span == at and tool.schema.enforcement in {Enforcement.TYPES, Enforcement.CLOSED}:
                kinds = {parameter.kind for parameter in tool.schema.parameters}
                return bool(kinds - {ParameterKind.FREE, ParameterKind.UNTYPED})
        return False

    def _has_fields(self, graph: Match) -> bool:
        """Whether the state that a graph hands on has fields beside the conversation."""
        address = graph.row.properties.get("state_schema")
        if address is None:
            return False
        values = at_call(self._context.program, graph.arguments, graph.api.receiver, address).values
        found = [value.cls for value in values if isinstance(value, ClassValue)]
        return any(set(fields(self._context.program, cls)) - SAID for cls in found)

    def _time_limit(self, first: Span, run: Match | None, loop: HandWritten | None) -> Setting:
        made = self._matches.get(first)
        limit = ABSENT
        if run is not None:
            limit = effective(self._context, run, "time_limit", *([made] if made is not None else []))
            around = deadline_around(self._context, run.node, self._context.program.scope_of(run.node))
            limit = around.limit if around is not None and around.every_path else limit
            limit = limit if limit.values else next(self._signals(run.node), limit)
        elif made is not None:
            limit = effective(self._context, made, "time_limit")
        elif loop is not None:
            bounds = (bound.limit for bound in loop.path.bounds if bound.kind is BoundKind.DEADLINE)
            limit = next(bounds, ABSENT)
        return limit

    def _signals(self, node: ir.Node) -> Iterator[Setting]:
        """Signals with a time-out that a call is given: `run(agent, text, { signal: AbortSignal.timeout(60_000) })`."""
        arguments = [argument.value for argument in node.args] if isinstance(node, ir.Call) else []
        given = (value for each in arguments for _, value in keyed(self._context.program, each))
        for inner in ir.walk(*arguments, *given):
            if isinstance(inner, ir.Call) and is_marked(self._context, inner.callee, BOUNDING):
                yield written("a signal", inner.span)

    def _handled(self, run: Match | None, loop: HandWritten | None) -> Span | None:
        node: ir.Node | None = run.node if run is not None else None
        if node is None and loop is not None:
            tries = (each for each in loop.inside.own if isinstance(each, ir.Try) and each.handlers)
            inside = next(tries, None)
            if inside is not None:
                return inside.handlers[0].span
            node = next(iter(loop.inside.own), None)
        return handled_at(self._context.program, node) if node is not None else None


def _starts_all(run: Match) -> bool:
    """Whether a run starts all agents of a list (`crew.kickoff()`), not one of several that it may be given."""
    addresses = [run.row.relations[name] for name in ("agent", "agents") if name in run.row.relations]
    return any(ELEMENT in steps for address in addresses for steps in address.alternatives)


def _is_crowd(edges: Iterable[Handoff]) -> bool:
    """Whether at least three agents may each pass the work to each other."""
    targets: dict[Span, set[Span]] = {}
    for edge in edges:
        targets.setdefault(edge.source.span, set()).add(edge.target.span)
    for source, reached in targets.items():
        room = {source, *(span for span in reached if source in targets.get(span, ()))}
        if len(room) >= CROWD and all(room - {one} <= targets.get(one, set()) for one in room):
            return True
    return False
