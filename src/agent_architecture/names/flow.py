"""Where a value comes from: the trail backwards from an expression, across assignments, texts, containers, calls and
files.

It over-approximates: what goes into a library call is taken to come out of it. A call of the project's own function
is left through the arguments of that call, not through those of all its callers; of an object whose parts are known,
only the part counts that is read. Who is a source and what makes a value safe is for whoever asks to say, from the
origins, the calls on the trail, and a reader that goes along.
"""

from __future__ import annotations

from collections import deque
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from agent_architecture.names.flow_steps import back
from agent_architecture.names.flow_ways import Origin, Step
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

    __slots__ = ("calls", "entered", "fields", "passed", "wider")

    def __init__(self, calls: Calls, entered: tuple[int, ...], fields: Fields, passed: frozenset[str]) -> None:
        self.calls = calls
        self.entered = entered
        """What tells `calls` from others."""
        self.fields = fields
        self.passed = passed
        self.wider: tuple[_State, ...] = ()
        """The states that include this one: by no call (by all callers), and for the whole."""


class _States:
    """The states of the ways of one question, each once, so that the same ones are the same object."""

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
        if step.calls is None and step.fields is None and not step.passed and not said:
            return state
        calls = state.calls if step.calls is None else step.calls
        fields = state.fields if step.fields is None else step.fields
        return self.of(calls, fields, state.passed.union(word for word in (step.passed, said) if word))


class _Way(NamedTuple):
    """An expression on a way, and the way that leads to it."""

    node: ir.Expr
    state: _State
    before: _Way | None = None

    def trail(self) -> tuple[Span, ...]:
        """The places on the way, the asked expression last; of those on one line the one that was met first."""
        spans: list[Span] = []
        way: _Way | None = self
        while way is not None:
            spans.append(way.node.span)
            way = way.before
        places = [next(of_one_line) for _, of_one_line in groupby(reversed(spans), _line)]
        return tuple(reversed(places))


def _line(span: Span) -> tuple[str, int]:
    return span.path, span.line


def origins(
    program: Program, expr: ir.Expr, reader: Reader | None = None, calls: Calls = (), whole: Reader | None = None
) -> tuple[Origin, ...]:
    """Every place where the value of `expr` may begin, in order of position; one for each set of what ways passed.

    `calls` are those by which the code around `expr` was entered, outermost first. `whole` goes along like `reader`,
    but is only asked of expressions that are wanted as a whole, not for one of their parts.
    """
    found: dict[tuple[object, ...], Origin] = {}
    states = _States()
    start = _Way(expr, states.of(calls, (), frozenset()))
    met = {(id(expr), id(start.state)): start}  # kept, so that no other node gets the id of one that a reader made
    queue = deque([start])
    seen: set[tuple[int, int]] = set()
    while queue:
        way = queue.popleft()
        node, state = way.node, way.state
        if any((id(node), id(wider)) in seen for wider in state.wider):
            continue
        if len(seen) >= LIMIT:
            found["unknown", id(node)] = Origin("unknown", node, "", way.trail(), state.passed)
            break
        seen.add((id(node), id(state)))
        asked = whole if whole is not None and not state.fields else reader
        said = asked(node, state.passed) if asked is not None else None
        word = said if isinstance(said, str) else ""
        for step in _steps(program, way) if said is None or isinstance(said, str) else said:
            if isinstance(step, Origin):
                if (origin := (step.kind, id(step.node), step.name, state.passed)) not in found:
                    found[origin] = step._replace(trail=way.trail(), passed=state.passed)
                continue
            after = states.after(state, step, word)
            if type(step.expr) is ir.Literal:
                if (origin := ("constant", id(step.expr), "", after.passed)) not in found:
                    trail = _Way(step.expr, after, way).trail()
                    found[origin] = Origin("constant", step.expr, "", trail, after.passed)
            elif (key := (id(step.expr), id(after))) not in met:
                met[key] = further = _Way(step.expr, after, way)
                queue.append(further)
    return tuple(sorted(found.values(), key=_place))


def _steps(program: Program, way: _Way) -> tuple[Step | Origin, ...]:
    """The steps that the language says, remembered: questions about one program meet the same expressions."""
    node, state = way.node, way.state
    key = id(node), state.entered, state.fields
    known = program.steps.get(key)
    if known is None:
        if len(program.steps) >= REMEMBERED:
            program.steps.clear()
        known = program.steps[key] = node, state.calls, tuple(back(program, node, state.calls, state.fields))
    return known[2]


def _place(origin: Origin) -> tuple[object, ...]:
    return origin.node.span, origin.kind, origin.name, sorted(origin.passed)
