"""What models are asked with, from all model calls and runs of a project at once: places, and tables of databases.

One walk for the whole program, however many calls there are. Must not say which of it is a memory.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from agent_architecture.model.memory import Holding
from agent_architecture.names.program import callee_name
from agent_architecture.names.session_state import part_of
from agent_architecture.names.string_parts import pieces_of
from agent_architecture.names.values import Api, ClassValue
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.callgraph.reach import paths_up
from agent_architecture.semantics.conversations.graph_state import States
from agent_architecture.semantics.loops.model_inputs import FILLED, first_step, sources
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.taint.access_paths import Place, places_at
from agent_architecture.semantics.taint.sources import MODEL_API
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.loops.model_inputs import Step
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

LIMIT: Final = 6000
"""Expressions followed back from all model calls together, the nearest first."""

REQUESTS: Final = ("fetch", "post")
"""Calls that send a request, whoever's they are."""

TELLING: Final = (
    *("add_message", "add_messages", "add_user_message", "add_ai_message", "add_items"),
    *("addMessage", "addMessages", "addUserMessage", "addAIMessage", "addAIChatMessage", "addItems"),
)
"""Methods of libraries' conversations that put in what was said."""

READ: Final = ("messages", "instructions")
"""What of a call a model reads; of a call whose row names neither, all arguments."""


class Held(NamedTuple):
    """Something that hangs on an object of a library: the path of the object, the name, and the file that reads it."""

    path: str
    name: str
    file: str


class Recalled(NamedTuple):
    """The places whose content a model reads, the classes and calls whose names stand on the ways there, the functions
    that give something on them, the ids of all nodes, and those of the scopes from which a model is asked; the nearest
    first.
    """

    places: dict[Place, ir.Node]
    """With the node that reads each."""
    classes: dict[ir.Class, ir.Node]
    made: dict[ir.Call, ir.Node]
    entered: tuple[ir.Function, ...]
    nodes: frozenset[int]
    told: frozenset[int]
    """Those that only bring text to conversations of libraries, which send it."""
    asking: Mapping[int, Span]
    """Where each of those scopes asks first, by its id."""
    held: Mapping[Held, ir.Node]
    """What hangs on objects of libraries, with the node that reads each."""


def recalled(context: Context) -> Recalled:
    """What the models of a project are asked with."""
    program = context.program
    asks = dict(_asks(context))
    walk = _Walk(context)
    walk.follow(expr for given in asks.values() for expr in given)
    asked = frozenset(id(step.node) for step in walk.seen)
    walk.follow(_told(context))
    ways = paths_up(program, [(call, program.scope_of(call)) for call in asks])
    nodes = frozenset(id(step.node) for step in walk.seen)
    asking: dict[int, Span] = {}
    for way in sorted(ways.steps.values(), key=lambda one: one.node.span):
        asking.setdefault(id(way.scope), way.node.span)
    classes = {cls: _nearest(program, walk, named) for cls, named in walk.classes.items()}
    entered = tuple(walk.entered)
    return Recalled(walk.places, classes, walk.made, entered, nodes, nodes - asked, asking, walk.held)


def _nearest(program: Program, walk: _Walk, named: list[ir.Node]) -> ir.Node:
    """Where a class is named on the ways: where a function gives something back of it, before what is only asked."""
    return next((node for node in named if program.scope_of(node) in walk.entered), named[0])


class _Walk:
    """The one walk back, and what it came by."""

    def __init__(self, context: Context) -> None:
        self._program = context.program
        self._states = context.once(States)
        self.places: dict[Place, ir.Node] = {}
        self.classes: dict[ir.Class, list[ir.Node]] = {}
        self.made: dict[ir.Call, ir.Node] = {}
        self.entered: dict[ir.Function, None] = {}
        self.held: dict[Held, ir.Node] = {}
        self.seen: set[Step] = set()

    def follow(self, exprs: Iterable[ir.Expr]) -> None:
        """Go back from expressions, unless too many are seen already."""
        queue = deque(first_step(self._program, expr) for expr in exprs)
        while queue and len(self.seen) < LIMIT:
            step = queue.popleft()
            if step in self.seen or step.plain in self.seen:
                continue
            self.seen.add(step)
            if isinstance(step.node, ir.Call) and callee_name(step.node.callee) == "len":
                continue  # how many there are brings no text
            self._note(step.node)
            if isinstance(step.node, (ir.Name, ir.Member, ir.Index, ir.Call)):
                state = self._states.read(step.node)
                brought = () if state is None or state.is_wordless else state.values  # a number brings no text
                queue.extend(first_step(self._program, value) for value in brought)
            queue.extend(sources(self._program, step, FILLED))

    def _note(self, node: ir.Node) -> None:
        for place in places_at(self._program, node):
            self.places.setdefault(place, node)
        for hanging in _held(self._program, node):
            self.held.setdefault(hanging, node)
        for value in self._program.value_of(node) if isinstance(node, ir.Name) else ():
            if isinstance(value, ClassValue):
                self.classes.setdefault(value.cls, []).append(node)
            elif isinstance(value, Api) and isinstance(value.node, ir.Call):
                self.made.setdefault(value.node, node)
        if isinstance(node, ir.Call):
            self.entered.update(dict.fromkeys(self._program.callees(node)))


def _held(program: Program, node: ir.Node) -> Iterator[Held]:
    """What an expression reads of an object that a library has for all to use."""
    part = part_of(node)
    if part is not None:
        holder, name = part
        yield from (
            Held(value.path, name, node.span.path)
            for value in program.value_of(holder)
            if isinstance(value, Api) and "()" not in value.path
        )


def _asks(context: Context) -> Iterator[tuple[ir.Call, tuple[ir.Expr, ...]]]:
    """The calls that ask a model, with what it reads of them: those of libraries, and requests to model APIs."""
    for match in context.of_kind("model_call", "run"):
        if isinstance(match.node, ir.Call):
            yield match.node, tuple(_read(context, match.node, match))
    for name in REQUESTS:
        for site in context.program.calls(name):
            if _is_to_model(context.program, site.call):
                yield site.call, tuple(argument.value for argument in site.call.args)


def _told(context: Context) -> Iterator[ir.Expr]:
    """What is put into conversations that libraries keep and send to a model: `memory.chat_memory.add_message(m)`."""
    for name in TELLING:
        for site in context.program.calls(name):
            callee = site.call.callee
            values = context.program.value_of(callee.target) if isinstance(callee, ir.Member) else ()
            makers = (made for value in values if (made := context.made(value, "memory")) is not None)
            if any(made.row.constants.get("holds", Holding.CONVERSATION) == Holding.CONVERSATION for made in makers):
                yield from (argument.value for argument in site.call.args)


def _read(context: Context, call: ir.Call, match: Match) -> tuple[ir.Expr, ...]:
    addresses = [match.row.properties[name] for name in READ if name in match.row.properties]
    found = tuple(expr for address in addresses for expr in expressions(context.program, call, address))
    return found or tuple(argument.value for argument in call.args)


def _is_to_model(program: Program, call: ir.Call) -> bool:
    """Whether the first argument or the URL of a request names a model API; a path alone is one of a page's server."""
    given = [a.value for n, a in enumerate(call.args) if n == 0 or a.keyword == "url"]
    texts = ("".join(p if isinstance(p, str) else "" for p in pieces_of(program, expr)) for expr in given)
    return any(MODEL_API.search(text) and not text.startswith("/") for text in texts)
