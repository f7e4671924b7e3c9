"""What grows in the state of LangGraph's graphs: keys whose reducer only adds, and the messages of its own states.

Rows cannot say this: a reducer stands in the annotation of a class's field, in an object of channels, or in a schema,
and may be a function of the project. What removes something again is looked for in the graph's own nodes.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.memory import Collection
from agent_architecture.model.settings import ABSENT
from agent_architecture.names.classes import lineage
from agent_architecture.names.options import keyed
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Api, ClassValue, Const, Entries, Func
from agent_architecture.semantics.adapters.attached_savers import attached
from agent_architecture.semantics.adapters.langgraph import node_functions
from agent_architecture.semantics.adapters.step_names import OF_MESSAGES, OWN_STATES
from agent_architecture.semantics.bounds.trims import cut, is_cut, shown, takes_one, trims, windows
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.conversations.container_names import is_said
from agent_architecture.semantics.conversations.graph_lists import Channel, keys_of, lengthened
from agent_architecture.semantics.conversations.previous_runs import carried_on
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.schemas.python_annotations import of_annotation
from agent_architecture.semantics.schemas.shapes import holds_no_text
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import FeedbackPath
    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.adapters.graphs import Graphs
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.bounds.trims import Trim
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

MESSAGES: Final = "messages"
ADDING: Final = frozenset({"add", "concat", "iconcat"})
REMOVERS: Final = ("RemoveMessage", "REMOVE_ALL_MESSAGES")
REDUCER: Final = "reducer"
NUMBERS: Final = frozenset({"int", "float"})
ONE: Final = NUMBERS | {"str", "bool"}
"""Types of a single value."""


def channels(
    context: Context, agents: Agents, graphs: Graphs, paths: tuple[FeedbackPath, ...], asked: frozenset[int]
) -> Iterator[Collection]:
    """The growing keys of all graphs that are run, each once, and what functions carry on from run to run."""
    found: dict[tuple[Span, str], Collection] = {}
    functions = node_functions(context)
    is_given_later = any(attached(context.program))
    by_span = {path.span: path for path in paths}
    for builder in context.of_kind("graph"):
        used = _Use(context, agents, graphs, builder, by_span)
        used.lives_on = used.lives_on or is_given_later
        own = tuple(_channels(context, builder)) if used.is_run else ()
        if used.paths:
            own += tuple(_by_hand(context, builder, own, functions.get(id(builder.node), ())))
        nodes = tuple(_Node(context, function) for function in functions.get(id(builder.node), ())) if own else ()
        sent = {channel.key for channel in own if any(node.sends(channel, asked) for node in nodes)}
        for channel in own:
            one = _collection(context, channel, nodes, used, asked)
            shows_one = channel.key not in sent and any(node.sends_one(channel, asked) for node in nodes)
            one = one._replace(is_said=channel.key in sent if sent else one.is_said and not shows_one)
            key = (channel.span, channel.key)
            found[key] = one if key not in found else _worse(found[key], one)
    yield from found.values()
    yield from carried_on(context, agents, graphs, asked)


def _worse(one: Collection, other: Collection) -> Collection:
    """One state in several graphs: what any of them does not bound."""
    first = one if one.bound is ABSENT else other
    paths = tuple(dict.fromkeys((*one.paths, *other.paths)))
    return first._replace(
        paths=paths,
        lives_on=one.lives_on or other.lives_on,
        savers=tuple(dict.fromkeys((*one.savers, *other.savers))),
        grows=one.grows or other.grows,
        is_said=one.is_said or other.is_said,
    )


class _Use:
    """How a graph is run: by which paths, and whether a thread goes on with its state."""

    def __init__(
        self, context: Context, agents: Agents, graphs: Graphs, builder: Match, paths: dict[Span, FeedbackPath]
    ) -> None:
        compiled = [m for m in context.of_kind("agent") if _builder(context, m) == id(builder.node)]
        ids = {id(m.node) for m in graphs.around(compiled)}
        exported = [m for m in graphs.exported if id(m.node) in ids]
        runs = [r for r in context.of_kind("run") if any(id(m.node) in ids for m in run_agents(context, r))]
        spans = [match.node.span for match in (*runs, *exported)]
        self.is_run = bool(spans)
        self.has_agents = any(graphs.has_agents(match) for match in compiled)
        is_cyclic = any(graphs.is_cyclic(match) for match in compiled)
        self.paths = tuple(paths[span] for span in spans if span in paths) if is_cyclic else ()
        own = {id(m.node) for m in compiled}
        self.lives_on = any(id(m.node) in own for m in exported) or any(_saves(agents, match) for match in compiled)
        self.savers = tuple(dict.fromkeys(span for match in compiled for span in _savers(agents, match)))


def _builder(context: Context, match: Match) -> int:
    made = context.made(match.api, "graph")
    return 0 if made is None else id(made.node)


def _saves(agents: Agents, match: Match) -> bool:
    given = agents.values(match, "checkpointer")
    return any(not (isinstance(value, Const) and not value.value) for value in given)


def _savers(agents: Agents, match: Match) -> Iterator[Span]:
    """Where the savers are made that a graph is compiled with."""
    for value in agents.values(match, "checkpointer"):
        if isinstance(value, Api) and isinstance(value.node, ir.Call):
            yield ir.place_of(value.node)


class _Node:
    """The code of a step, and what it does with a key of the state."""

    def __init__(self, context: Context, function: ir.Function) -> None:
        self._context = context
        self._given = next((p.annotation for p in function.params if p.name not in {"self", "cls"}), None)
        self.inside = tuple(extent(context.program, function.body, set()).nodes())
        self._steps = tuple(n for f in self.inside if isinstance(f, ir.Function) for n in own_nodes(f))
        """What stands in functions inside of it: steps of the chain that it asks."""
        self.calls = tuple(node for node in self.inside if isinstance(node, ir.Call))

    def sends(self, channel: Channel, asked: frozenset[int]) -> bool:
        """Whether a model is asked with what stands under the key."""
        return any(not self._is_one(node, channel) for node in self._reads(channel, asked)) and not self._has_own(
            channel
        )

    def sends_one(self, channel: Channel, asked: frozenset[int]) -> bool:
        """Whether a model is asked with one entry of what stands under the key: `state["messages"][-1]`."""
        return any(self._is_one(node, channel) for node in self._reads(channel, asked))

    def _reads(self, channel: Channel, asked: frozenset[int]) -> Iterator[ir.Node]:
        reads = (node for node in self.inside if isinstance(node, (ir.Member, ir.Index, ir.Call)))
        return (node for node in reads if id(node) in asked and channel.is_it(node))

    def _is_one(self, node: ir.Node, channel: Channel) -> bool:
        around = self._context.program.structure(self._context.program.scope_of(node)).parent(node)
        return takes_one(around, channel.is_it)

    def _has_own(self, channel: Channel) -> bool:
        """Whether its own state has one value under the key: `Send` gives it a part of what stands there."""
        program = self._context.program
        types = program.value_of(self._given) if self._given is not None else ()
        fields = [
            b for value in types if isinstance(value, ClassValue) for b in _field(program, value.cls, channel.key)
        ]
        return any(callee_name(field) in ONE for field in fields)

    def writes(self, channel: Channel) -> bool:
        """Whether it puts something under the key."""
        entries = (entry for node in self.inside if isinstance(node, ir.Map) for entry in node.entries)
        return any(isinstance(entry.key, ir.Literal) and entry.key.value == channel.key for entry in entries)

    def removes(self, channel: Channel) -> Span | None:
        """What removes messages from it."""
        removing = (call for call in self.calls if channel.of_messages and callee_name(call.callee) in REMOVERS)
        return next((call.span for call in removing), None)

    def trim(self, channel: Channel) -> Trim | None:
        """What keeps the key small, or shows the model part of it."""
        context = self._context
        removed = self.inside if self.removes(channel) is not None else ()
        cuts = (found for node in removed if (found := cut(context, node, channel.is_it)) is not None)
        ways = chain(cuts, trims(context, self.inside, channel.is_it), windows(context, self._asks(), channel.is_it))
        return next(ways, None)

    def _asks(self) -> list[ir.Call]:
        return [call for call in self.calls if self._context.at(call, "model_call", "run") is not None]

    def sent(self, channel: Channel, asked: frozenset[int]) -> frozenset[int]:
        """The ids of the reads of the key that go to a model: those of the chain that it asks, too."""
        asking = {id(node) for node in self._steps} if self._asks() else set[int]()
        nodes = chain(self.inside, self._steps)
        reads = (node for node in nodes if isinstance(node, (ir.Member, ir.Index, ir.Call)))
        return frozenset(id(node) for node in reads if id(node) in asked | asking and channel.is_it(node))

    def shown(self, channel: Channel, sent: frozenset[int]) -> Trim | None:
        """What is left of the key, if all reads that are sent are cut."""
        found: list[Trim] = []
        for part in chain(self.inside, self._steps):
            if isinstance(part, (ir.Index, ir.Call)) and not channel.is_it(part):
                left = next(shown(self._context, part, channel.is_it), None)
                found += [] if left is None else [left]
                sent -= frozenset() if left is None else {id(inner) for inner in ir.walk(part)}
        return found[0] if found and not sent else None


def _shown(nodes: tuple[_Node, ...], channel: Channel, asked: frozenset[int]) -> Trim | None:
    """What models see of a key, if each step that sends it cuts it."""
    ways = [(node, sent) for node in nodes if (sent := node.sent(channel, asked))]
    found = [node.shown(channel, sent) for node, sent in ways]
    return found[0] if found and all(found) else None


def _collection(
    context: Context, channel: Channel, nodes: tuple[_Node, ...], used: _Use, asked: frozenset[int]
) -> Collection:
    trim = None if channel.cut is None else next(shown(context, channel.cut, _adds), None)
    trim = trim or next((found for node in nodes if (found := node.trim(channel)) is not None), None)
    trim = trim or _shown(nodes, channel, asked)
    removed = next((gone for node in nodes if (gone := node.removes(channel)) is not None), None)
    bound, overflow, confidence = (ABSENT, ABSENT, Confidence.HIGH) if trim is None else trim
    return Collection(
        channel.span,
        channel.key,
        "langgraph",
        used.paths,
        grows=not nodes or used.has_agents or channel.by_hand or any(node.writes(channel) for node in nodes),
        is_said=channel.of_messages or is_said(channel.key),
        lives_on=used.lives_on and not channel.by_hand,
        savers=used.savers,
        sheds=channel.span if channel.sheds else removed,
        bound=bound,
        overflow=overflow,
        confidence=confidence,
    )


# ------------------------------------------------------------------------------------------------------------- channels
def _channels(context: Context, builder: Match) -> Iterator[Channel]:
    for value in schemas(context, builder):
        yield from _of_schema(context.program, value, builder.node.span)


def _by_hand(
    context: Context, builder: Match, reduced: tuple[Channel, ...], steps: Iterable[ir.Function]
) -> Iterator[Channel]:
    """The keys without a reducer to which steps add."""
    known = {channel.key for channel in reduced}
    places = dict(keys_of(context.program, schemas(context, builder)))
    for key in lengthened(context.program, steps):
        if key in places and key not in known:
            yield Channel(key, places[key], of_messages=False, by_hand=True)


def conversations(context: Context, builder: Match) -> frozenset[str]:
    """The keys of a graph's state that hold the turns of its conversation."""
    return frozenset(channel.key for channel in _channels(context, builder) if channel.of_messages)


