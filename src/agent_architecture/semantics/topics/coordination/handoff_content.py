"""What goes along when an agent passes its work to another: all that was said, or what was written for it.

Rows say what a library does with each relation; where code of the project passes the work on (a tool that runs an
agent, a graph inside a graph, a message to an agent elsewhere) that code is read. Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.graph import working_for
from agent_architecture.model.handoffs import HandedOver
from agent_architecture.model.settings import ABSENT, Origin, Setting, unknown, written
from agent_architecture.model.vocabulary import HISTORIES
from agent_architecture.names.classes import fields
from agent_architecture.names.exits import answer_of, is_answer
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import ClassValue, Func
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.agents.edge_spans import EDGES
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.context import called, dotted
from agent_architecture.semantics.matching.effective import effective, written_values
from agent_architecture.semantics.matching.read import at_call, expressions
from agent_architecture.semantics.protocols.published_by_hand import sendings
from agent_architecture.semantics.topics.coordination.nested_runs import running_steps
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.system import Agent, Handoff
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

SAID: Final = frozenset({
    "messages", "history", "chat_history", "chathistory", "message_history", "messagehistory", "conversation",
    "conversation_history", "conversationhistory", "transcript", "all_messages", "allmessages",
    "new_messages", "events",
})  # fmt: skip
"""What conversations are called, in lower case."""
DEPTH: Final = 6
"""Names that are followed back from what is sent."""
PIECES: Final = 60
"""Arguments of calls that make a message, those of calls in them included, that are looked at."""
ALL: Final = "all"
PART: Final = "part"
TASK: Final = "task"
BY_TOOL: Final = "tools"
BY_STEP: Final = "steps"


class _Way(NamedTuple):
    """How an agent names another: the handoff that says so, the code that runs it; `relation` is where."""

    relation: str
    handoff: Match | None = None
    code: ir.Function | None = None


LISTED: Final = "handoffs"
"""The relation of an agent that says to whom it hands over."""


def contents_of_handoffs(work: Work, handoffs: tuple[Handoff, ...]) -> tuple[HandedOver, ...]:
    """One for each edge, and for each message to an agent elsewhere."""
    reader = _Reader(work, handoffs)
    return (*map(reader.of, handoffs), *reader.sent())


class _Reader:
    def __init__(self, work: Work, handoffs: tuple[Handoff, ...]) -> None:
        self._context = work.context
        self._work = work
        self._handoffs = handoffs
        self._made = {match.node.span: match for match in self._context.of_kind("agent")} if handoffs else {}
        self._remote = {match.node.span for match in self._context.of_kind("a2a_client")}
        self._ways = {key: way for match in self._made.values() for key, way in self._named(match)}
        for step in running_steps(work) if handoffs else ():
            self._ways.setdefault((step.graph.node.span, step.run.span), _Way(BY_STEP, None, step.code))
        self._runs = tuple(self._entered()) if handoffs else ()
        entries = (run_agents(self._context, run) for run in self._context.of_kind("exported", "run"))
        self._run_itself = {match.node.span for each in entries for match in each} if handoffs else set()

    def _named(self, match: Match) -> Iterator[tuple[tuple[Span, Span], _Way]]:
        """Where an agent names those to whom it passes work."""
        agents = self._work.agents
        for relation in EDGES:
            for expr, values in agents.bound(match, relation):
                for value in values:
                    made = self._context.made(value, "handoff", "agent")
                    tool = agents.tool_of(expr, value, match) if made is None and relation == BY_TOOL else None
                    code = agents.code.get(id(tool)) if tool is not None else None
                    if made is not None or code is not None:
                        handoff = made if made is not None and made.row.kind == "handoff" else None
                        yield (match.node.span, expr.span), _Way(relation, handoff, code)

    def of(self, edge: Handoff) -> HandedOver:
        """What goes along one edge."""
        source, target = self._made.get(edge.source.span), self._made.get(edge.target.span)
        way = self._ways.get((edge.source.span, edge.span))
        history, confidence = self._history(edge, source, way)
        heard = effective(self._context, target, "hears") if target is not None else ABSENT
        history = _read(heard if heard.origin is Origin.WRITTEN else history)
        filters = self._filter(edge, source, way)
        handoff = way.handoff if way is not None else None
        form = effective(self._context, handoff, "input_schema") if handoff is not None else ABSENT
        related = (edge.target.span, *(s.span for s in (history, filters, form) if s.span is not None))
        alike = edge.target.span not in self._remote and _tools(edge.source) == _tools(edge.target)
        return HandedOver(
            edge.span, edge.symbol, edge.framework, history, filters, form, alike, tuple(dict.fromkeys(related)),
            confidence, way is not None and way.relation == LISTED,
        )  # fmt: skip

    # ------------------------------------------------------------------------------------------------------- history
    def _history(self, edge: Handoff, source: Match | None, way: _Way | None) -> tuple[Setting, Confidence]:
        if way is not None and way.code is not None:
            is_state = way.relation == BY_STEP and source is not None and self._hands_state(way.code)
            by_state = self._of_graph(edge, source) if is_state and source is not None else ABSENT
            return by_state if is_state else self._by_code(way.code, edge.target), Confidence.MEDIUM
        if way is not None and way.handoff is not None:
            said = effective(self._context, way.handoff, "history")
            if said is not ABSENT:
                return said, Confidence.HIGH
        if self._is_by_tool(way) or (source is not None and self._begins_anew(edge, source)):
            return written(TASK, edge.span), Confidence.HIGH
        if source is None:
            return ABSENT, Confidence.HIGH
        said = effective(self._context, source, "history")
        return (said, Confidence.HIGH) if said is not ABSENT else (self._of_graph(edge, source), Confidence.MEDIUM)

    def _is_by_tool(self, way: _Way | None) -> bool:
        """Whether an agent runs another as a tool, in a session of its own that holds the request alone."""
        if way is None or way.relation != BY_TOOL or way.code is not None:
            return False
        return way.handoff is None or self._is_tool(way.handoff)

    def _is_tool(self, handoff: Match) -> bool:
        return self._context.at(handoff.node, "tool") is not None

    def _begins_anew(self, edge: Handoff, source: Match) -> bool:
        """Whether a pipeline that others only run as a tool passes what it was asked to the first of its agents."""
        if source.row.constants.get("in_order") is not True or source.node.span in self._run_itself:
            return False
        into = [one for one in self._handoffs if one.target.span == edge.source.span]
        first = min(one.span for one in self._handoffs if one.source.span == edge.source.span)
        ways = [self._ways.get((one.source.span, one.span)) for one in into]
        return edge.span == first and bool(ways) and all(map(self._is_by_tool, ways))

    def _by_code(self, function: ir.Function, target: Agent) -> Setting:
        """What a tool's own code gives the agent that it runs."""
        runs = [ask for ask in self._work.inside(*function.body).asks if ask.row.kind == "run"]
        agents = self._work.agents
        for run in runs:
            targets = {agents.agent_of(match).span for match in run_agents(self._context, run)}
            if target.span in targets and isinstance(run.node, ir.Call):
                for argument in run.node.args:
                    told = self._told(argument.value)
                    if told is not None:
                        return written(ALL, told)
        return written(TASK, runs[0].node.span if runs else function.name_span)

    def _hands_state(self, function: ir.Function) -> bool:
        """Whether a step runs what it runs with the state that it is given, as it is."""
        runs = [ask.node for ask in self._work.inside(*function.body).asks if ask.row.kind == "run"]
        names = (a.value for run in runs if isinstance(run, ir.Call) for a in run.args if isinstance(a.value, ir.Name))
        return any(b.kind == "parameter" for name in names for b in visible_bindings(self._context.program, name))

    def _told(self, expr: ir.Node, depth: int = 0) -> Span | None:
        """Where a conversation stands as a whole in what is sent; the last message of one is none."""
        match expr:
            case ir.Member() if expr.name.lower() in SAID:
                return expr.span
            case ir.Index(key=ir.Literal(value=str() as key)) if key.lower() in SAID:
                return expr.span
            case ir.Name() if depth < DEPTH:
                bindings = visible_bindings(self._context.program, expr)
                values = [b.value for b in bindings if b.kind == "assign" and b.value is not None]
                return next((s for v in values if (s := self._told(v, depth + 1)) is not None), None)
            case ir.Map():
                parts: list[ir.Node] = [entry.value for entry in expr.entries]
            case ir.List():
                parts = list(expr.items)
            case ir.Operator(op=ir.Op.ADD | ir.Op.OR | ir.Op.NULLISH):
                parts = list(expr.operands)
            case ir.Conditional():
                parts = [expr.then, expr.otherwise]
            case ir.Spread() | ir.Await():
                parts = [expr.value]
            case _:
                return None
        return next((s for part in parts if (s := self._told(part, depth)) is not None), None)

    def _of_graph(self, edge: Handoff, source: Match) -> Setting:
        """A graph inside a graph gets the parts of the state that both name."""
        outer = self._context.made(source.api, "graph")
        target = self._made.get(edge.target.span)
        inner = self._context.made(target.api, "graph") if target is not None else None
        if outer is None:
            return ABSENT
        state = self._state(outer)
        if inner is None:
            return written(ALL, edge.span) if state is None or state & SAID else written(PART, edge.span)
        own = self._state(inner)
        if state is None or own is None:
            return unknown("states whose form is not readable", edge.span)
        return written(ALL if state == own or state & own & SAID else PART, edge.span)

    def _state(self, graph: Match) -> frozenset[str] | None:
        """The fields of a graph's state; None where they cannot be read."""
        values = [
            value.cls for value in written_values(self._context, graph, "state_schema") if isinstance(value, ClassValue)
        ]
        if not values:
            return None
        found = {name for cls in values for name in fields(self._context.program, cls)}
        inherits = any("MessagesState" in dotted(base) for cls in values for base in cls.bases)
        return frozenset(found | ({"messages"} if inherits else set()))

    # ------------------------------------------------------------------------------------------------------- filters
    def _filter(self, edge: Handoff, source: Match | None, way: _Way | None) -> Setting:
        """The filter of the edge, of the agent that passes the work on, or of all runs that come there."""
        places = [match for match in (way.handoff if way is not None else None, source) if match is not None]
        for match in places:
            found = self._filter_of(match)
            if found.origin in {Origin.WRITTEN, Origin.UNKNOWN}:
                return found
        runs = [self._filter_of(run) for run, spans in self._runs if edge.source.span in spans]
        if runs and all(found.origin in {Origin.WRITTEN, Origin.UNKNOWN} for found in runs):
            return next((found for found in runs if found.origin is Origin.UNKNOWN), runs[0])
        return ABSENT

    def _filter_of(self, match: Match) -> Setting:
        said = effective(self._context, match, "input_filter")
        values = written_values(self._context, match, "input_filter")
        if values and all(isinstance(value, Func) and _changes_nothing(value.function) for value in values):
            return said._replace(origin=Origin.WRITTEN, values=(False,))
        return said

    def _entered(self) -> Iterator[tuple[Match, frozenset[Span]]]:
        """Each run that may have a filter of its own, with the agents that work for it."""
        for run in self._context.of_kind("run"):
            if "input_filter" in run.row.properties:
                agents = [self._work.agents.agent_of(match) for match in run_agents(self._context, run)]
                yield run, working_for(self._handoffs, agents)

    # ------------------------------------------------------------------------------------------------ agents elsewhere
    def sent(self) -> Iterator[HandedOver]:
        """The messages that are sent to agents elsewhere."""
        for match in self._context.of_kind("handoff"):
            address = match.row.properties.get("content")
            if address is None or match.arguments is None:
                continue
            told = [self._told(expr) for expr in self._content(match)]
            whole = next((span for span in told if span is not None), None)
            history = written(TASK, match.node.span) if whole is None else written(ALL, whole)
            pack, symbol = match.row.where.pack, called(match.node)
            yield HandedOver(match.node.span, symbol, pack, history, confidence=Confidence.MEDIUM)
        for sending in sendings(self._context):
            parts = (part for argument in sending.call.args for part in _pieces([argument.value]))
            whole = next((span for part in parts if (span := self._told(part)) is not None), None)
            history = written(TASK, sending.call.span) if whole is None else written(ALL, whole)
            yield HandedOver(sending.call.span, called(sending.call), "", history, confidence=Confidence.MEDIUM)

    def _content(self, match: Match) -> Iterator[ir.Node]:
        """What is sent, with the arguments of the calls that make it: `SendMessageRequest(params=…)`."""
        address = match.row.properties["content"]
        if match.arguments is None:
            return
        queue: list[ir.Node] = list(expressions(self._context.program, match.arguments, address))
        for value in at_call(self._context.program, match.arguments, match.api.receiver, address).values:
            made = getattr(value, "node", None)
            queue += [made] if isinstance(made, ir.Call) else []
        yield from _pieces(queue)


def _pieces(queue: list[ir.Node]) -> Iterator[ir.Node]:
    """Expressions, with the arguments of the calls that make them."""
    for node in queue:
        if isinstance(node, ir.Call) and len(queue) < PIECES:
            queue += [argument.value for argument in node.args]
        yield node


def _changes_nothing(function: ir.Function) -> bool:
    """Whether a filter gives back what it was given, whatever that is."""
    answers = [answer_of(node) for node in own_nodes(function) if is_answer(node)]
    names = {parameter.name for parameter in function.params}
    statements = [node for node in function.body if not isinstance(node, ir.Literal)]
    return len(statements) == 1 and len(answers) == 1 and isinstance(answers[0], ir.Name) and answers[0].id in names


def _tools(agent: Agent) -> frozenset[str]:
    return frozenset(tool.name for tool in agent.tools)


def _read(said: Setting) -> Setting:
    """How much goes along, as far as it is one of the words for it: what else is written there is not known."""
    is_other = said.is_known and not set(map(str, said.values)) <= HISTORIES.keys()
    return unknown(_said(said), said.span) if is_other else said


def _said(setting: Setting) -> str:
    return setting.source or "what it is given of the conversation"
