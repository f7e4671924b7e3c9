"""Where what a model wrote is taken for true: in the prompt of another model, in a store, in an effect.

Joins texts' ways back with what stands on them. Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.memory import Holding
from agent_architecture.model.outputs import Answer, Boundary, Premise, Slot, Target, Verification
from agent_architecture.names import flow
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.adapters.crewai_tasks import briefed_tasks, doing, started_with, tasks_in_words
from agent_architecture.semantics.conversations import messages
from agent_architecture.semantics.conversations.answers import NEW, REPLAYED, Answers
from agent_architecture.semantics.conversations.passed_templates import filled
from agent_architecture.semantics.conversations.prompt_slots import each_once, text_slots
from agent_architecture.semantics.conversations.reports_back import reports_back
from agent_architecture.semantics.conversations.requests import Requests
from agent_architecture.semantics.conversations.text_provenance import Reading
from agent_architecture.semantics.conversations.tool_runs import ToolRuns
from agent_architecture.semantics.conversations.written_statements import STATEMENTS
from agent_architecture.semantics.conversations.written_texts import entered_at
from agent_architecture.semantics.effects.memory_writes import Put, Puts, by_hand, of_rows
from agent_architecture.semantics.effects.queries import is_query
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.taint import delimiters
from agent_architecture.semantics.taint.boundaries import Boundaries, of_way
from agent_architecture.semantics.taint.sources import sources_of
from agent_architecture.semantics.topics.premises.condensed import Condensed
from agent_architecture.semantics.topics.premises.delegations import Delegations
from agent_architecture.semantics.topics.premises.filled_memories import filled_memories
from agent_architecture.semantics.topics.premises.given_parts import given_parts, variables
from agent_architecture.semantics.topics.premises.other_agents import OtherAgents
from agent_architecture.semantics.topics.premises.pipelines import Pipelines
from agent_architecture.semantics.topics.premises.started_agents import tasked
from agent_architecture.semantics.topics.premises.telling_tools import Told
from agent_architecture.semantics.topics.verification.checks import NOTHING, Check, Verifications, strongest
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.memory import MemoryWrite
    from agent_architecture.model.system import Binding
    from agent_architecture.names.flow_paths import Calls
    from agent_architecture.names.program import CallSite
    from agent_architecture.semantics.adapters.graphs import Graphs
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.conversations.prompt_slots import TextSlot
    from agent_architecture.semantics.conversations.written_statements import WrittenStatement
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

SENDING: Final = ("mail", "payment", "deploy", "network_write")
"""Of code that no model picks: what it sends away. What it shows, or writes, for whom it serves is nobody's premise."""
ASKED: Final = frozenset({"always"})

_ORDER: Final = tuple(Verification)


class _Way(NamedTuple):
    """An answer that comes to a place, and what it passed."""

    ask: Match
    trail: tuple[Span, ...]
    check: Check = NOTHING
    replayed: bool = False
    """Whether it is a turn of the conversation that the agents of a graph have in common."""
    boundary: Boundary = Boundary.NONE


def premises(  # noqa: PLR0913, PLR0917 - what is known of the program
    work: Work,
    agents: Agents,
    graphs: Graphs,
    bindings: Iterable[Binding],
    writes: Iterable[MemoryWrite],
    loops: tuple[HandWritten, ...],
    named: Puts = (),
    statements: Iterable[WrittenStatement] = (),
) -> tuple[Premise, ...]:
    """Every place, by position; of several answers at one the least verified."""
    found: dict[tuple[Span, Target], Premise] = {}
    made = _Premises(work, agents, graphs, loops)
    for each in (*made.all(tuple(bindings), tuple(writes), named), *made.run(statements)):
        known = found.setdefault((each.span, each.target), each)
        if _ORDER.index(each.verification) < _ORDER.index(known.verification):
            found[each.span, each.target] = each
    return tuple(found.values())