def wordless(context: Context, builder: Match) -> frozenset[str]:
    """The keys of a graph's state that hold no text: numbers, flags, words of a closed list."""
    program = context.program
    classes = [value.cls for value in schemas(context, builder) if isinstance(value, ClassValue)]
    typed = ((key, each) for cls in classes for one in lineage(program, cls) for key in program.attributes(one)
             for each in list(_field(program, cls, key))[:1])  # fmt: skip
    return frozenset(key for key, each in typed if holds_no_text(of_annotation(program, each)))


def schemas(context: Context, builder: Match) -> tuple[Value, ...]:
    """What says which keys a graph's state has."""
    address = builder.row.properties.get("state_schema")
    if address is None or not isinstance(builder.node, ir.Call):
        return ()
    return tuple(at_call(context.program, builder.arguments, None, address).values)


def _of_schema(program: Program, value: Value, at: Span) -> Iterator[Channel]:
    match value:
        case ClassValue(cls=cls):
            for each in lineage(program, cls):
                yield from _fields(program, each)
        case Api(node=ir.Call() as call):
            for argument in call.args:
                yield from _described(program, argument.value)
        case Api(path=path):
            if path.rpartition(":")[2].rpartition(".")[2] in OWN_STATES:
                yield Channel(MESSAGES, at, of_messages=True)
        case _:
            return


