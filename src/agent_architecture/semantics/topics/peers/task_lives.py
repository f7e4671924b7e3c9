"""How the project's executors of A2A tasks end what they begin: on every way through them, when they raise, when they
are told to stop.

A loop in which some pass ends the task is taken to end it: the last part of a stream does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.peers import TaskLife
from agent_architecture.model.protocols import EndpointRole
from agent_architecture.model.settings import ABSENT, default
from agent_architecture.names.exits import answer_of, goes_no_further, is_answer, is_raised, some_raise
from agent_architecture.names.structure import own_nodes
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.effects.records import only_says
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.topics.peers.events import STATES, Event, event_of, is_old, normal
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_architecture.model.protocols import A2AEndpoint
    from agent_architecture.model.settings import Setting
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

KIND: Final = "task_executor"
CANCELS: Final = ("cancel", "cancelTask", "on_cancel")
DEPTH: Final = 4


def task_lives(context: Context, endpoints: tuple[A2AEndpoint, ...]) -> tuple[TaskLife, ...]:
    """One for each class of the project that executes tasks."""
    found: dict[int, tuple[ir.Class, str]] = {}
    rows = {id(match.node): match for match in context.of_kind(KIND) if isinstance(match.node, ir.Class)}
    for match in rows.values():
        assert isinstance(match.node, ir.Class)  # noqa: S101 - asked above
        found[id(match.node)] = match.node, match.row.where.pack
    given = {e.executor.span: e.executor.framework for e in endpoints if e.role is EndpointRole.SERVER and e.executor}
    for module in context.program.modules:
        for cls in module.index.classes if given else ():
            if cls.name_span in given and id(cls) not in found:
                found[id(cls)] = cls, given[cls.name_span]
    lives: list[TaskLife] = []
    for node, (cls, pack) in found.items():
        reader = _Life(context, cls)
        life, row = reader.read(pack), rows.get(node)
        if life is not None:
            fails = ABSENT if row is None else _fails(context, row, old=reader.is_old)
            lives.append(life._replace(fails=fails))
    return tuple(sorted(lives, key=lambda life: life.span))


def _fails(context: Context, match: Match, *, old: bool) -> Setting:
    """Whether the library ends what raises. Code in the words of an older version runs with that one, whatever the
    manifest admits.
    """
    said = effective(context, match, "fails")
    entry = next((entry for entry in match.row.defaults.get("fails", ()) if entry.before is not None), None)
    if old and entry is not None and said.value != entry.value:
        return default(entry.value, f"{match.row.where.pack} before {entry.before}")
    return said


class _Ways(NamedTuple):
    """How a list of statements can be left at its end: with the task over, or not."""

    done: bool
    """Every way that goes on has ended the task."""
    goes_on: bool = True


class _Life:
    def __init__(self, context: Context, cls: ir.Class) -> None:
        self._context = context
        self._program = context.program
        self._cls = cls
        self._left: Span | None = None
        self._unended = False
        """Whether a function that was entered comes back somewhere without having ended the task."""
        self._after: Span | None = None
        self._events: list[Event] = []
        self._entered: set[int] = set()

    def read(self, pack: str) -> TaskLife | None:
        """What the class does; None for one that leaves the doing to others."""
        execute = self._method("execute")
        if execute is None:
            return None
        ways = self._through(execute.body, done=False)
        if ways.goes_on and not ways.done:
            self._left = self._left or execute.name_span
        tasks = [event for event in self._events if not event.message]
        answers = [event for event in self._events if event.message]
        texts = sorted({text for event in self._events for text in event.said if normal(text) not in STATES})
        cancels, refused = self._cancelling()
        ends: bool | None = self._left is None
        if answers and not tasks:
            ends = None if self._left is None else False
        life = TaskLife(self._cls.name_span, self._cls.name, pack, ends, self._left, caught=self._catches(execute))
        return life._replace(cancels=cancels, refused=refused, strange=texts[0] if texts else "", after=self._after)

    @property
    def is_old(self) -> bool:
        """Whether its states are spelled as they were before version 1."""
        return any(is_old(self._program, event.call) for event in self._events)

    def _method(self, *names: str) -> ir.Function | None:
        for cls in self._program.lineage(self._cls):
            for node in cls.body:
                function = node.value if isinstance(node, ir.Assign) else node
                name = node.target.id if isinstance(node, ir.Assign) and isinstance(node.target, ir.Name) else ""
                if isinstance(function, ir.Function) and (function.name in names or name in names):
                    return function
        return None

    # ------------------------------------------------------------------------------------------------------- the ways
    def _through(self, statements: Sequence[ir.Node], *, done: bool, inner: bool = False) -> _Ways:
        over = False
        for node in statements:
            if is_answer(node):
                done = done or ((answer := answer_of(node)) is not None and self._sends(answer))
                if not done and inner:
                    self._unended = True
                elif not done:
                    self._left = self._left or node.span
                return _Ways(done, goes_on=False)
            if goes_no_further(node):
                return _Ways(done, goes_on=False)
            ways = self._of(node, done=done, inner=inner)
            if over and self._after is None and not isinstance(node, (ir.Function, ir.Class)):
                self._after = next((e.call.span for e in self._directly(node) if not e.message), None)
            over = over or any(e.is_over for e in self._directly(node))
            if not ways.goes_on:
                return _Ways(ways.done, goes_on=False)
            done = ways.done
        return _Ways(done)

    def _of(self, node: ir.Node, *, done: bool, inner: bool) -> _Ways:
        match node:
            case ir.If():
                done = self._sends(node.test) or done
                branches = (node.then, node.otherwise)
                return _joined([self._through(branch, done=done, inner=inner) for branch in branches], done=done)
            case ir.Match():
                ways = [self._through(case.body, done=done, inner=inner) for case in node.cases]
                return _joined([*ways, _Ways(done)], done=done)
            case ir.Loop():
                before = len(self._events)
                self._through(node.body, done=done, inner=inner)
                return _Ways(done or any(event.ends for event in self._events[before:]))
            case ir.Try():
                plain = self._through((*node.body, *node.otherwise), done=done, inner=inner)
                handled = [self._through(handler.body, done=done, inner=inner) for handler in node.handlers]
                joined = _joined([plain, *handled], done=done)
                last = self._through(node.final, done=joined.done, inner=inner)
                return _Ways(joined.done or last.done, joined.goes_on)
            case ir.With() | ir.Block():
                return self._through(node.body, done=done, inner=inner)
            case ir.Function() | ir.Class():
                return _Ways(done)
            case _:
                return _Ways(self._sends(node) or done)

    def _directly(self, node: ir.Node) -> Iterator[Event]:
        """The events that a plain statement sends by itself."""
        if isinstance(node, (ir.If, ir.Match, ir.Loop, ir.Try, ir.With, ir.Block, ir.Function, ir.Class)):
            return
        for call in ir.walk(node):
            event = event_of(self._program, call) if isinstance(call, ir.Call) else None
            if event is not None:
                yield event

    def _sends(self, node: ir.Node) -> bool:
        """Whether a statement surely brings the task to its end, by itself or in the functions that it calls."""
        ended = False
        for call in ir.walk(node):
            if not isinstance(call, ir.Call):
                continue
            event = event_of(self._program, call)
            if event is not None:
                self._events.append(event)
                ended = ended or event.ends
            elif len(self._entered) < DEPTH:
                ended = self._enters(call) or ended
        return ended

    def _enters(self, call: ir.Call) -> bool:
        ended = False
        for function in self._program.callees(call):
            if id(function) not in self._entered:
                before, self._unended = self._unended, False
                self._entered.add(id(function))
                ways = self._through(function.body, done=False, inner=True)
                ended = ended or (ways.done and not self._unended)
                self._entered.discard(id(function))
                self._unended = before
        return ended

    # ------------------------------------------------------------------------------------------------ when it raises
    def _catches(self, execute: ir.Function) -> bool:
        """Whether some handler around what it does ends the task, or goes on to what does."""
        if self._ends_after(execute.body):
            return True
        for node in own_nodes(execute):
            if isinstance(node, ir.Try):
                before = len(self._events)
                ends = [self._through(handler.body, done=False, inner=True).done for handler in node.handlers]
                del self._events[before:]
                if any(ends):
                    return True
                if any(event.ends for last in node.final for event in self._directly(last)):
                    return True
        for call in own_nodes(execute, ir.Call):
            if len(self._entered) < DEPTH:
                for function in self._program.callees(call):
                    if id(function) not in self._entered and _is_own(function, self._cls):
                        self._entered.add(id(function))
                        if self._catches(function):
                            return True
        return False

    def _ends_after(self, statements: Sequence[ir.Node]) -> bool:
        """Whether a handler of everything that comes first goes on to statements that end the task."""
        before = len(self._events)
        for number, node in enumerate(statements):
            if isinstance(node, ir.Try) and node.handlers:
                handled = [self._through(handler.body, done=False, inner=True) for handler in node.handlers]
                ends = self._through(statements[number + 1 :], done=False, inner=True).done
                del self._events[before:]
                if ends and all(ways.goes_on or ways.done for ways in handled):
                    return True
        return False

    # ------------------------------------------------------------------------------------------------------ cancelling
    def _cancelling(self) -> tuple[bool | None, bool]:
        """Whether cancelling does something, and whether it raises instead."""
        cancel = self._method(*CANCELS)
        if cancel is None:
            return False, False
        doing = [node for node in cancel.body if not isinstance(node, ir.Literal)]
        raises = some_raise(doing)
        calls = [node for node in ir.walk(*doing) if isinstance(node, (ir.Call, ir.Assign))]
        acting = [
            node
            for node in calls
            if isinstance(node, ir.Assign)
            or (not only_says(self._context, node) and not any(_holds(r, node) for r in doing if is_raised(r)))
        ]
        if raises and not any(isinstance(node, ir.Call) and event_of(self._program, node) for node in acting):
            return False, True
        return bool(acting), False


def _holds(outer: ir.Node, node: ir.Node) -> bool:
    return any(inner is node for inner in ir.walk(outer))


def _is_own(function: ir.Function, cls: ir.Class) -> bool:
    return function.outer is cls


def _joined(ways: list[_Ways], *, done: bool) -> _Ways:
    """Several ways on: over where all that go on are."""
    going = [way for way in ways if way.goes_on]
    if not going:
        return _Ways(all(way.done for way in ways) or done, goes_on=False)
    return _Ways(all(way.done for way in going))
