"""What can refuse at each point of an agent's course: its input, before and after tools, its answer, what it remembers,
work that it passes on.

Joins what libraries register with what hand-written code asks. Must not judge.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import CHANGING, Guard, GuardStage
from agent_architecture.model.graph import working_for
from agent_architecture.model.guardrails import Point, Watched
from agent_architecture.model.memory import Vetting
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.agents.guards import Around
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.control.constant_tests import may_raise
from agent_architecture.semantics.control.leaving import stops_behind
from agent_architecture.semantics.control.refusal import asks_person
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.topics.exposures.exposures import Surroundings
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Agent, AgentSystem, Binding, Site, Tool
    from agent_architecture.semantics.adapters.graphs import Graphs
    from agent_architecture.semantics.conversations.writers import Writers
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.sources.source import Span

TASK: Final = frozenset({"task"})
BEFORE: Final = frozenset({GuardStage.INPUT, GuardStage.MODEL})
CHECKED: Final = {
    Vetting.SCREENED: False, Vetting.JUDGED: False, Vetting.PERSON: False, Vetting.CLOSED: False,
    Vetting.REFUSES: True, Vetting.SHAPED: True, Vetting.SKIPPED: True,
}  # fmt: skip
"""What looks at a text before it is remembered, and whether some texts pass it unseen."""
HOOK: Final = regex(
    r"guard_?rail|moderat|polic(?:y|ies)_?(?:check|engine)|(?:pre|post|before|after)_?(?:tool|model|llm|agent)",
    re.IGNORECASE,
)
"""What hand-written hooks are called."""
STAGES: Final = (
    (regex(r"(?:post|after)_?tool|tool_?(?:result|output|response)", re.IGNORECASE), GuardStage.POST_TOOL),
    (regex(r"tool", re.IGNORECASE), GuardStage.PRE_TOOL),
    (regex(r"memory", re.IGNORECASE), GuardStage.MEMORY),
    (regex(r"hand_?(?:off|over)|delegat|transfer", re.IGNORECASE), GuardStage.HANDOFF),
    (regex(r"output|response|answer|final|(?:post|after)_?(?:model|llm|agent)", re.IGNORECASE), GuardStage.OUTPUT),
    (regex(r""), GuardStage.INPUT),
)
"""Where a hand-written hook stands, by its name and the words it is given; the first that fits."""


def watched(
    work: Work, graphs: Graphs, writers: Writers, loops: Iterable[HandWritten], system: AgentSystem
) -> tuple[Watched, ...]:
    """One for each site that runs an agent."""
    reader = _Points(work, system, Surroundings(work, graphs, writers, tuple(loops), system))
    return tuple(reader.of(site) for site in system.agent_sites)


class _Seen(NamedTuple):
    """A site with its code, agents and tools; `common` stands around all of its agents, `codes` is its tools'."""

    site: Site
    scopes: tuple[ir.Scope, ...]
    standing: frozenset[Span]
    tools: tuple[Tool, ...]
    agents: tuple[Agent, ...]
    codes: tuple[Span, ...]
    common: tuple[Guard, ...]
    hidden: str