def _fields(program: Program, cls: ir.Class) -> Iterator[Channel]:
    own = program.attributes(cls)
    for base in cls.bases:
        if callee_name(base) in OWN_STATES and MESSAGES not in own:
            yield Channel(MESSAGES, cls.name_span, of_messages=True)
    for key, bindings in own.items():
        for binding in bindings[:1]:
            annotation = binding.node.annotation if isinstance(binding.node, ir.Assign) else None
            if isinstance(annotation, ir.Index) and callee_name(annotation.target) == "Annotated":
                yield from _annotated(program, key, binding.node.span, annotation)


def _field(program: Program, cls: ir.Class, key: str) -> Iterator[ir.Expr]:
    """The type of a field."""
    for each in lineage(program, cls):
        for binding in program.attributes(each).get(key, ()):
            if isinstance(binding.node, ir.Assign) and binding.node.annotation is not None:
                yield binding.node.annotation


def _annotated(program: Program, key: str, span: Span, annotation: ir.Index) -> Iterator[Channel]:
    parts = annotation.key.items if isinstance(annotation.key, ir.List) else ()
    if len(parts) < 2 or callee_name(parts[0]) in NUMBERS:  # noqa: PLR2004 - a type and its reducer
        return
    yield from _reduced(program, key, span, parts[-1])


