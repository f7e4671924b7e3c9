"""What a way back through the program is made of: where it ends, its steps, and the parts of values that are wanted.

Values, the two rules on parts, and the memory of what was walked. Which step follows which is for `flow_steps`.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from agent_architecture.names.patterns import is_rest
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.sources.source import Span
    from agent_architecture.syntax import ir

CALLS: Final = 8
"""Calls that a way remembers to have entered; of longer chains the outermost are forgotten, and all callers count."""

FIELDS: Final = 3
"""Parts of parts that a way remembers to look for; of longer chains the outermost are forgotten, and the whole counts.
"""

Calls: TypeAlias = "tuple[ir.Call, ...]"
Fields: TypeAlias = "tuple[str, ...]"
Kind = Literal["constant", "parameter", "call", "name", "unknown"]


ANY_PLACE: Final = "[*]"
"""A part that stands for any element of a list, and any value of a mapping."""


Place: TypeAlias = "tuple[ir.Expr, Place | None]"
"""An expression on the way that was walked, and the place before it, nearer to what was asked."""


class Origin(NamedTuple):
    """One place where a value begins.

    `constant`: `node` is the literal. `parameter`: `node` is the function, `name` the parameter. `call`: `node` is a
    call of a library (or of nothing readable). `name`: a library's own name. `passed` is what a reader said of the way,
    `place` the end of the way, for `trail`.
    """

    kind: Kind
    node: ir.Node
    name: str = ""
    passed: frozenset[str] = frozenset()
    place: Place | None = None

    @property
    def trail(self) -> tuple[Span, ...]:
        """The places passed on the way, the asked expression last: the first one of those that are on one line."""
        spans: list[Span] = []
        place = self.place
        while place is not None:
            spans.append(place[0].span)
            place = place[1]
        kept = [spans.pop()]
        for span in reversed(spans):
            if span.line != kept[-1].line or span.path != kept[-1].path:
                kept.append(span)
        return tuple(reversed(kept))


class Step(NamedTuple):
    """One expression further back. `passed` is what the text goes through there, in the reader's own words; `calls`
    are the calls that the way has entered, `fields` the parts that are wanted, None for the same as before.
    """

    expr: ir.Expr
    passed: str = ""
    calls: Calls | None = None
    fields: Fields | None = None


class End(NamedTuple):
    """An origin without the way to it. `is_further`: it is a step further than the point that leads to it."""

    kind: Kind
    node: ir.Node
    name: str = ""
    is_further: bool = False


class Entered:
    """The calls that a way has entered, for who says what leads on from an expression. `asked` is whether they mattered
    to that: what is said without them holds on all ways.
    """

    __slots__ = ("_calls", "asked")

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self.asked = False

    @property
    def calls(self) -> Calls:
        """The calls, the last one last."""
        self.asked = True
        return self._calls


class Way:
    """What a way brings along: the calls that it has entered, the parts that are wanted. Each is there once."""

    __slots__ = ("calls", "fields", "points", "wider")

    def __init__(self, calls: Calls, fields: Fields) -> None:
        self.calls = calls
        self.fields = fields
        self.wider: tuple[Fields, ...] = ((fields, ()) if fields else ((),)) if calls else ((),) if fields else ()
        """The parts wanted by the ways that include this one: by no call (by all callers), and for the whole."""
        self.points: dict[ir.Expr, Point] = {}

    def at(self, node: ir.Expr) -> Point:
        """The point where this way comes to an expression."""
        found = self.points.get(node)
        if found is None:
            found = self.points[node] = Point(node, self)
        return found


class Point:
    """An expression on a way, each once, and what the language says of it: None until somebody asks. `rests` is what
    that rests on.
    """

    __slots__ = ("ends", "node", "rests", "steps", "way")

    def __init__(self, node: ir.Expr, way: Way) -> None:
        self.node = node
        self.way = way
        self.ends: tuple[End, ...] = ()
        self.steps: tuple[Point, ...] | None = None
        self.rests = 0


class Said(NamedTuple):
    """What the language says of an expression: where ways end there, what leads on, and what that rests on."""

    ends: tuple[End, ...]
    steps: tuple[Step, ...]
    rests: int


class Ways:
    """The memory of `flow`: all ways that were walked in a program."""

    def __init__(self) -> None:
        self.known: dict[tuple[tuple[int, ...], Fields], Way] = {}
        """The ways, by the ids of the calls that they have entered."""
        self.read = 0
        """Points of which it is known what the language says."""
        self.ends: dict[ir.Expr, tuple[tuple[End, ...], int]] = {}
        """Where values begin of which that was asked, by no reader, and what that rests on."""
        self.alike: defaultdict[Fields, dict[ir.Expr, Said]] = defaultdict(dict)
        """What the language says of an expression whatever calls a way has entered, by the parts that are wanted."""

    def of(self, calls: Calls, fields: Fields) -> Way:
        """The way that has entered these calls, and wants these parts."""
        calls, fields = calls[-CALLS:], fields[-FIELDS:]
        key = tuple(map(id, calls)), fields
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = Way(calls, fields)
        return found

    def forget(self, paths: frozenset[str], dead: int) -> None:
        """What stands in these files, and what is known of others that rests on this."""
        self.ends = {expr: known for expr, known in self.ends.items() if not known[1] & dead}
        for fields, said in self.alike.items():
            kept = {node: one for node, one in said.items() if node.span.path not in paths and not one.rests & dead}
            self.alike[fields] = kept
        for key, way in list(self.known.items()):
            if any(call.span.path in paths for call in way.calls):
                del self.known[key]
                continue
            for node, point in list(way.points.items()):
                if node.span.path in paths:
                    del way.points[node]
                elif point.rests & dead:
                    point.steps, point.ends, point.rests = None, (), 0

    def after(self, way: Way, step: Step) -> Point:
        """Where a step on a way leads."""
        calls = way.calls if step.calls is None else step.calls
        fields = way.fields if step.fields is None else step.fields
        is_same = calls is way.calls and fields == way.fields
        return (way if is_same else self.of(calls, fields)).at(step.expr)


def further(fields: Fields, steps: tuple[str, ...]) -> Fields:
    """The parts that are wanted of what a pattern takes apart: `{ data: { text } } = reply` wants `data`, then `text`.

    Any element of a list is its list.
    """
    named: list[str] = []
    for step in steps:
        if is_rest(step) or step == ".?":
            break
        if step.startswith("."):
            named.append(step[1:])
        elif step[1:-1].isdigit():
            named.append(step)
    return (*fields, *reversed(named))


def is_place(field: str) -> bool:
    """Whether a part is an element of a list: the one at a position (`[0]`), or any."""
    return field.startswith("[")
