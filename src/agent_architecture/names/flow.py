"""Where a value comes from: the trail backwards from an expression, across assignments, texts, containers, calls and
files.

It over-approximates: what goes into a library call is taken to come out of it. A call of the project's own function
is left through the arguments of that call, not through those of all its callers; of an object whose parts are known,
only the part counts that is read. Who is a source and what makes a value safe is for whoever asks to say, from the
origins, the calls on the trail, and a reader that goes along.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias

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


class _Way(NamedTuple):
    node: ir.Expr
    trail: tuple[Span, ...]
    calls: Calls = ()
    entered: tuple[int, ...] = ()
    """What tells `calls` from others."""
    fields: Fields = ()
    passed: frozenset[str] = frozenset()

    def key(self) -> _Key:
        return id(self.node), self.entered, self.fields, self.passed

    def is_covered(self, seen: set[_Key]) -> bool:
        """Whether a way was followed that includes this one: the way by no call (by all callers), and for the whole."""
        if not self.entered and not self.fields:
            return False
        node, passed = id(self.node), self.passed
        return (node, (), self.fields, passed) in seen or (node, (), (), passed) in seen

    def after(self, step: Step, said: str) -> _Way:
        calls, entered = self.calls, self.entered
        if step.calls is not None:
            calls = step.calls[-CALLS:]
            entered = tuple(map(id, calls))
        fields = self.fields if step.fields is None else step.fields[-FIELDS:]
        passed = self.passed
        if step.passed or said:
            passed = passed.union(word for word in (step.passed, said) if word)
        return _Way(step.expr, self.trail, calls, entered, fields, passed)

    def goes_on(self) -> _Way:
        """The same with its own place on the trail."""
        return self._replace(trail=_longer(self.trail, self.node.span))


_Key: TypeAlias = "tuple[int, tuple[int, ...], Fields, frozenset[str]]"


def origins(
    program: Program, expr: ir.Expr, reader: Reader | None = None, calls: Calls = (), whole: Reader | None = None
) -> tuple[Origin, ...]:
    """Every place where the value of `expr` may begin, in order of position; one for each set of what ways passed.

    `calls` are those by which the code around `expr` was entered, outermost first. `whole` goes along like `reader`,
    but is only asked of expressions that are wanted as a whole, not for one of their parts.
    """
    found: dict[tuple[object, ...], Origin] = {}
    seen: set[_Key] = set()
    start = _Way(expr, (expr.span,), calls[-CALLS:], tuple(map(id, calls[-CALLS:])))
    queue, queued = deque([start]), {start.key()}
    met = [expr]  # kept, so that no other node gets the id of one that a reader made
    while queue:
        way = queue.popleft()
        if way.is_covered(seen):
            continue
        way = way.goes_on()
        if len(seen) >= LIMIT:
            found["unknown", id(way.node)] = Origin("unknown", way.node, "", way.trail, way.passed)
            break
        seen.add(way.key())
        asked = whole if whole is not None and not way.fields else reader
        said = asked(way.node, way.passed) if asked is not None else None
        word = said if isinstance(said, str) else ""
        for step in _steps(program, way) if said is None or isinstance(said, str) else said:
            if isinstance(step, Origin):
                origin = step._replace(trail=way.trail, passed=way.passed)
                found.setdefault((step.kind, id(step.node), step.name, way.passed), origin)
                continue
            after = way.after(step, word)
            if type(step.expr) is ir.Literal:
                after = after.goes_on()
                constant = Origin("constant", step.expr, "", after.trail, after.passed)
                found.setdefault(("constant", id(step.expr), "", after.passed), constant)
            elif (key := after.key()) not in queued:
                queued.add(key)
                met.append(step.expr)
                queue.append(after)
    return tuple(sorted(found.values(), key=_place))


def _steps(program: Program, way: _Way) -> tuple[Step | Origin, ...]:
    """The steps that the language says, remembered: questions about one program meet the same expressions."""
    key = id(way.node), way.entered, way.fields
    known = program.steps.get(key)
    if known is None:
        if len(program.steps) >= REMEMBERED:
            program.steps.clear()
        known = program.steps[key] = way.node, way.calls, tuple(back(program, way.node, way.calls, way.fields))
    return known[2]


def _place(origin: Origin) -> tuple[object, ...]:
    return origin.node.span, origin.kind, origin.name, sorted(origin.passed)


def _longer(trail: tuple[Span, ...], span: Span) -> tuple[Span, ...]:
    """The trail with one more place in front; places on one line are one."""
    is_new = (span.path, span.line) != (trail[0].path, trail[0].line)
    return (span, *trail) if is_new else trail