def _described(program: Program, given: ir.Expr) -> Iterator[Channel]:
    """The channels of `Annotation.Root({…})` and of a schema object."""
    for value in program.value_of(given):
        entries = value.entries if isinstance(value, Entries) else ()
        for key, channel in entries:
            for call in _calls(channel):
                options = [option for argument in call.args for option in _options(program, argument.value)]
                for reducer in options:
                    yield from _reduced(program, key, channel.span, reducer)
    if isinstance(given, ir.Map):
        for entry in given.entries:
            spread = dotted(entry.value).split(".")[0] if entry.key is None else ""
            if spread in OWN_STATES:
                yield Channel(MESSAGES, entry.value.span, of_messages=True)


def _calls(channel: ir.Expr) -> Iterator[ir.Call]:
    while isinstance(channel, (ir.Call, ir.Member)):
        if isinstance(channel, ir.Call):
            yield channel
            channel = channel.callee
        else:
            channel = channel.target


def _options(program: Program, given: ir.Expr) -> Iterator[ir.Expr]:
    yield from (value for key, value in keyed(program, given) if key in {REDUCER, "fn", "value"})


def _reduced(program: Program, key: str, span: Span, reducer: ir.Expr) -> Iterator[Channel]:
    """A channel, if its reducer adds."""
    name = callee_name(reducer)
    if name in OF_MESSAGES:
        yield Channel(key, span, of_messages=True)
    elif name in ADDING:
        yield Channel(key, span, of_messages=key == MESSAGES)
    functions = [value.function for value in program.value_of(reducer) if isinstance(value, Func)]
    for function in functions[:1]:
        returned = [way for expr in program.structure(function).returns for way in _ways(expr)]
        adds = [expr for expr in returned if _adds(expr)]
        cuts = [expr for expr in returned if is_cut(expr, _adds)]
        if adds or cuts:
            names = {callee_name(expr.callee) for expr in adds if isinstance(expr, ir.Call)}
            of_messages = key == MESSAGES or bool(names & OF_MESSAGES)
            sheds = len(adds) + len(cuts) < len(returned)
            yield Channel(key, span, of_messages, sheds, cut=None if adds else cuts[0])


def _ways(expr: ir.Expr) -> Iterator[ir.Expr]:
    if isinstance(expr, ir.Conditional):
        yield from (*_ways(expr.then), *_ways(expr.otherwise))
    else:
        yield expr


def _adds(expr: ir.Expr | None) -> bool:
    match expr:
        case ir.Call(callee=callee):
            return callee_name(callee) in ADDING | OF_MESSAGES
        case ir.Operator(op=ir.Op.ADD):
            return True
        case ir.List(items=items):
            return sum(isinstance(item, ir.Spread) for item in items) > 1
        case _:
            return False