class _Premises:
    def __init__(self, work: Work, agents: Agents, graphs: Graphs, loops: tuple[HandWritten, ...]) -> None:
        self._work = work
        self._context = context = work.context
        self._agents = agents
        self._tools = agents.functions()
        self._tool_of = {id(agents.code[id(tool)]): tool for tool in agents.all_tools() if id(tool) in agents.code}
        boundaries = context.once(Boundaries)
        reading = Reading(context, sources_of(context, frozenset(self._tools)), boundaries, ToolRuns(context))
        self._requests = Requests(context)
        self._reader = Answers(context, reading, self._requests)
        self._checks = Verifications(work, graphs, agents.facts.guards, boundaries, self._reader, self._requests)
        self._told = Told(work, agents, self._reader)
        self._pipelines = Pipelines(context, agents, self._checks, boundaries)
        self._loops = loops
        self._looping = frozenset(id(ask.node) for loop in loops if loop.site is not None for ask in loop.asks)
        self._delegations = Delegations(context, agents, loops, self._reader)
        self._asks = self._requests.by_call
        self._others = OtherAgents(context, agents, self._requests)
        self._condensed = Condensed(context, self._reader, self._requests)

    def all(self, bindings: tuple[Binding, ...], writes: tuple[MemoryWrite, ...], named: Puts) -> Iterator[Premise]:
        """Messages first: what a request is given is what it can verify."""
        yield from self._handed()
        yield from self._started()
        yield from self._briefed()
        yield from self._tasked()
        yield from self._as_tools()
        yield from self._pipelines.passed_on()
        every = text_slots(self._context) if self._asks else ()
        slots = [slot for found in every for slot in self._requests.of_slot(found)]
        entering = [(slot, ways) for slot in each_once(self._context, slots) if (ways := tuple(self._enters(slot)))]
        given: dict[int, set[int]] = {}
        for slot, ways in entering:
            for ask in () if slot.ask is None else (slot.ask,):
                given.setdefault(id(ask.node), set()).update(id(way.ask.node) for way in ways)
        self._checks.judged_by = {key: frozenset(found) for key, found in given.items()}
        for slot, every_way in entering:
            ways = tuple(way for way in every_way if not way.replayed)
            if ways:
                yield self._told_in(slot, ways)
        stored = {write.span for write in writes}
        yield from (*self._kept(writes, named), *filled_memories(self._context, self._checks), *self._sent(stored))
        for found in _by_tool(bindings):
            yield from tuple(self._delegated(found)) or self._picked(found, stored)  # what the other does is its own

    # --------------------------------------------------------------------------------------------------- other agents
    def _told_in(self, slot: TextSlot, ways: tuple[_Way, ...]) -> Premise:
        """What a message tells of what models answered before: to another agent, or to a step or judge."""
        ask = slot.ask
        is_tried = ask is not None and slot.fill is not None and self._checks.is_dropped(ask)
        judges = ask is not None and (is_tried or self._checks.judges(ask, slot.node))
        target = Target.AGENT if self._is_of_agents(slot, ways) and not judges else Target.STEP
        told = self._premise(slot.node.span, slot.symbol, slot.framework, target, ways)
        return told._replace(
            enters=entered_at(self._context.program, slot.node, slot.texts, told.trail),
            answers=tuple(Answer(way.ask.node.span, way.boundary, way.trail) for way in ways),
            asked=None if ask is None else ask.node.span,
            slot=slot.slot,
        )

    def _enters(self, slot: TextSlot) -> Iterator[_Way]:
        """The answers of other agents that enter a message."""
        if slot.slot is Slot.ASSISTANT or messages.is_converted(self._context.program, slot.texts):
            return
        is_whole = slot.ask is not None and isinstance(slot.node, ir.Call) and slot.fill is None
        for marked, origin in self._begins(slot):
            ask = self._asks.get(id(origin.node))
            if ask is None or (is_whole and not NEW & origin.passed) or not self._others.wrote(slot, ask, origin):
                continue
            if self._condensed.goes_on(slot.node, ask, origin.trail):
                continue
            around = frozenset({str(Boundary.DELIMITED)}) if marked else frozenset[str]()
            yield _Way(ask, origin.trail, NOTHING, REPLAYED in origin.passed, of_way(origin.passed | around))

    def _begins(self, slot: TextSlot) -> Iterator[tuple[bool, flow.Origin]]:
        """Where the texts of a message begin, and whether the text of its template marks them as data."""
        for text in slot.texts:
            if slot.fill is None:
                yield from ((False, origin) for origin in self._origins(text))
                continue
            for place, calls in filled(self._context, text, slot.fill):
                marked = delimiters.marks(place.before, place.after)
                yield from ((marked, origin) for origin in self._origins(place.expr, calls))

    def _is_of_agents(self, slot: TextSlot, ways: tuple[_Way, ...]) -> bool:
        """Whether an agent says it or hears it: steps of a fixed order that each ask a model once are no agents."""
        return any(map(self._is_agent, (way.ask for way in ways))) or (
            slot.ask is not None and self._is_agent(slot.ask)
        )

    def _is_agent(self, ask: Match) -> bool:
        return ask.row.kind == "run" or id(ask.node) in self._looping or bool(self._agents.tools_of(ask))

    def _origins(self, text: ir.Expr, calls: Calls = ()) -> tuple[flow.Origin, ...]:
        found = flow.origins(self._context.program, text, self._reader, calls)
        return tuple(o for o in found if o.kind != "call" or self._asks.get(id(o.node)) is None or self._speaks(o))

    def _speaks(self, origin: flow.Origin) -> bool:
        return not self._checks.says_nothing(self._asks[id(origin.node)])

    def _handed(self) -> Iterator[Premise]:
        """Steps that a framework tells what other agents answered before."""
        for step, before, where in tasks_in_words(self._context):
            checked = [(self._checks.of_step(source), source.span) for source in before]
            check, source = min(checked, key=lambda each: (_ORDER.index(each[0].kind), each[1]))
            pack = next((match.row.where.pack for match in self._context.all_at(step, "prompt")), "")
            scope = self._context.program.scope_of(step)
            symbol = self._context.symbol(step)
            if symbol == called(step) and isinstance(scope, ir.Function):
                symbol = scope.name  # the method that returns the step
            said = tuple(agent.node.span for task in before for agent in doing(self._context, task))
            heard = next((agent.node.span for agent in doing(self._context, step)), None)
            yield Premise(
                step.span, symbol, pack, Target.AGENT, check.kind, check.span, source, enters=where,
                answers=tuple(Answer(span, Boundary.NONE) for span in said), asked=heard,
            )  # fmt: skip

    def _started(self) -> Iterator[Premise]:
        """Crews that code starts with what other agents answered."""
        for run, given in started_with(self._context):
            origins = (origin for _, text in given for origin in self._origins(text))
            ways = tuple(way for way in self._ways(origins) if way.ask.node is not run.node)
            if ways and not self._checks.judges(run, run.node):
                yield self._premise(run.node.span, called(run.node), run.row.where.pack, Target.AGENT, ways)

    def _briefed(self) -> Iterator[Premise]:
        """Tasks that code describes with what other agents answered."""
        for task, texts, agents in briefed_tasks(self._context):
            own = {id(agent.node) for agent in agents}
            ways = self._ways(origin for text in texts for origin in self._origins(text))
            others = tuple(way for way in ways if self._is_of_others(way.ask, own))
            if others:
                symbol = self._context.symbol(task.node) or called(task.node)
                yield self._premise(task.node.span, symbol, task.row.where.pack, Target.AGENT, others)

    def _is_of_others(self, ask: Match, own: set[int]) -> bool:
        """Whether an answer is known to be of other agents than these."""
        agents = {id(agent.node) for agent in run_agents(self._context, ask)} if ask.row.kind == "run" else set()
        return bool(own) and bool(agents) and own.isdisjoint(agents)

    def _tasked(self) -> Iterator[Premise]:
        """Agents written by hand that code starts with what others answered; one that only decides is told nothing."""
        for start in tasked(self._context.program, self._loops, self._reader, self._requests):
            scope = self._context.program.scope_of(start.call)
            ways = self._ways(origin for origin in start.origins if self._speaks(origin))
            if ways and not self._checks.decides(scope, frozenset(id(way.ask.node) for way in ways)):
                yield self._premise(start.call.span, called(start.call), "", Target.AGENT, ways)

    def _as_tools(self) -> Iterator[Premise]:
        """Agents that others call as tools: what they answer is the tool's result."""
        for match in self._context.of_kind("handoff"):
            address = match.row.relations.get("target")
            if address is None or self._context.at(match.node, "tool") is None:
                continue
            read = at_call(self._context.program, match.arguments, match.api.receiver, address)
            for target in self._context.made_by(read.values, "agent")[:1]:
                if not self._checks.says_nothing(target):
                    check = self._checks.of_source(target)
                    pack, symbol = match.row.where.pack, called(match.node)
                    place = target.node.span
                    yield Premise(
                        match.node.span, symbol, pack, Target.AGENT, check.kind, check.span, place, slot=Slot.TOOL
                    )

        yield from self._heard()

    def _heard(self) -> Iterator[Premise]:
        """Agents whose answers come back to the one that gave them work."""
        for edge, target in reports_back(self._context, self._agents):
            if not self._checks.says_nothing(target):
                check = self._checks.of_source(target)
                symbol, place = f"{edge.source.symbol}, from {edge.target.symbol}", target.node.span
                yield Premise(
                    edge.span, symbol, edge.framework, Target.AGENT, check.kind, check.span, place, slot=Slot.TOOL
                )

    # --------------------------------------------------------------------------------------------- stores and effects
    def _kept(self, writes: tuple[MemoryWrite, ...], named: Puts) -> Iterator[Premise]:
        """What is put into stores, but for conversations that are kept as they were, and runs."""
        for write, _, call, texts in of_rows(self._context, writes):
            if any(memory.holds in {Holding.CONVERSATION, Holding.PROGRESS} for memory in write.memories):
                continue
            yield from self._put(Put(call, write.symbol, write.framework, texts))
        for put in (*by_hand(self._context, writes), *named):
            yield from self._put(put)

    def _put(self, put: Put) -> Iterator[Premise]:
        """Where the project decides what is put there, or at the tool whose model does; at the store for several."""
        handed = [each for text in put.texts for each in self._requests.handed_in(put.node, text)]
        bringing = [(call, ways) for call, given in handed if (ways := self._ways(self._origins(given)))]
        if len(bringing) == 1:
            call, ways = bringing[0]
            yield self._premise(call.span, called(call), "", Target.MEMORY, ways)
            return
        origins = [origin for text in put.texts for origin in self._origins(text)]
        if ways := self._ways(origins):
            yield self._premise(put.node.span, put.symbol, put.framework, Target.MEMORY, ways)
            return
        given_to = {id(o.node) for o in origins if o.kind == "parameter" and id(o.node) in self._tools}
        tool = self._tool_of.get(given_to.copy().pop()) if len(given_to) == 1 else None
        if tool is not None:
            yield Premise(tool.span, tool.name, tool.framework, Target.MEMORY, trail=(put.node.span,))
        elif given_to:
            yield Premise(put.node.span, put.symbol, put.framework, Target.MEMORY)

    def _sent(self, stored: set[Span]) -> Iterator[Premise]:
        """What code sends away of its own accord."""
        for name in sorted(self._context.packs.effect_names(*SENDING)):
            for site in self._context.program.calls(name):
                if site.call.span in stored or id(site.call) in self._asks or id(site.scope) in self._tools:
                    continue
                done = self._work.once_by(site.call)
                if done is None or done.kind not in SENDING or is_query(self._context.program, site.call):
                    continue
                if self._asks_in_place(site):
                    continue
                ways = self._ways(o for argument in site.call.args for o in self._origins(argument.value))
                if ways:
                    yield self._premise(
                        site.call.span, called(site.call), done.framework, Target.EFFECT, ways, done.kind
                    )

    def run(self, statements: Iterable[WrittenStatement]) -> Iterator[Premise]:
        """What code has a database do because a model wrote it, where that may change something."""
        for each in statements:
            asked, made = self._asks.get(id(each.ask)), each.effect
            if made.kind != "database_read" and asked is not None:
                ways = (_Way(asked, made.trail),)
                yield self._premise(made.span, made.symbol, made.framework, Target.EFFECT, ways, STATEMENTS)

    def _asks_in_place(self, site: CallSite) -> bool:
        """Whether a request is sent the text that a model is asked with elsewhere in its function: an API of models by
        hand, where the client is missing.
        """
        nodes = self._context.program.structure(site.scope).nodes
        asks = [variables(node) for node in nodes if isinstance(node, ir.Call) and id(node) in self._asks]
        told = [part for part in given_parts(site.call) if asks and self._ways(self._origins(part))]
        own = self._context.program.bindings(site.scope)
        names = [frozenset(name for name in variables(part) if name in own) for part in told]
        return bool(told) and any(all(each and each <= asked for each in names) for asked in asks)

    def _ways(self, origins: Iterable[flow.Origin]) -> tuple[_Way, ...]:
        return tuple(_Way(self._asks[id(o.node)], o.trail) for o in origins if id(o.node) in self._asks)

    def _premise(  # noqa: PLR0913, PLR0917 - what is known of a place
        self, span: Span, symbol: str, framework: str, target: Target, ways: tuple[_Way, ...], effect: str = ""
    ) -> Premise:
        checked = [way._replace(check=self._check(way)) for way in ways]
        worst = min(checked, key=lambda way: (_ORDER.index(way.check.kind), way.ask.node.span))
        return Premise(
            span, symbol, framework, target, worst.check.kind, worst.check.span, worst.ask.node.span, worst.trail,
            effect,
        )  # fmt: skip

    def _check(self, way: _Way) -> Check:
        return strongest((self._checks.of_source(way.ask), self._checks.on_way(way.trail, way.ask)))

    # -------------------------------------------------------------------------------------------------- picked tools
    def _picked(self, found: tuple[Binding, ...], stored: set[Span]) -> Iterator[Premise]:
        """A tool into whose effects a model writes text."""
        tool = found[0].tool
        done = self._told.by(tool)
        if done is not None and not any(span in stored for span in (done.span, *done.trail)):
            check = self._of_bindings(found)
            yield Premise(
                tool.span, tool.name, tool.framework, Target.EFFECT, check.kind, check.span, None,
                (done.span,), done.kind,
            )  # fmt: skip

    def _delegated(self, found: tuple[Binding, ...]) -> Iterator[Premise]:
        """A tool whose code gives other agents a task that a model wrote."""
        tool = found[0].tool
        for each in self._delegations.by(tool):
            check, symbol = self._of_bindings(found), called(each.call)
            yield Premise(
                each.call.span, symbol, tool.framework, Target.AGENT, check.kind, check.span, None, each.trail,
                picked=tool.span,
            )  # fmt: skip

    def _of_bindings(self, found: tuple[Binding, ...]) -> Check:
        """What stands in front of a tool: of several agents that have it, the least."""
        return min((self._of_binding(binding) for binding in found), key=lambda each: _ORDER.index(each.kind))

    def _of_binding(self, binding: Binding) -> Check:
        found = [NOTHING if not binding.unreadable else Check(Verification.UNKNOWN, binding.span)]
        for gate in (binding.gate, binding.tool.gate):
            values = gate.approval.values
            if gate.inside is not None:
                found.append(Check(Verification.SKIPPED if gate.conditional else Verification.PERSON, gate.inside))
            elif values and "never" not in values and set(values) & {"always", "conditional"}:
                asks = set(values) <= ASKED
                found.append(Check(Verification.PERSON if asks else Verification.SKIPPED, gate.approval.span))
        return strongest((*found, *map(self._checks.of_guard, binding.mediated)))


def _by_tool(bindings: Iterable[Binding]) -> tuple[tuple[Binding, ...], ...]:
    """The bindings of each tool together, so that it is asked once."""
    found: dict[int, list[Binding]] = {}
    for binding in bindings:
        if not binding.dynamic:
            found.setdefault(id(binding.tool), []).append(binding)
    return tuple(map(tuple, found.values()))
