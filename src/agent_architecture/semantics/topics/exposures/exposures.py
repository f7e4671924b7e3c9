"""What stands between text that others wrote and each agent that reads it: where the two are kept apart, what looks at
the text before the model does, and at the answer before it goes out.

Joins instructions, untrusted texts and guards by the code that a site runs. Must not judge.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.effects import Effect, Guard, GuardStage
from agent_architecture.model.exposure import Exposure
from agent_architecture.model.graph import binds, working_for
from agent_architecture.model.outputs import Boundary, Consumer, Slot
from agent_architecture.model.system import SiteKind
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Entries, Items
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.callgraph.callers import MANY, above
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.control.leaving import stops_behind
from agent_architecture.semantics.conversations.chains import links
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.topics.exposures.given_texts import given_texts
from agent_architecture.semantics.topics.verification.checks import scope_at
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.outputs import Instruction, UntrustedFlow
    from agent_architecture.model.system import AgentSystem, Site, Subject, Tool
    from agent_architecture.semantics.adapters.graphs import Graphs
    from agent_architecture.semantics.agents.guards import Around
    from agent_architecture.semantics.conversations.writers import Writers
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.sources.source import Span

OTHERS: Final = ("web", "mail", "peer", "retrieval", "tool", "file", "memory")
"""Origins of texts that others than the user wrote, in the order in which they are named."""
RANKED: Final = (*OTHERS, "user")
UNMARKED: Final = frozenset({Boundary.NONE, Boundary.UNKNOWN, Boundary.DELIMITED})
"""Boundaries that keep no instruction of others from being read as one."""
LOOKING: Final = regex(
    r"(?:llama|prompt|input|content|safety)_?guard|safe_?guard|moderat|jail_?break|prompt_?shield|injection|guard_?rail",
    re.IGNORECASE,
)
"""What calls and classes are named that look for attacks in what comes in."""
OWN: Final = regex(r"py:(?:datetime|time|os|pathlib|uuid|random)\b|npm:globalThis:(?:Date|Math|process)")
SENT: Final = frozenset({"mail", "message", "payment", "deploy"})
DONE: Final = frozenset({Consumer.PARSE, Consumer.EFFECT, Consumer.STORE, Consumer.BRANCH})
ABOVE: Final = 2
"""Calls upwards from a site that are looked at for a screen."""


def exposures(
    work: Work, graphs: Graphs, writers: Writers, loops: Iterable[HandWritten], system: AgentSystem
) -> tuple[Exposure, ...]:
    """One for each site that runs an agent and reads such text."""
    reader = Surroundings(work, graphs, writers, tuple(loops), system)
    return tuple(found for site in system.agent_sites if (found := reader.of(site)) is not None)


class _Read(NamedTuple):
    origin: str
    source: Span
    confidence: Confidence = Confidence.HIGH
    origins: tuple[str, ...] = ()
    slot: str = Slot.SYSTEM


class Surroundings:
    """What stands around each site: its code, its tools, what screens its input."""

    def __init__(
        self, work: Work, graphs: Graphs, writers: Writers, loops: tuple[HandWritten, ...], system: AgentSystem
    ) -> None:
        self._context = work.context
        self._work = work
        self._graphs = graphs
        self._writers = writers
        self._system = system
        self._loops = {loop.site.span: loop for loop in loops if loop.site is not None}
        self._matches = {match.node.span: match for match in work.context.of_kind("run", "model_call")}
        self._chains = tuple(self._chained())
        self._fed = {flow.span: flow for flow in reversed(system.untrusted_flows) if flow.fed}
        self._registries = [each for each in system.bindings if each.dynamic and each.tool.span in self._fed]

    def of(self, site: Site) -> Exposure | None:
        """What stands around one site; None for one that reads nothing of others."""
        scopes = self.scopes_of(site)
        standing = working_for(self._system.handoffs, site.agents) | {site.span}
        made = tuple(self._templates(scopes))

        def is_own(place: Span) -> bool:
            return self.is_of(place, scopes, standing) or any(template.contains(place) for template in made)

        told = [each for each in self._system.instructions if is_own(each.place)]
        flows = [f for f in self._system.untrusted_flows if not f.fed and is_own(f.span)]
        tools = self.tools_of(site, scopes, standing)
        read = self._read(site, told, [*flows, *self._served(site, standing)], tools)
        if read is None:
            return None
        mixed = next(self._mixed(told, flows), None)
        guards = tuple(self._guards(site, standing))
        by_hand = self.by_hand(site, scopes)
        if len(site.agents) > 1:  # one of several agents has it
            by_hand = (guard._replace(fails_open=True) for guard in by_hand)
        screens = (*(g for g in guards if g.stage is GuardStage.INPUT), *by_hand)
        return Exposure(
            site.span,
            site.symbol,
            site.framework,
            site,
            read.origins,
            read.source,
            tools,
            None if mixed is None else mixed.source,
            "" if mixed is None else mixed.origin,
            "" if mixed is None else mixed.slot,
            tuple(self._sends(scopes)),
            next((p.span for p in self._system.pauses if self.is_of(p.span, scopes, frozenset())), None),
            self._is_by_text(site),
            tuple(guard for guard in screens if guard.blocks),
            tuple(guard for guard in guards if guard.stage is GuardStage.OUTPUT and guard.blocks),
            next((around.unreadable for around in self.around(site) if around.unreadable), ""),
            read.confidence,
        )

    # ---------------------------------------------------------------------------------------------------- its own code
    def scopes_of(self, site: Site) -> tuple[ir.Scope, ...]:
        """The functions whose code is the agent's: around a loop with the other methods of its class, the steps of a
        graph, and what these call.
        """
        loop = self._loops.get(site.span)
        roots: list[ir.Scope] = []
        if loop is not None:
            roots = [loop.scope, *(function for function, _ in loop.inside.called)]
        elif site.kind is SiteKind.DISPATCH:
            roots = [scope_at(self._context.program, site.span)]
        else:
            made = {match.node.span: match for match in self._context.of_kind("agent")}
            agents = [made[agent.span] for agent in site.agents if agent.span in made]
            roots = [function for agent in agents for function in self._graphs.functions(agent)]
        if loop is not None or site.kind is SiteKind.DISPATCH:
            classes = [root.outer for root in roots[:1] if isinstance(root, ir.Function)]
            roots += [m for cls in classes if isinstance(cls, ir.Class) for m in cls.body if isinstance(m, ir.Function)]
        reached = [f for root in roots if isinstance(root, ir.Function)
                   for f, _ in extent(self._context.program, root.body, set()).called]  # fmt: skip
        return tuple(dict.fromkeys((*roots, *reached)))

    def is_of(self, span: Span, scopes: tuple[ir.Scope, ...], standing: frozenset[Span]) -> bool:
        """Whether a place belongs to a site with this code and these agents."""
        if span in standing:
            return True
        return any(
            scope.span.contains(span)
            if isinstance(scope, ir.Function)
            else scope_at(self._context.program, span) is scope
            for scope in scopes
        )

    def _templates(self, scopes: tuple[ir.Scope, ...]) -> Iterator[Span]:
        """The templates of the chains that this code runs: they may stand beside it."""
        for span, made in self._chains:
            if self.is_of(span, scopes, frozenset()):
                yield from made

    def _chained(self) -> Iterator[tuple[Span, tuple[Span, ...]]]:
        """Where chains are run, each with the calls that made its parts: the same for every site."""
        for span, match in self._matches.items():
            callee = match.node.callee if isinstance(match.node, ir.Call) else None
            found = tuple(links(self._context.program, callee.target)) if isinstance(callee, ir.Member) else ()
            if len(found) > 1:
                yield span, tuple(link.span for link in found if isinstance(link, ir.Call))

    def tools_of(self, site: Site, scopes: tuple[ir.Scope, ...], standing: frozenset[Span]) -> tuple[Tool, ...]:
        """All tools that the models of a site may call, and those of the agents that its code runs."""
        agents = (tool for agent in self._system.agents if agent.span in standing for tool in agent.tools)
        inner = (
            one for one in self._system.agent_sites if one is not site and self.is_of(one.span, scopes, frozenset())
        )
        run = (tool for one in inner for tool in (*one.tools, *(t for agent in one.agents for t in agent.tools)))
        known = {id(tool): tool for tool in (*site.tools, *agents, *run)}
        asks = (match for span, match in self._matches.items() if self.is_of(span, scopes, frozenset()))
        asked = (self._work.agents.tools_of(match) for match in asks)
        # one call that several agents share has the tools of all: what is known of the agents says more
        others = (tool for tools in asked if known.keys().isdisjoint(map(id, tools)) for tool in tools)
        return (*known.values(), *{id(tool): tool for tool in others}.values())

    # ------------------------------------------------------------------------------------------------- what it reads
    def _read(
        self, site: Site, told: list[Instruction], flows: list[UntrustedFlow], tools: tuple[Tool, ...]
    ) -> _Read | None:
        """The text of others that is named first; the user's where there is none."""
        fed = [self._fed[tool.span] for tool in tools if tool.span in self._fed]
        found = [_Read(f.origin, f.source, f.confidence) for f in (*fed, *flows)]
        found += [_Read(e.origin, e.source, e.confidence) for each in told for e in each.entering]
        found = [each for each in found if each.origin in RANKED]
        if all(each.origin == "user" for each in found) and (asked := self._asked(site)) is not None:
            found = [asked, *found]
        ranked = sorted(found, key=lambda each: RANKED.index(each.origin))
        if not ranked:
            return None
        return ranked[0]._replace(origins=tuple(dict.fromkeys(each.origin for each in ranked)))

    def _served(self, site: Site, standing: frozenset[Span]) -> list[UntrustedFlow]:
        """What servers and toolkits bring in whose tools nobody lists."""
        if not self._registries:
            return []
        owners: list[Subject] = [site, *(agent for agent in self._system.agents if agent.span in standing)]
        return [self._fed[one.tool.span] for one in self._registries if any(binds(one, each) for each in owners)]

    def _asked(self, site: Site) -> _Read | None:
        """What a run is started with; of hand-written agents and exported graphs whoever starts them says it."""
        match = self._matches.get(site.span)
        if site.kind is not SiteKind.RUN or match is None or match.arguments is None:
            return _Read("user", site.span, Confidence.MEDIUM) if site.kind is not SiteKind.RUN else None
        address = match.row.properties.get("messages")
        said = () if address is None else expressions(self._context.program, match.arguments, address)
        if not said and isinstance(match.node, ir.Call):
            said = tuple(given_texts(self._context.program, match.node))
        for text in (part for each in said for part in (each, *self._contents(each))):
            origins = self._writers.origins(text)
            entering = next((e for origin in origins for e in self._writers.entering(origin)), None)
            if entering is not None:
                return _Read(
                    entering.origin if entering.origin != "model" else "user", entering.source, entering.confidence
                )
            given = next(
                (o for o in origins if o.kind in {"parameter", "call", "unknown"} and not self._is_own(o.node)), None
            )
            if given is not None:
                return _Read("user", given.node.span, Confidence.MEDIUM)
        return None

    def _contents(self, conversation: ir.Expr) -> Iterator[ir.Expr]:
        """What the messages of a conversation say that is written down as a list, here or in a helper."""
        lists = [conversation]
        if isinstance(conversation, ir.Name):
            lists = [b.value for b in visible_bindings(self._context.program, conversation) if b.value is not None]
        elif isinstance(conversation, ir.Call):
            lists = [v.node for v in self._context.program.value_of(conversation) if isinstance(v, (Items, Entries))]
        for node in (node for each in lists if isinstance(each, (ir.List, ir.Map)) for node in ir.walk(each)):
            for entry in node.entries if isinstance(node, ir.Map) else ():
                if isinstance(entry.key, ir.Literal) and entry.key.value == "content":
                    yield entry.value

    def _is_own(self, node: ir.Node) -> bool:
        """Whether a call says something of the machine itself: the time, a number."""
        values = self._context.program.value_of(node) if isinstance(node, ir.Call) else ()
        return bool(values) and all(OWN.match(getattr(value, "path", "")) for value in values)

    def _mixed(self, told: list[Instruction], flows: list[UntrustedFlow]) -> Iterator[_Read]:
        """Where texts of others are not kept apart from instructions."""
        for each in told:
            yield from (_Read(e.origin, each.span) for e in each.entering if e.boundary in UNMARKED)
        for flow in flows:
            if flow.slot is Slot.USER and flow.origin in OTHERS and flow.boundary in UNMARKED:
                yield _Read(flow.origin, flow.span, slot=flow.slot)

    def _sends(self, scopes: tuple[ir.Scope, ...]) -> Iterator[Effect]:
        """What the steps of a graph send away by themselves."""
        steps = [node for scope in scopes if isinstance(scope, ir.Function) for node in scope.body]
        yield from (effect for effect in self._work.inside(*steps).once if effect.kind in SENT) if steps else ()

    def _is_by_text(self, site: Site) -> bool:
        """Whether code reads what is to be done out of an answer, of a model that is handed no tools."""
        loop = self._loops.get(site.span)
        if loop is None or not loop.asks or any(ask.row.kind == "run" for ask in loop.asks):
            return False
        agents, asked = self._work.agents, {ask.node.span for ask in loop.asks}
        if any(agents.tools_of(ask) or id(ask.node) in agents.open_ended for ask in loop.asks):
            return False
        return bool(site.tools) or any(
            output.source in asked and output.consumer in DONE for output in self._system.model_outputs
        )

    # --------------------------------------------------------------------------------------------------------- guards
    def _guards(self, site: Site, standing: frozenset[Span]) -> Iterator[Guard]:
        yield from (g for agent in self._system.agents if agent.span in standing for g in agent.guards)
        yield from (guard for around in self.around(site) for guard in around.guards)

    def around(self, site: Site) -> Iterator[Around]:
        """What libraries register around its run and agents."""
        match = self._matches.get(site.span)
        if match is not None:
            agents = run_agents(self._context, match) if match.row.kind == "run" else ()
            yield from map(self._work.agents.facts.guards.around, (match, *agents))

    def by_hand(self, site: Site, scopes: tuple[ir.Scope, ...]) -> Iterable[Guard]:
        """Screens that the code itself asks, and after which it can stop."""
        here = scope_at(self._context.program, site.span)
        for scope in dict.fromkeys((here, *scopes, *above(self._context.program, [here], ABOVE, MANY))):
            yield from self._asked_in(scope, is_step=site.kind is not SiteKind.HAND_WRITTEN_LOOP and scope in scopes)
        for before in self._graphs.deciding_before(here) if isinstance(here, ir.Function) else ():
            yield from self._asked_in(before, is_step=True)

    def _asked_in(self, scope: ir.Scope, *, is_step: bool) -> Iterator[Guard]:
        """Of a step of a graph an edge decides by what it returns."""
        conditions = conditions_of(self._context)
        for call in self._context.program.structure(scope).calls:
            if self._writers.boundaries.screens(call) or LOOKING.search(dotted(call.callee)):
                blocks_it = is_step or stops_behind(conditions, own_nodes(scope), call)
                yield Guard(call.span, dotted(call.callee), "", GuardStage.INPUT, blocks_it)
