"""Where agents decide, each place with all that may record the decision: tracing of the run, logs that speak of it.

A tracer that sees the steps of a run sees what was decided in them; a span by hand, which knows how long something
took, does not. What only a terminal shows is no record.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.decisions import DecisionKind, DecisionPoint
from agent_architecture.model.graph import working_for
from agent_architecture.model.settings import written
from agent_architecture.model.system import SiteKind
from agent_architecture.model.tracing import Extent, Recording, Signal, WorkKind
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Func
from agent_architecture.regexes import regex
from agent_architecture.semantics.adapters.langgraph import CONDITIONAL
from agent_architecture.semantics.adapters.langgraph_decisions import Branch, decided_edges
from agent_architecture.semantics.control.conditions_of_project import marks_of
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.taint.access_paths import hands_back
from agent_architecture.semantics.topics.decisions.set_fields import recorded_where_answered, recorded_where_set
from agent_architecture.semantics.topics.decisions.trace_fields import recorded_in_state
from agent_architecture.semantics.topics.tracing.decision_logs import Logged, recording_by
from agent_architecture.semantics.topics.tracing.hooks import hooks
from agent_architecture.semantics.topics.tracing.run_rows import RunRows
from agent_architecture.semantics.topics.tracing.switches import Switches
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.resilience import Pause, Progress
    from agent_architecture.model.system import Agent, FeedbackPath, Site
    from agent_architecture.model.tracing import TracedWork
    from agent_architecture.semantics.adapters.graphs import Graphs
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

CHOSEN: Final = regex(
    r"tool|function_?call|\bactions?\b|_action|stop_?reason|finish_?reason|decision|\bcommand|\bintent(?!ional)",
    re.IGNORECASE,
)
"""What a record says that speaks of what a model picked, or of why it stopped."""
ROUTED: Final = regex(
    r"rout|goto|next|decision|decid|transition|branch|hand(?:ing|ed)?[ _-]?(?:off|over)|classif|intent|confidence"
    r"|select|chos|choice|approv|reject",
    re.IGNORECASE,
)
"""What a record says that speaks of where the work goes."""
STATE: Final = regex(r"(?:^|_|\b|task)state(?:$|_|\b)|task_?status", re.IGNORECASE)
"""What a record says that speaks of how far a task came."""
CAME_OF_IT: Final = regex(r"result|output|return|observation|outcome|tool_?respon", re.IGNORECASE)
"""What a record of a loop says that speaks of what a tool did."""
SAVES: Final = regex(r"save|dump|persist|store|write|traj|log|record", re.IGNORECASE)
"""What a function is called that puts a conversation away."""
ANYTHING: Final = regex("")
REFUSES: Final = (True,)


def decision_points(  # noqa: PLR0913, PLR0917 - what other parts of the system found
    context: Context,
    agents: Agents,
    graphs: Graphs,
    traced: tuple[TracedWork, ...],
    sites: Iterable[Site],
    paths: Iterable[FeedbackPath],
    loops: Iterable[HandWritten],
    progress: Iterable[Progress],
    pauses: Iterable[Pause],
) -> tuple[DecisionPoint, ...]:
    """All decisions of a project that runs an agent."""
    if not traced:
        return ()
    found = _Decisions(context, agents, graphs, traced, tuple(sites), tuple(loops))
    found.kept |= {each.site.span: each.written for each in progress if each.written is not None}
    repeating = {path.span for path in paths}
    return (
        *found.choices(repeating),
        *found.edges(),
        *found.routers(),
        *found.handoffs(),
        *found.tasks(),
        *found.approvals(pauses),
        *found.guards(),
        *found.effects(),
    )


class _Decisions:
    """What is asked of every decision, remembered."""

    def __init__(  # noqa: PLR0913, PLR0917 - as above
        self,
        context: Context,
        agents: Agents,
        graphs: Graphs,
        traced: tuple[TracedWork, ...],
        sites: tuple[Site, ...],
        loops: tuple[HandWritten, ...],
    ) -> None:
        self._context = context
        self._agents = agents
        self._graphs = graphs
        self._traced = traced
        self._logged, self._switches = Logged(context, agents.doing()), Switches(context)
        self._works = {work.span: work for work in traced if work.kind is WorkKind.SITE}
        self._sites = tuple(site for site in sites if site.span in self._works)
        self._loops = {loop.site.span: loop for loop in loops if loop.site is not None}
        self._runs = {match.node.span: match for match in context.of_kind("run", "model_call")}
        self.kept: dict[Span, Span] = {}
        """Where loops put their conversation into a file or table, by the span of their site."""
        self._hooked: dict[Span, tuple[Recording, ...]] = {}
        self._results: dict[Span, tuple[Recording, ...]] = {}
        self._tools = {id(function) for function in agents.code.values()}

    # -------------------------------------------------------------------------------------------------------- choices
    def choices(self, repeating: set[Span]) -> Iterator[DecisionPoint]:
        """What the model picks at each site, and why it stops. A conversation that a loop keeps for good says both."""
        for site in self._sites:
            picks = site.kind is SiteKind.DISPATCH or site.span in repeating or self._picks(site)
            if not picks or self._only_routes(site):
                continue
            what = "the model's tool choice and stop reason"
            logs, printed = self._of_site(site, CHOSEN)
            seen = (*_steps(self._works[site.span]), *logs, *self._kept(site))
            made = DecisionPoint(site.span, site.symbol, site.framework, DecisionKind.CHOICE, what, seen, printed)
            unseen = site.kind in {SiteKind.DISPATCH, SiteKind.HAND_WRITTEN_LOOP} and not site.tools
            yield made._replace(confidence=Confidence.MEDIUM) if unseen else made

    def _picks(self, site: Site) -> bool:
        """Whether a run of one step lets its model pick a tool that code here runs."""
        return site.kind is SiteKind.RUN and any(tool.schema.has_local_input for tool in site.tools)

    def _only_routes(self, site: Site) -> bool:
        """Whether a site runs a graph in which no model picks a tool that code runs: its edges decide, each a decision
        of its own.
        """
        spans = {agent.span for agent in site.agents}
        graphs = [match for match in self._context.of_kind("agent") if match.node.span in spans]
        picked = any(tool.schema.has_local_input for tool in site.tools)
        return bool(graphs) and not picked and all(map(self._graphs.goes_its_way, graphs))

    def _kept(self, site: Site) -> Iterator[Recording]:
        """The conversation of a loop, where it is kept for good."""
        if site.span not in self.kept and (saved := self._saved(site)) is not None:
            self.kept[site.span] = saved
        if (kept := self.kept.get(site.span)) is not None:
            by = f"the conversation that is kept at {kept.path}:{kept.line}"
            yield Recording(by, written(value=True, span=kept), kept)

    def _saved(self, site: Site) -> Span | None:
        """Where a pass lets the project's code put the conversation of a loop into a file or table, or where code
        beside a run puts all its messages there: `save(result.all_messages())`.
        """
        loop, match = self._loops.get(site.span), self._runs.get(site.span)
        if loop is None and match is not None:
            calls = self._context.program.structure(self._context.program.scope_of(match.node)).calls
            given = (call for call in calls if any(hands_back(argument.value) for argument in call.args))
            return next((call.span for call in given if self._logged.keeps(call)), None)
        names = {name for (_, name), _ in loop.grown} if loop is not None else set()
        for node in loop.inside.own if loop is not None and names else ():
            if isinstance(node, ir.Call) and SAVES.search(callee_name(node.callee)):
                found = (f for f in self._context.program.callees(node) if not self._is_tool(f))
                if any(self._logged.puts_away(function, names) for function in found):
                    return node.span
        return None

    def _of_site(self, site: Site, speaks: re.Pattern[str]) -> tuple[tuple[Recording, ...], Span | None]:
        """The logs at a site: in the passes of a loop, around a call, in the hooks that a run is given."""
        loop, match = self._loops.get(site.span), self._runs.get(site.span)
        if loop is not None:
            outside = self._context.program.structure(loop.scope).calls
            functions = (
                (loop.scope, outside),
                *((f, nodes) for f, nodes in loop.inside.called if not self._is_tool(f)),
            )
            calls = [node for _, nodes in functions for node in nodes if isinstance(node, ir.Call)]
            return self._logged.among(calls, speaks)
        if match is None:
            return (), None
        scope = self._context.program.scope_of(match.node)
        near = list(self._context.program.structure(scope).calls)
        for call in tuple(near):
            for function in self._context.program.callees(call):
                near += () if self._is_tool(function) else self._context.program.structure(function).calls
        logs, printed = self._logged.among(near, speaks)
        return (*logs, *self._of_hooks(site), *self._in_rows(scope, near, speaks)), printed

    def _in_rows(self, scope: ir.Scope, near: list[ir.Call], speaks: re.Pattern[str]) -> Iterator[Recording]:
        """What rows of the project's own tables say of a run, around it or where its function is called."""
        program, rows = self._context.program, self._context.once(RunRows)
        callers = program.callers(scope) if isinstance(scope, ir.Function) else ()
        calls = (*near, *(call for site in callers for call in program.structure(site.scope).calls))
        row = next((call for call in calls if any(map(speaks.search, rows.said(call).split()))), None)
        if row is not None:
            yield recording_by(row)

    def _is_tool(self, function: ir.Function) -> bool:
        return id(function) in self._tools

    def _of_hooks(self, site: Site) -> tuple[Recording, ...]:
        """What the functions record that a run hands to its library, which calls them at every step."""
        match = self._runs.get(site.span)
        if match is None or match.row.kind != "run":
            return ()
        if site.span not in self._hooked:
            calls = [c for f in hooks(self._context, match) for c in self._context.program.structure(f).calls]
            self._hooked[site.span] = self._logged.among(calls, ANYTHING)[0]
        return self._hooked[site.span]

    def _by_hooks(self, agents: Iterable[Agent]) -> Iterator[Recording]:
        """The same for all runs in which one of these agents may work."""
        spans = {agent.span for agent in agents}
        for site in self._sites:
            if (recorded := self._of_hooks(site)) and spans & working_for(self._agents.handoffs, site.agents):
                yield from recorded

    # ---------------------------------------------------------------------------------------------------- transitions
    def edges(self) -> Iterator[DecisionPoint]:
        """The choices that graphs make among their nodes; one that asks a model for them is a router."""
        asking = {id(self._context.program.scope_of(m.node)) for m in self._context.of_kind("model_call")}
        for branch in decided_edges(self._context):
            recorded = self._of_graph(branch)
            asks = any(id(function) in asking for function in branch.functions)
            kind = DecisionKind.ROUTE if asks else DecisionKind.TRANSITION
            calls = [c for f in branch.functions for c in self._context.program.structure(f).calls]
            logs, printed = self._logged.among(calls, ROUTED)
            logs = logs or recorded_where_answered(self._context, self._logged, branch.functions)
            logs = logs or recorded_where_set(self._context, self._logged, branch.functions)
            logs = logs or recorded_in_state(self._context, branch.functions)
            what = f"the route taken at {branch.symbol}"
            yield DecisionPoint(branch.span, branch.symbol, branch.framework, kind, what, (*recorded, *logs), printed)

    def routers(self) -> Iterator[DecisionPoint]:
        """Where the branches of other libraries lead."""
        for match in self._context.of_kind("router"):
            if isinstance(match.node, ir.Call) and callee_name(match.node.callee) in CONDITIONAL:
                continue
            pack, symbol, span = match.row.where.pack, self._context.symbol(match.node), match.node.span
            calls: Iterable[ir.Call] = self._given(match.node) if isinstance(match.node, ir.Call) else ()
            if isinstance(match.node, ir.Function):
                calls, span = self._context.program.structure(match.node).calls, match.node.name_span
            kind = DecisionKind.ROUTE if match.row.constants.get("asks") else DecisionKind.TRANSITION
            logs, printed = self._logged.among(calls, ROUTED)
            what = f"the route taken at {symbol}"
            yield DecisionPoint(span, symbol, pack, kind, what, (*self._of_library(pack, span.path), *logs), printed)

    def _of_library(self, pack: str, at: str) -> tuple[Recording, ...]:
        """What records the runs of a library; where nothing in the project runs it, what speaks of it."""
        runs = [self._works[s.span] for s in self._sites if pack in {s.framework, *(a.framework for a in s.agents)}]
        switch = None if runs else self._switches.of(pack, at)
        return _of_all(runs) if switch is None else (switch,)

    def _of_graph(self, branch: Branch) -> tuple[Recording, ...]:
        """What records the runs of a graph; of one that nothing in the project runs, what speaks of its library."""
        own = [m for m in self._context.of_kind("agent") if self._is_compiled(m, branch.graph)]
        spans = {match.node.span for match in self._graphs.around(own)}
        runs = [self._works[s.span] for s in self._sites if any(agent.span in spans for agent in s.agents)]
        return _of_all(runs) if runs else self._of_library(branch.framework, branch.span.path)

    def _is_compiled(self, agent: Match, graph: int) -> bool:
        builder = self._context.made(agent.api, "graph")
        return builder is not None and id(builder.node) == graph

    def handoffs(self) -> Iterator[DecisionPoint]:
        """To whom agents pass the work. A graph with others as its steps decides by its edges, a team by its router."""
        made = (match.node for match in self._context.of_kind("handoff"))
        calls = {call.span: call for call in made if isinstance(call, ir.Call)}
        graphs = {m.node.span for m in self._context.of_kind("agent") if self._graphs.goes_its_way(m)}
        graphs |= {match.node.span for match in self._context.of_kind("router")}
        steps = {(edge.span, edge.symbol) for edge in self._agents.handoffs if edge.source.span in graphs}
        for work in self._traced:
            if work.kind is WorkKind.HANDOFF and (work.span, work.symbol) not in steps:
                given = self._given(calls[work.span]) if work.span in calls else ()
                sources = [edge.source for edge in self._agents.handoffs if edge.span == work.span]
                seen = (*_steps(work), *self._logged.among(given, ANYTHING)[0], *self._by_hooks(sources))
                what = f"the handoff {work.symbol}"
                yield DecisionPoint(work.span, work.symbol, work.framework, DecisionKind.TRANSITION, what, seen)

    def _given(self, call: ir.Call) -> tuple[ir.Call, ...]:
        """The calls in functions that a call is handed: `on_handoff`, a filter."""
        values = (value for argument in call.args for value in self._context.program.value_of(argument.value))
        functions = (value.function for value in values if isinstance(value, Func))
        return tuple(inner for f in functions for inner in self._context.program.structure(f).calls)

    def tasks(self) -> Iterator[DecisionPoint]:
        """The states of tasks that the project's own executors work on for other agents: by their own logs, or those of
        the project's client, which sends the tasks.
        """
        sent = {(m.row.where.pack, self._context.program.scope_of(m.node)) for m in self._context.of_kind("handoff")}
        for match in self._context.of_kind("task_executor"):
            parts = match.node.body if isinstance(match.node, ir.Class) else (match.node,)
            functions = [part for part in parts if isinstance(part, ir.Function)]
            calls = [call for f in functions for call in self._context.program.structure(f).calls]
            logs, printed = self._logged.among(calls, ANYTHING, warnings=True)
            span = ir.place_of(match.node)
            symbol = self._context.symbol(match.node)
            what = f"the task state in {symbol}"
            pack = match.row.where.pack
            for scope in sorted((scope for sender, scope in sent if sender == pack and not logs), key=lambda s: s.span):
                logs = logs or self._logged.among(self._context.program.structure(scope).calls, STATE)[0]
            yield DecisionPoint(span, symbol, pack, DecisionKind.TRANSITION, what, logs, printed)

    # ------------------------------------------------------------------------------------------------------- outcomes
    def approvals(self, pauses: Iterable[Pause]) -> Iterator[DecisionPoint]:
        """What somebody answered."""
        calls = {match.node.span: match.node for match in self._context.of_kind("interrupt")}
        for pause in pauses:
            node = calls.get(pause.span)
            works = [self._works[p.site.span] for p in pause.runs if p.site.span in self._works]
            if node is not None:
                near: Iterable[ir.Call] = self._context.program.structure(self._context.program.scope_of(node)).calls
            else:
                near = self._of_tool_code(pause.span)
            near = tuple(near)
            asked = {id(f): f for call in near for f in self._context.program.callees(call) if not self._is_tool(f)}
            inside = (call for f in asked.values() for call in self._context.program.structure(f).calls)
            logs, printed = self._logged.among((*near, *inside), ROUTED, warnings=True)
            what = f"the answer to {pause.symbol}"
            seen = (*_of_all(works), *logs, *self._by_loops(pause.span))
            yield DecisionPoint(pause.span, pause.symbol, pause.framework, DecisionKind.OUTCOME, what, seen, printed)

    def _of_tool_code(self, span: Span) -> Iterator[ir.Call]:
        for tool in self._agents.all_tools():
            function = self._agents.code.get(id(tool)) if tool.span == span else None
            if function is not None:
                yield from self._context.program.structure(function).calls

    def guards(self) -> Iterator[DecisionPoint]:
        """The guards that can stop a run of their library."""
        for match in self._context.of_kind("guard"):
            pack = match.row.where.pack
            works = [
                self._works[s.span] for s in self._sites if pack in {s.framework, *(a.framework for a in s.agents)}
            ]
            if not works or effective(self._context, match, "blocks").values != REFUSES:
                continue
            functions = [match.node] if isinstance(match.node, ir.Function) else []
            calls = [call for f in functions for call in self._context.program.structure(f).calls]
            if any("asks_again" in marks_of(self._context, call) for call in calls):
                continue  # it stops nothing: the model answers anew, as after a failed call of a tool
            calls += self._given(match.node) if isinstance(match.node, ir.Call) else ()
            logs, printed = self._logged.among(calls, ANYTHING, warnings=True)
            span = match.node.name_span if isinstance(match.node, ir.Function) else match.node.span
            symbol = self._context.symbol(match.node)
            what = f"the verdict of {symbol or 'the guard'}"
            seen = (*_of_all(works), *logs)
            yield DecisionPoint(span, symbol, pack, DecisionKind.OUTCOME, what, seen, printed)

    def effects(self) -> Iterator[DecisionPoint]:
        """What came of the tools."""
        for work in self._traced:
            if work.tool is None:
                continue
            logs, printed = self._logged.among(self._of_tool_code(work.span), ANYTHING)
            agents = [agent for agent in self._agents.agents if work.tool in agent.tools]
            seen = (*work.recordings, *logs, *self._by_loops(work.span), *self._by_hooks(agents))
            what = f"the outcome of {work.symbol}"
            kind = DecisionKind.OUTCOME
            yield DecisionPoint(work.span, work.symbol, work.framework, kind, what, seen, printed, work.tool)

    def _by_loops(self, tool: Span) -> Iterator[Recording]:
        """What hand-written loops record of what a tool did that they run."""
        for site in self._sites:
            if site.span in self._loops and any(given.span == tool for given in site.tools):
                if site.span not in self._results:
                    self._results[site.span] = (*self._of_site(site, CAME_OF_IT)[0], *self._kept(site))
                yield from self._results[site.span]


def _steps(work: TracedWork) -> tuple[Recording, ...]:
    """What records the steps of a piece of work, each with what was decided in it: whoever knows the tokens of a run
    has read its answers, which say what was picked.
    """
    seen = (one for one in work.recordings if Signal.COST in one.signals)
    return tuple(one._replace(extent=Extent.WHOLE) if one.extent is Extent.STEPS else one for one in seen)


def _of_all(works: Iterable[TracedWork]) -> tuple[Recording, ...]:
    """What records several runs: all of them, or some only."""
    found = [_steps(work) for work in works]
    some = any(_records(one) for one in found) and not all(_records(one) for one in found)
    recordings = dict.fromkeys(recording for one in found for recording in one)
    return tuple(one._replace(extent=Extent.SOME_WAYS) if some else one for one in recordings)


def _records(recordings: Iterable[Recording]) -> bool:
    return any(one.is_on and one.extent is Extent.WHOLE for one in recordings)
