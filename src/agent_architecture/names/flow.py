"""Where a value comes from: the trail backwards from an expression, across assignments, texts, containers, calls and
files.

It over-approximates: what goes into a library call is taken to come out of it. A call of the project's own function
is left through the arguments of that call, not through those of all its callers; of an object whose parts are known,
only the part counts that is read. Who is a source and what makes a value safe is for whoever asks to say, from the
origins, the calls on the trail, and a reader that goes along.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, Protocol

from agent_architecture.names.flow_steps import back
from agent_architecture.names.flow_ways import Origin, Step
from agent_architecture.records import NamedTuple
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.names.flow_ways import Calls, Fields
    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import Span

__all__ = ["Origin", "Reader", "Step", "origins"]

LIMIT: Final = 1500
"""Expressions followed for one question, each once for each way in; more is given up as unknown."""

CALLS: Final = 8
"""Calls that a way remembers to have entered; of longer chains the outermost are forgotten, and all callers count."""

REMEMBERED: Final = 200_000
"""Expressions whose steps back are remembered at a time (gptme, 900 files, has 80,000)."""

FIELDS: Final = 3
"""Parts of parts that a way remembers to look for; of longer chains the outermost are forgotten, and the whole counts.
"""


class Reader(Protocol):
    """Goes along: says where an expression takes its value from, or None for what the language says; a text is what is
    passed on the language's own steps.
    """

    def __call__(self, node: ir.Expr, passed: frozenset[str]) -> Iterable[Step | Origin] | str | None:
        """The steps back from `node`, on a way that `passed` this so far."""
        ...


class _State:
    """What a way brings along: the calls that it has entered, the parts that are wanted, what it passed."""

    __slots__ = ("calls", "entered", "fields", "met", "passed", "seen", "wider")

    def __init__(self, calls: Calls, entered: tuple[int, ...], fields: Fields, passed: frozenset[str]) -> None:
        self.calls = calls
        self.entered = entered
        """What tells `calls` from others."""
        self.fields = fields
        self.passed = passed
        self.met: dict[int, ir.Expr] = {}
        """The expressions that were met in this state, by their ids: kept, so that no others get these."""
        self.seen: set[int] = set()
        """Those of them that were followed."""
        self.wider: tuple[_State, ...] = ()
        """The states that include this one: by no call (by all callers), and for the whole."""

    def is_covered(self, node: ir.Expr) -> bool:
        """Whether the node was followed in a state that includes this one."""
        return any(id(node) in wider.seen for wider in self.wider)


class _States:
    """The states of the ways of one question, each once."""

    def __init__(self) -> None:
        self._known: dict[tuple[tuple[int, ...], Fields, frozenset[str]], _State] = {}

    def of(self, calls: Calls, fields: Fields, passed: frozenset[str]) -> _State:
        calls, fields = calls[-CALLS:], fields[-FIELDS:]
        entered = tuple(map(id, calls))
        found = self._known.get((entered, fields, passed))
        if found is None:
            found = self._known[entered, fields, passed] = _State(calls, entered, fields, passed)
            if entered:
                found.wider = (self.of((), fields, passed), self.of((), (), passed))
            elif fields:
                found.wider = (self.of((), (), passed),)
        return found

    def after(self, state: _State, step: Step, said: str) -> _State:
        """The state after a step, on which the reader said something."""
        calls = state.calls if step.calls is None else step.calls
        fields = state.fields if step.fields is None else step.fields
        passed = state.passed
        if step.passed or said:
            passed = passed.union(word for word in (step.passed, said) if word)
        if calls is state.calls and fields == state.fields and passed == state.passed:
            return state
        return self.of(calls, fields, passed)


class _Place(NamedTuple):
    """A place on a way, and the one before it on another line."""

    span: Span
    before: _Place | None = None

    def then(self, span: Span) -> _Place:
        """The next place on the way: the same for another one on its line."""
        is_new = span.line != self.span.line or span.path != self.span.path
        return _Place(span, self) if is_new else self

    def trail(self) -> tuple[Span, ...]:
        """This place and all before it, the asked expression last."""
        spans: list[Span] = []
        place: _Place | None = self
        while place is not None:
            spans.append(place.span)
            place = place.before
        return tuple(spans)


def origins(
    program: Program, expr: ir.Expr, reader: Reader | None = None, calls: Calls = (), whole: Reader | None = None
) -> tuple[Origin, ...]:
    """Every place where the value of `expr` may begin, in order of position; one for each set of what ways passed.

    `calls` are those by which the code around `expr` was entered, outermost first. `whole` goes along like `reader`,
    but is only asked of expressions that are wanted as a whole, not for one of their parts.
    """
    found: dict[tuple[object, ...], Origin] = {}
    states = _States()
    start = states.of(calls, (), frozenset())
    start.met[id(expr)] = expr
    queue = deque([(expr, start, _Place(expr.span))])
    left = LIMIT
    while queue:
        node, state, place = queue.popleft()
        if state.is_covered(node):
            continue
        if not left:
            found["unknown", id(node)] = Origin("unknown", node, "", place.trail(), state.passed)
            break
        left -= 1
        state.seen.add(id(node))
        asked = whole if whole is not None and not state.fields else reader
        said = asked(node, state.passed) if asked is not None else None
        word = said if isinstance(said, str) else ""
        for step in _steps(program, node, state) if said is None or isinstance(said, str) else said:
            if isinstance(step, Origin):
                if (origin := (step.kind, id(step.node), step.name, state.passed)) not in found:
                    found[origin] = step._replace(trail=place.trail(), passed=state.passed)
                continue
            after = states.after(state, step, word)
            if type(step.expr) is ir.Literal:
                if (origin := ("constant", id(step.expr), "", after.passed)) not in found:
                    trail = place.then(step.expr.span).trail()
                    found[origin] = Origin("constant", step.expr, "", trail, after.passed)
            elif id(step.expr) not in after.met:
                after.met[id(step.expr)] = step.expr
                queue.append((step.expr, after, place.then(step.expr.span)))
    return tuple(sorted(found.values(), key=_place))


def _steps(program: Program, node: ir.Expr, state: _State) -> tuple[Step | Origin, ...]:
    """The steps that the language says, remembered: questions about one program meet the same expressions."""
    key = id(node), state.entered, state.fields
    known = program.steps.get(key)
    if known is None:
        if len(program.steps) >= REMEMBERED:
            program.steps.clear()
        known = program.steps[key] = node, state.calls, tuple(back(program, node, state.calls, state.fields))
    return known[2]


def _place(origin: Origin) -> tuple[object, ...]:
    return origin.node.span, origin.kind, origin.name, sorted(origin.passed)