class _Points:
    def __init__(self, work: Work, system: AgentSystem, surroundings: Surroundings) -> None:
        self._context = work.context
        self._work = work
        self._system = system
        self._near = surroundings
        self._guards = work.agents.facts.guards
        self._made = {match.node.span: match for match in self._context.of_kind("agent")}
        self._runs = {match.node.span: match for match in self._context.of_kind("run", "model_call")}
        self._bound: dict[int, list[Binding]] = {}
        for binding in system.bindings:
            self._bound.setdefault(id(binding.tool), []).append(binding)

    def of(self, site: Site) -> Watched:
        """The points that the work of one site passes."""
        seen = self._seen(site)
        answering = self._answering(seen)
        points = [
            Point(GuardStage.INPUT, tuple(self._at(BEFORE, seen, site.agents or seen.agents)), seen.hidden),
            *self._of_tools(seen),
            Point(GuardStage.OUTPUT, tuple(self._at({GuardStage.OUTPUT}, seen, answering)), seen.hidden),
            *self._of_memory(seen),
            *self._of_handoffs(seen),
        ]
        return Watched(site.span, site.symbol, site.framework, site, tuple(points), seen.tools)

    def _seen(self, site: Site) -> _Seen:
        scopes = self._near.scopes_of(site)
        standing = working_for(self._system.handoffs, site.agents) | {site.span}
        tools = self._near.tools_of(site, scopes, standing)
        agents = tuple(agent for agent in self._system.agents if agent.span in standing)
        run = self._runs.get(site.span)
        own = (self._guards.around(run),) if run is not None else ()
        common = (*(guard for around in own for guard in around.guards), *self._by_hand(site, scopes))
        hidden = next((around.unreadable for around in (*own, *map(self._around, agents)) if around.unreadable), "")
        codes = tuple(dict.fromkeys(span for tool in tools for span in self._code(tool)))
        return _Seen(site, scopes, standing, tools, agents, codes, common, hidden)

    def _code(self, tool: Tool) -> Iterator[Span]:
        """The functions that a tool runs, directly or through others."""
        code = self._work.agents.code.get(id(tool))
        if code is not None:
            yield code.span
            yield from (inner.span for inner, _ in extent(self._context.program, code.body, set()).called)

    def _around(self, agent: Agent) -> Around:
        match = self._made.get(agent.span)
        if match is None:
            return Around(agent.guards)
        around = self._guards.around(match)
        return around._replace(guards=(*around.guards, *self._guards.of_library(match.row.where.pack)))

    def _at(self, stages: Iterable[GuardStage], seen: _Seen, agents: Iterable[Agent]) -> Iterator[tuple[Guard, ...]]:
        """What stands at a point before each of several agents; once where there are none."""
        common = tuple(guard for guard in seen.common if guard.stage in stages)
        places = [tuple(g for g in self._around(agent).guards if g.stage in stages) for agent in agents]
        yield from ((*common, *place) for place in places or [()])

    def _answering(self, seen: _Seen) -> tuple[Agent, ...]:
        """The agents whose answer may be the last: the first, and those that take the conversation over."""
        tasks = {(edge.span, edge.symbol) for edge in self._system.handed if set(edge.history.values) <= TASK}
        taken = [e for e in self._system.handoffs if (e.span, e.symbol) not in tasks]
        spans = working_for(taken, seen.site.agents)
        return tuple(agent for agent in seen.agents if agent.span in spans)

    # --------------------------------------------------------------------------------------------------------- tools
    def _of_tools(self, seen: _Seen) -> Iterator[Point]:
        """Before and after tools; what only reads counts where nothing else is there."""
        kits = [b for b in self._system.bindings if b.dynamic and any(s.contains(b.span) for s in seen.standing)]
        bound = [binding for tool in seen.tools for binding in self._bound.get(id(tool), ())] + kits
        if not seen.tools and not bound:
            return
        acting = [b for b in bound if b.dynamic or any(e.kind in CHANGING for e in b.tool.effects)] or bound
        common = tuple(guard for guard in seen.common if guard.stage is GuardStage.PRE_TOOL)
        before = tuple((*common, *self._refusing(binding, seen.codes)) for binding in acting)
        yield Point(GuardStage.PRE_TOOL, before or (common,), seen.hidden)
        having = [agent for agent in seen.agents if agent.tools] or (list(seen.agents) if kits else [])
        after = tuple(self._at({GuardStage.POST_TOOL}, seen, having))
        if not any(after):
            after = tuple(tuple(g for g in b.tool.guards if g.stage is GuardStage.POST_TOOL) for b in bound) or after
        yield Point(GuardStage.POST_TOOL, after, seen.hidden)

    def _refusing(self, binding: Binding, codes: tuple[Span, ...]) -> tuple[Guard, ...]:
        """What can refuse a call, but for the tool's own test of its arguments."""
        own = binding.tool.guards
        found = [
            guard
            for guard in binding.mediated
            if guard.framework or not (guard in own or any(code.contains(guard.span) for code in codes))
        ]
        for gate in (binding.gate, binding.tool.gate):
            asks = gate.always or gate.conditional or gate.approval.value == "conditional"
            if asks:
                at = gate.inside or gate.approval.span or binding.span
                found.append(Guard(at, "approval", binding.framework, GuardStage.PRE_TOOL, fails_open=not gate.always))
        return tuple(found)

    # ------------------------------------------------------------------------------------------- memories, hand-overs
    def _of_memory(self, seen: _Seen) -> Iterator[Point]:
        memories = {span for place in seen.standing for span in self._memories(place)}
        places: list[tuple[Guard, ...]] = []
        hidden = ""
        for one in self._system.remembered:
            inside = any(span.contains(one.span) for span in seen.codes)
            inside = inside or self._near.is_of(one.span, seen.scopes, frozenset())
            if not inside and one.span not in memories:
                continue
            if one.vetting is Vetting.UNKNOWN:
                hidden = "what cannot be read of the text that is kept"
            skips = CHECKED.get(one.vetting)
            guard = Guard(one.check or one.span, one.symbol, one.framework, GuardStage.MEMORY, fails_open=bool(skips))
            places.append(() if skips is None else (guard,))
        if places:
            yield Point(GuardStage.MEMORY, tuple(places), hidden)

    def _memories(self, place: Span) -> Iterator[Span]:
        """The memories that an agent or run is given."""
        for match in (self._made.get(place), self._runs.get(place)):
            for name in ("memory", "store") if match is not None else ():
                if match is not None and name in match.row.relations:
                    address = match.row.relations[name]
                    read = at_call(self._context.program, match.arguments, match.api.receiver, address)
                    yield from (made.node.span for made in self._context.made_by(read.values, "memory"))

    def _of_handoffs(self, seen: _Seen) -> Iterator[Point]:
        edges = [edge for edge in self._system.handoffs if edge.source.span in seen.standing]
        sent = [e for e in self._system.handed if any(code.contains(e.span) for code in seen.codes)]
        if edges or sent:
            sources = {edge.source.span: edge.source for edge in edges}
            yield Point(GuardStage.HANDOFF, tuple(self._at({GuardStage.HANDOFF}, seen, sources.values())), seen.hidden)

    # ------------------------------------------------------------------------------------------------- by hand
    def _by_hand(self, site: Site, scopes: tuple[ir.Scope, ...]) -> Iterator[Guard]:
        """Screens of the input, and the project's own hooks around a hand-written agent."""
        hooks = [guard for scope in scopes for guard in self._hooks(scope)] if site.span not in self._runs else []
        known = {guard.span for guard in hooks}
        yield from hooks
        screens = (guard for guard in self._near.by_hand(site, scopes) if guard.span not in known and guard.blocks)
        for guard in screens:  # of several agents one has it
            yield guard._replace(fails_open=guard.fails_open or len(site.agents) > 1)

    def _hooks(self, scope: ir.Scope) -> Iterator[Guard]:
        conditions = conditions_of(self._context)
        for call in self._context.program.structure(scope).calls:
            name = dotted(call.callee)
            if not HOOK.search(name) or asks_person(self._context, call):
                continue
            given = (str(a.value.value) for a in call.args if isinstance(a.value, ir.Literal))
            words = " ".join((callee_name(call.callee), *given))
            stage = next(stage for pattern, stage in STAGES if pattern.search(words))
            stops = stops_behind(conditions, own_nodes(scope), call)
            raises = any(may_raise(self._context.program, inner) for inner in self._context.program.callees(call))
            yield Guard(call.span, name, "", stage, stops or raises)
