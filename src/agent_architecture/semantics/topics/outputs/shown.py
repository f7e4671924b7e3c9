"""Answers that are handed to whoever asked for them: what a site answers, where nothing in the project takes it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import GuardStage
from agent_architecture.model.outputs import Consumer, ModelOutput, Target, Validation
from agent_architecture.model.system import SiteKind
from agent_architecture.names import flow
from agent_architecture.names.exits import answers
from agent_architecture.names.keyed_reads import part_read
from agent_architecture.names.log_calls import prints
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.semantics.adapters.deployments import exported_by
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.control.conditions_of_project import marks_of
from agent_architecture.semantics.conversations.graph_channels import MESSAGES
from agent_architecture.semantics.loops.sites import exported_at, run_agents
from agent_architecture.semantics.matching.effective import written_values
from agent_architecture.semantics.schemas.output_schemas import ORDER, shape_of
from agent_architecture.semantics.topics.verification.checks import scope_at
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.guardrails import Point
    from agent_architecture.model.system import AgentSystem, Site
    from agent_architecture.semantics.adapters.graphs import Graphs
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

SHOWING: Final = frozenset({"log", "write", "markdown", "say", "send", "reply"})
"""Calls that put a text before a person, by their last name, beside those that print it."""
NO_TEXT: Final = frozenset(
    {"input", "arguments", "args", "tool_calls", "stop_reason", "finish_reason", "finishReason", "stopReason", "usage"}
    | {"id", "name", "model", "type"}
)
"""Parts of an answer in which a model calls tools, and what its service says of it."""


def shown_answers(
    work: Work, graphs: Graphs, loops: Iterable[HandWritten], system: AgentSystem
) -> Iterator[ModelOutput]:
    """One for each site whose answer is returned, printed or sent, and that nothing else takes: at the run of an agent,
    and where code with a model of its own tells what the model answered.
    """
    reader = _Shown(work, graphs, loops, system)
    for site in system.agent_sites:
        place = reader.hands_out(site)
        if place is not None:
            validation = reader.exported.get(site.span, Validation.NONE)
            validation = reader.checked(site) if validation is Validation.NONE else validation
            yield ModelOutput(place, site.symbol, site.framework, Consumer.DISPLAY, validation, site.span)


class _Shown:
    def __init__(self, work: Work, graphs: Graphs, loops: Iterable[HandWritten], system: AgentSystem) -> None:
        self._program = work.context.program
        self._loops = {loop.site.span: loop for loop in loops if loop.site is not None}
        matches = tuple(work.context.of_kind("run", "model_call"))
        self._asks = {match.node.span: match.node for match in matches if isinstance(match.node, ir.Call)}
        self._work, self._graphs = work, graphs
        self._runs = {match.node.span: match for match in matches if match.row.kind == "run"}
        self._watched = {each.site.span: each for each in system.watched}
        told = (one.source for one in system.premises if one.target is Target.AGENT and one.source is not None)
        uses = (place for one in system.model_outputs if _takes(one) for place in (one.source, *one.trail))
        self._taken = frozenset((*told, *uses))
        self.exported = dict(self._exported(system.agent_sites))
        """The agents that whoever runs them asks from outside, and what shape their answers are asked to have."""
        self._used = tuple(one.span for one in system.model_outputs if _takes(one))
        self._sites = frozenset(site.span for site in system.agent_sites)
        inner = (*work.agents.code.values(), *graphs.run_by_steps())
        self._inner = frozenset(id(each) for function in inner for each in self._run_by(function))
        packs = work.context.packs
        named = (site.call for name in packs.mark_names("step") for site in self._program.calls(name))
        self._steps = tuple(call.span for call in named if "step" in marks_of(work.context, call))

    def _exported(self, sites: Iterable[Site]) -> Iterator[tuple[Span, Validation]]:
        """Of those that a deployment names, and those whose answer has a shape: whoever else is only made, or stands in
        a registry beside others, may be asked for something that code takes. Of a graph with steps of its own, where
        its model speaks in its conversation alone.
        """
        named = {id(match.node) for match in self._graphs.exported} - _of_many(self._work.context)
        for site, match in exported_at(self._work.context, self._graphs, sites):
            shapes = map(shape_of, written_values(self._work.context, match, "output_schema"))
            shape = min(shapes, key=ORDER.index, default=Validation.NONE)
            is_asked = id(match.node) in named or shape is not Validation.NONE
            if is_asked and (not self._graphs.is_built(match) or self._only_speaks(match)):
                yield site.span, shape

    def _only_speaks(self, graph: Match) -> bool:
        """Whether what the models of a graph answer goes into its conversation, and no code takes any of it."""
        reached = (self._work.inside(*step.body) for step in self._graphs.functions(graph))
        return self._taken.isdisjoint(ask.node.span for each in reached for ask in each.asks) and self._speaks(graph)

    def _speaks(self, graph: Match) -> bool:
        """Whether an agent that is a step, or a model that a step asks, speaks in the conversation of a graph, and
        nothing else takes what it says.
        """
        if self._graphs.has_agents(graph):
            return True
        steps = tuple(self._graphs.functions(graph))
        asks = [ask.node for step in steps for ask in self._work.inside(*step.body).asks]
        free = frozenset(id(ask) for ask in asks if ask.span not in self._taken)
        turns = (turn for step in steps for function in self._run_by(step) for turn in _turns(function))
        return any(self._begins(turn) & free for turn in turns)

    def _run_by(self, function: ir.Function) -> Iterator[ir.Function]:
        yield function
        yield from (each for each, _ in extent(self._program, function.body, set()).called)

    def hands_out(self, site: Site) -> Span | None:
        """Where what a site answers goes to whoever asked, and nothing of the project takes it; what a tool or a step
        of a graph answers goes on to its agent.
        """
        if site.kind is SiteKind.EXPORTED_GRAPH:
            return site.span if site.span in self.exported else None
        if site.kind is SiteKind.RUN:
            run = self._asks.get(site.span)
            free = run is not None and self._is_free(site.span) and self._is_used(run)
            return site.span if free and run is not None and self._is_of_model(run) else None
        if site.kind is SiteKind.DISPATCH:
            scope = scope_at(self._program, site.span)
            if not self._is_free(site.span) or any(scope.span.contains(place) for place in self._used):
                return None
            asked = (node for node in own_nodes(scope, ir.Call) if node.span == site.span)
            return self._told(scope, frozenset(map(id, asked)))
        loop = self._loops.get(site.span)
        if site.kind is not SiteKind.HAND_WRITTEN_LOOP or loop is None:
            return None
        asks = {ask.node.span: ask.node for ask in loop.asks}
        known = self._sites | self._taken
        if not asks or not known.isdisjoint(asks) or not self._is_free(site.span):
            return None
        return self._told(loop.scope, frozenset(id(node) for node in asks.values()))

    def _is_of_model(self, run: ir.Call) -> bool:
        """Whether the answer of a run is what a model says: of a graph, whose answer is all that its steps found, where
        the code around takes the last of its conversation.
        """
        agents = run_agents(self._work.context, self._runs[run.span]) if run.span in self._runs else ()
        built = [agent for agent in agents if self._graphs.is_built(agent)]
        return not built or (any(map(self._speaks, built)) and self._takes_turn(run))

    def _takes_turn(self, run: ir.Call) -> bool:
        """Whether the code around a run reads the conversation of its answer: `result["messages"][-1]`."""
        reads = (_conversation_of(node) for node in own_nodes(self._program.scope_of(run)))
        origins = (begun for read in reads if read is not None for begun in flow.origins(self._program, read))
        return any(begun.node is run for begun in origins)

    def _is_free(self, span: Span) -> bool:
        """Whether an answer is the last: nothing takes it, and no agent or next step waits for it."""
        if span in self._taken or any(step.contains(span) for step in self._steps):
            return False
        scope: ir.Scope | None = scope_at(self._program, span)
        while isinstance(scope, ir.Function):
            if id(scope) in self._inner:
                return False
            scope = scope.outer
        return True

    def _is_used(self, run: ir.Call) -> bool:
        return not self._program.structure(self._program.scope_of(run)).is_statement(run)

    def _told(self, scope: ir.Scope, asks: frozenset[int]) -> Span | None:
        """Where a function returns, yields or shows what its model answered; None where it does not."""
        nodes = tuple(own_nodes(scope))
        shown = (node for node in nodes if isinstance(node, ir.Call) and _shows(node))
        yielded = (node.value for node in nodes if isinstance(node, ir.Yield) and node.value is not None)
        told = (*answers(nodes), *yielded, *(argument.value for call in shown for argument in call.args))
        parts = sorted((part for text in told for part in _parts(text)), key=lambda part: part.span)
        return next((part.span for part in parts if self._begins(part) & asks), None)

    def _begins(self, text: ir.Expr) -> frozenset[int]:
        """The ids of the nodes where a text begins."""
        return frozenset(id(begun.node) for begun in flow.origins(self._program, text, _of_text))

    def checked(self, site: Site) -> Validation:
        """What can refuse the answer of a site before it is handed out."""
        watched = self._watched.get(site.span)
        points = watched.points if watched is not None else ()
        output = next((point for point in points if point.stage is GuardStage.OUTPUT), None)
        return Validation.NONE if output is None else _of_point(output)


def _of_many(context: Context) -> set[int]:
    """The ids of agents that one call names beside others: a registry, of which each caller asks another."""
    by_agent = exported_by(context)
    named = Counter(id(call.node) for call in by_agent.values())
    return {agent for agent, call in by_agent.items() if named[id(call.node)] > 1}


def _turns(function: ir.Function) -> Iterator[ir.Expr]:
    """What a step puts into the conversation of its graph."""
    for entry in (entry for made in own_nodes(function, ir.Map) for entry in made.entries):
        if isinstance(entry.key, ir.Literal) and entry.key.value == MESSAGES:
            yield from entry.value.items if isinstance(entry.value, ir.List) else (entry.value,)


def _conversation_of(node: ir.Node) -> ir.Expr | None:
    """What an expression reads the conversation of: `result["messages"]`, `result.messages`."""
    read = part_read(node)
    return read.mapping if read is not None and read.key == MESSAGES else None


def _parts(text: ir.Expr) -> Iterator[ir.Expr]:
    """What an answer is made of: the values of a record, each."""
    entries = text.entries if isinstance(text, ir.Map) else ()
    for entry in entries:
        yield from _parts(entry.value)
    if not entries:
        yield text


def _shows(call: ir.Call) -> bool:
    return prints(call) or callee_name(call.callee) in SHOWING


def _of_text(node: ir.Expr, passed: frozenset[str]) -> tuple[()] | None:
    """What a model calls tools with, and why it stopped, is no answer of it: `block.input`, `reply.stop_reason`."""
    del passed
    match node:
        case ir.Member(name=name) | ir.Index(key=ir.Literal(value=str() as name)):
            return () if name in NO_TEXT else None
        case _:
            return None


def _takes(output: ModelOutput) -> bool:
    return not output.is_argument and output.consumer not in {Consumer.DISPLAY, Consumer.BRANCH}


def _of_point(point: Point) -> Validation:
    guards = [[guard for guard in place if guard.blocks] for place in point.places]
    if guards and all(guards):
        holds = all(any(not (g.fails_open or g.parallel) for g in place) for place in guards)
        return Validation.GUARDED if holds else Validation.FALLS_THROUGH
    if any(guards):
        return Validation.CHECKED
    return Validation.UNKNOWN if point.hidden else Validation.NONE
