"""The work of agents, each piece with all that may record it: what its library records by itself, switches that speak
of the library, callbacks that a run is given, clients and tools that a tracer wraps, and spans by hand.

A tool is recorded by the library that runs it, by a span of its own, or by those that lie around all that runs it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from agent_architecture.model.graph import working_for
from agent_architecture.model.settings import Origin, Setting, unknown, written
from agent_architecture.model.system import SiteKind
from agent_architecture.model.tracing import Extent, Measured, Recording, TracedWork, WorkKind
from agent_architecture.model.words import is_served
from agent_architecture.names.values import Items
from agent_architecture.semantics.adapters.run_steps import run_steps
from agent_architecture.semantics.callgraph.picked import Picked
from agent_architecture.semantics.callgraph.processes import Programs
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.context import called, dotted, label
from agent_architecture.semantics.matching.effective import effective, effective_in_runs
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.topics.tracing.model_trials import is_trial
from agent_architecture.semantics.topics.tracing.remote import of_functions, of_loop, remote_services
from agent_architecture.semantics.topics.tracing.runners import BY_HAND, run_in_sight, runs_itself
from agent_architecture.semantics.topics.tracing.several_ways import is_recorded, is_whole, joined
from agent_architecture.semantics.topics.tracing.signals import of_site
from agent_architecture.semantics.topics.tracing.spans import Spans
from agent_architecture.semantics.topics.tracing.switches import (
    OPENED,
    Switches,
    is_off,
    is_on,
    named,
    place,
    reached,
    scopes_of,
)
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Handoff, Site, Tool
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.match import Match

RUNS: Final = (SiteKind.RUN, SiteKind.EXPORTED_GRAPH)
MADE: Final = ("model_client", "agent", "tool", "graph")
"""What a tracer can be put around."""


def traced_work(
    work: Work, sites: Iterable[Site], loops: Iterable[HandWritten], served: frozenset[int], hosted: frozenset[int]
) -> tuple[TracedWork, ...]:
    """Every piece of work of a project that runs an agent; `served` are the ids of its own servers' tools, `hosted` of
    those that only the agents of others call.
    """
    judged = tuple(site for site in sites if site.kind in (*RUNS, *BY_HAND))
    return tuple(_Links(work, work.agents, judged, tuple(loops)).all(served, hosted)) if judged else ()


class _Links:
    """Asks each question of the program once."""

    def __init__(self, work: Work, agents: Agents, sites: tuple[Site, ...], loops: tuple[HandWritten, ...]) -> None:
        self._work = work
        self._context = context = work.context
        self._agents = agents
        self._sites = sites
        self._loops = {loop.site.span: loop for loop in loops if loop.site is not None}
        self._switches = Switches(context)
        self._spans = Spans(context, self._switches)
        self._packs = {(p.ecosystem, p.name): s.pack.id for s in context.packs.sources for p in s.pack.packages}
        self._runs = {match.node.span: match for match in context.of_kind("agent", "run")}
        self._targets = dict(self._targeted())
        self._opens_spans = any(context.of_kind("span", "tracer"))  # code of the project may record what it runs
        self._by_library = {site: tuple(self._of_site(site)) for site in dict.fromkeys(sites)}
        self._run_by = {site: working_for(agents.handoffs, site.agents) for site in self._by_library}

    def all(self, served: frozenset[int], hosted: frozenset[int]) -> Iterator[TracedWork]:
        for site in self._sites:
            found, signals = self._at_site(site), self._measured(site)
            asked = tuple(self._requests(site))
            yield TracedWork(site.span, site.symbol, site.framework, WorkKind.SITE, found, None, signals, asked)
        for call in self._context.of_kind("model_call"):
            for node in self._asking(call):
                if is_trial(self._context, node):
                    continue
                recordings = (*self._at_call(call), *self._around(node))
                yield TracedWork(node.span, called(node), call.row.where.pack, WorkKind.CALL, recordings)
        run = [(step, tuple(self._run_by_library(step))) for step in self._steps()]
        for tool in (one for one in dict.fromkeys(self._agents.all_tools()) if id(one) not in hosted - served):
            if is_served(tool.name):
                continue  # a server that somebody else has defines it
            if (recorded := self._of_tool(tool, served=id(tool) in served)) is not None:
                yield TracedWork(tool.span, tool.name, tool.framework, WorkKind.TOOL, recorded, tool)
                run += [(code, recorded) for code in (self._agents.code.get(id(tool)),) if code is not None]
        yield from self._remote(run)
        in_order = {match.node.span for match in self._runs.values() if match.row.constants.get("in_order")}
        for edge in (edge for edge in self._agents.handoffs if edge.source.span not in in_order):
            yield TracedWork(edge.span, edge.symbol, edge.framework, WorkKind.HANDOFF, self._of_handoff(edge))

    def _steps(self) -> Iterator[ir.Function]:
        """The project's functions that are steps of graphs."""
        yield from (step for steps in run_steps(self._context).values() for step in steps)

    def _remote(self, run: list[tuple[ir.Function, tuple[Recording, ...]]]) -> Iterator[TracedWork]:
        """Calls to other machines: what records the tool, step or loop around one records it, too."""
        loops = ((site, loop) for site in self._sites if (loop := self._loops.get(site.span)) is not None)
        stretches = (*of_functions(self._work, run), *(of_loop(loop, self._around_loop(site)) for site, loop in loops))
        for calls in remote_services(self._work, stretches):
            first, *others = calls
            around = [(*self._around(call.node), *each.recordings) for call in calls for each in call.within]
            some = not all(map(is_recorded, around))
            found = dict.fromkeys(one for recorded in around for one in recorded)
            recordings = tuple(
                one._replace(extent=Extent.SOME_WAYS) if some and is_on(one.enabled) else one for one in found
            )
            also = tuple(call.node.span for call in others)
            yield TracedWork(first.node.span, called(first.node), first.pack, WorkKind.REMOTE, recordings, also=also)

    # ---------------------------------------------------------------------------------------------------------- sites
    def _at_site(self, site: Site) -> tuple[Recording, ...]:
        match = self._runs.get(site.span)
        if site.kind is SiteKind.RUN and match is not None:
            return (*self._by_library[site], *self._around(match.node))
        if site.kind is SiteKind.EXPORTED_GRAPH:
            return self._by_library[site]
        if site.kind is SiteKind.DISPATCH:
            call = next((m for m in self._context.of_kind("model_call") if m.node.span == site.span), None)
            own = self._by_library[site]
            return own if call is None else (*own, *self._around(call.node))
        return (*self._by_library[site], *self._around_loop(site))

    def _measured(self, site: Site) -> tuple[Measured, ...]:
        return of_site(self._work, site, self._loops.get(site.span), self._asked(site))

    def _requests(self, site: Site) -> Iterator[Recording]:
        """The spans by hand around the requests of a loop by hand."""
        loop = self._loops.get(site.span)
        for call in loop.asks if loop is not None else ():
            yield from self._around(call.node)

    def _asked(self, site: Site) -> Match | None:
        calls = (match for match in self._context.of_kind("run", "model_call"))
        return next((match for match in calls if match.node.span == site.span), None)

    def _around_loop(self, site: Site) -> Iterator[Recording]:
        loop = self._loops.get(site.span)
        if loop is None:
            return
        inside = (n for n in self._context.program.structure(loop.scope).nodes if isinstance(n, ir.Loop))
        node = next((n for n in inside if n.span.line == site.span.line), None)
        if isinstance(loop.scope, ir.Function):
            yield from self._run_by_library(loop.scope)
        if node is not None:
            found = self._spans.around(node, loop.scope)
        elif isinstance(loop.scope, ir.Function):
            found = self._spans.of_function(loop.scope)
        else:
            found = None
        if found is not None:
            yield found

    def _run_by_library(self, function: ir.Function) -> Iterator[Recording]:
        """What records a function that is handed to a library: a node of a graph, a tool, a step."""
        program = self._context.program
        for scope, mention in (*program.mentions(function), (function.outer, function)):
            parent = next((n for n in program.structure(scope).ancestors(mention) if not isinstance(n, ir.Map)), None)
            for api in resolved(program, parent.callee) if isinstance(parent, ir.Call) else ():
                package = self._context.packs.package_of(api.path)
                pack = self._packs.get(package) if package is not None else None
                switch = self._switches.of(pack, function.span.path) if pack is not None else None
                if switch is not None and is_on(switch.enabled):
                    yield switch

    def _of_site(self, site: Site) -> Iterator[Recording]:
        """What records a site without a span by hand. Of a loop by hand, libraries know its requests alone."""
        if site.kind in BY_HAND:
            loop = self._loops.get(site.span)
            asks = loop.asks if loop is not None else ()
            calls = asks or [m for m in self._context.of_kind("model_call") if m.node.span == site.span]
            for call in calls[:1]:
                found = self._at_call(call) if call.row.kind == "model_call" else self._at_run(call)
                yield from (recording._replace(extent=Extent.STEPS) for recording in found)
            return
        match = self._runs.get(site.span)
        if match is not None:
            yield from self._at_run(match)
        for pack in {agent.framework for agent in site.agents} - {site.framework}:
            if (switch := self._switches.of(pack, site.span.path)) is not None:
                yield switch

    def _at_run(self, match: Match) -> Iterator[Recording]:
        found = run_agents(self._context, match)
        yield from self._by_itself(match, *found)
        yield from self._callbacks(match)
        for agent in found:
            yield from self._callbacks(agent)
            yield from self._target(agent.node)

    def _by_itself(self, match: Match, *others: Match) -> Iterator[Recording]:
        """What a library records unasked, or because it was told to; and the switches that speak of it."""
        setting = effective_in_runs(self._context, match, "tracing", *others)
        pack, at = match.row.where.pack, match.node.span.path
        switch = self._switches.of(pack, at)
        if setting.origin is Origin.WRITTEN and is_off(setting):
            yield Recording(f"{pack} tracing", setting._replace(values=(False,)), setting.span, "is switched off here")
            return
        if switch is not None:
            yield switch
        if setting.origin is Origin.UNKNOWN:
            yield Recording(f"{pack} tracing", setting, setting.span)
        elif not setting.is_known or is_off(setting):
            return
        elif any(isinstance(value, str) for value in setting.values):
            yield from self._carried(pack, setting, at)
        elif (own := self._switches.of_library(pack, at)) is None or is_on(own.enabled):
            whose = f" ({setting.default_of})" if setting.default_of else ""
            by = f"{pack} tracing{whose}"
            yield Recording(by, setting._replace(values=(True,)), setting.span, convention="own")

    def _carried(self, pack: str, setting: Setting, at: str) -> Iterator[Recording]:
        """Spans that a library opens over OpenTelemetry: they go where a tracer for what is opened sends them."""
        by = f"{pack} spans"
        carrier, convention = self._switches.of(OPENED, at), str(setting.value)
        if carrier is None:
            why_not = "have no exporter"
            yield Recording(by, setting._replace(values=(False,)), setting.span, why_not, convention=convention)
        else:
            by, why_not = f"{by} via {carrier.by}", f"are not exported: {carrier.by} {carrier.why_not}"
            yield Recording(by, carrier.enabled, carrier.span, why_not, convention=convention)

    def _callbacks(self, match: Match) -> Iterator[Recording]:
        """The tracers that a run or an agent is handed."""
        reads = [
            at_call(self._context.program, call, receiver, relations["callbacks"].whole())
            for relations, call, receiver in (
                (match.row.relations, match.arguments, match.api.receiver),
                *((row.relations, call, receiver) for row, call, receiver in self._context.set_calls.of(match)),
            )
            if "callbacks" in relations
        ]
        values = [value for read in reads for value in read.values]
        items = [item for value in values if isinstance(value, Items) for item in value.items]
        elements = [*values, *(value for item in items for value in self._context.program.value_of(item))]
        for tracer in self._context.made_by(elements, "tracer"):
            enabled = effective(self._context, tracer, "enabled")
            if "callbacks" in scopes_of(self._context, tracer) and enabled.origin is not Origin.ABSENT:
                state = reached(self._context, tracer, enabled)
                recording = Recording(f"{label(tracer)} ({place(tracer)})", state, tracer.node.span, "is off")
                yield named(self._context, tracer, recording)

    # ---------------------------------------------------------------------------------------------------------- calls
    def _at_call(self, call: Match) -> Iterator[Recording]:
        client = self._context.made(call.api, "model_client")
        yield from self._by_itself(call, *(() if client is None else (client,)))
        yield from self._callbacks(call)
        if client is not None:
            yield from self._target(client.node)
        if isinstance(call.node, ir.Call):
            for api in resolved(self._context.program, call.node.callee):
                if any(mark.covers == "traced" for mark in self._context.packs.marks(api.path)):
                    by = f"{label(call)} of a client that is traced"
                    on = written(value=True, span=call.node.span)
                    yield Recording(by, on, call.node.span, convention="own")
                    break
        yield from self._handed_on(call.row.where.pack, call.node.span.path)

    def _asking(self, call: Match) -> tuple[ir.Node, ...]:
        """Where a request is made; of one in a method that stands before the library's own, where that is called."""
        scope = self._context.program.scope_of(call.node)
        asked = dotted(call.node.callee) if isinstance(call.node, ir.Call) else ""
        if isinstance(scope, ir.Function) and asked in {f"super().{scope.name}", f"super.{scope.name}"}:
            return tuple(site.call for site in self._context.program.callers(scope)) or (call.node,)
        return (call.node,)

    def _handed_on(self, pack: str, at: str) -> Iterator[Recording]:
        """Where a library takes callbacks, all that runs inside of a run has those of the run; a file is in its own."""
        rows = next((s.entities for s in self._context.packs.sources if s.pack.id == pack), ())
        if not any("callbacks" in row.relations for row in rows if row.kind in {"model_call", "run"}):
            return
        apart, known = self._context.once(Programs).apart, self._context.of_kind("run")
        runs = [m for m in known if "callbacks" in m.row.relations and not apart(m.node.span.path, at)]
        yield from joined([tuple(self._callbacks(run)) for run in runs])

    def _around(self, node: ir.Node) -> Iterator[Recording]:
        found = self._spans.at(node)
        if found is not None:
            yield found

    def _targeted(self) -> Iterator[tuple[int, Recording]]:
        """What tracers are put around, by the id of the node that made it."""
        program = self._context.program
        for tracer in self._context.of_kind("tracer"):
            address = tracer.row.relations.get("target")
            if address is None or "target" not in scopes_of(self._context, tracer):
                continue
            enabled = effective(self._context, tracer, "enabled")
            values = at_call(program, tracer.arguments, tracer.api.receiver, address).values
            for made in self._context.made_by(values, *MADE):
                recording = Recording(f"{label(tracer)} ({place(tracer)})", enabled, tracer.node.span)
                yield id(made.node), named(self._context, tracer, recording)

    def _target(self, node: ir.Node) -> Iterator[Recording]:
        yield from (self._targets[id(node)],) if id(node) in self._targets else ()

    # -------------------------------------------------------------------------------------------------- tools, handoffs
    def _of_tool(self, tool: Tool, *, served: bool) -> tuple[Recording, ...] | None:
        """What records a tool; None for one that nothing runs."""
        found: list[Recording] = []
        function = self._agents.code.get(id(tool))
        span = self._spans.of_function(function) if function is not None else None
        if span is not None:
            found.append(span)
        offering = self._offering.get(id(tool), [])
        agents = [agent for agent in self._agents.agents if any(given is tool for given in agent.tools)]
        if not offering and not agents and not served:
            return () if self._runs_untraced(tool) else None
        by_run = [self._by_library[site] for site in offering if site.kind in RUNS]
        found.extend(joined(by_run))
        own = [site for site in offering if runs_itself(self._context.program, site, function, self._loops)]
        found.extend(self._spans_around(own))
        for site in offering:
            loop = self._loops.get(site.span)
            if loop is not None:
                tools = {id(code) for code in self._agents.code.values()}
                others = (function for function, _ in loop.inside.called if id(function) not in tools)
                opened = self._spans.for_tools((loop.scope, *others))
                found.extend(() if opened is None else (opened,))
        runners = {tool.framework} if any(m.row.kind == "tool" for m in self._made(tool)) else set()
        runners |= {agent.framework for agent in agents}
        switches = (self._switches.of(pack, tool.span.path) for pack in sorted(runners))
        found.extend(switch for switch in switches if switch is not None)
        if not by_run:
            found.extend(one for pack in sorted(runners) for one in self._handed_on(pack, tool.span.path))
        if function is not None and self._opens_spans and not is_whole(found):
            found.extend(self._where_picked(function))
        if function is None and not by_run and not found and not self._is_run_in_sight(tool, offering):
            hidden = unknown("the code that runs it, which is not readable", tool.span)
            found.append(Recording("a span of its own", hidden, tool.span))
        return tuple(dict.fromkeys(found))

    def _spans_around(self, sites: Iterable[Site]) -> Iterator[Recording]:
        """The spans by hand around what runs a tool or passes the work on: around all of it, or some."""
        by_site = [[one for one in self._at_site(site) if one.by_hand] for site in sites]
        yield from joined(by_site)

    def _where_picked(self, function: ir.Function) -> Iterator[Recording]:
        """The spans by hand around the calls that take a tool's function out of a table."""
        sites = self._context.once(Picked).running(function)
        found = [self._spans.around(site.call, site.scope) for site in sites]
        yield from joined([[] if one is None else [one] for one in found])

    def _runs_untraced(self, tool: Tool) -> bool:
        """Whether a tool that no agent is seen to take runs without a trace all the same: what runs agents loads its
        file, and there is no tracing in the project.
        """
        if self._opens_spans or self._switches.any:
            return False
        beside = self._context.once(Programs).beside
        return any(tool.span.path in beside(site.span.path) for site in self._sites)

    def _is_run_in_sight(self, tool: Tool, offering: list[Site]) -> bool:
        """Whether a tool is run without a span: by a server of the project, or by what calls nothing without a name."""
        served = bool(self._agents.facts.dispatch.serving(tool.name, tool.span.path))
        return not self._opens_spans and (served or run_in_sight(self._context.program, offering, self._loops))

    def _made(self, tool: Tool) -> Iterator[Match]:
        function = self._agents.code.get(id(tool))
        return (m for m in self._context.all_at(function, "tool")) if function is not None else iter(())

    def _of_handoff(self, edge: Handoff) -> tuple[Recording, ...]:
        sites = [site for site in self._sites if site.kind in RUNS and edge.source.span in self._run_by[site]]
        found = [recording for site in sites for recording in self._by_library[site]]
        switch = self._switches.of(edge.framework, edge.span.path)
        found.extend(() if sites else self._handed_on(edge.framework, edge.span.path))
        found.extend(self._spans_around(sites))
        return tuple(dict.fromkeys((*found, *(() if switch is None else (switch,)))))

    @cached_property
    def _offering(self) -> dict[int, list[Site]]:
        """The sites that may run each tool, by its id."""
        found: dict[int, list[Site]] = {}
        for site in self._sites:
            for tool in {id(tool): tool for tool in self._tools(site)}:
                found.setdefault(tool, []).append(site)
        return found

    def _tools(self, site: Site) -> Iterator[Tool]:
        yield from site.tools
        for agent in self._agents.agents if site.kind in RUNS else site.agents:
            yield from agent.tools if agent.span in self._run_by[site] else ()
