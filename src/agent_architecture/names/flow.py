"""Where a value comes from: the trail backwards from an expression, across assignments, texts, containers, calls and
files.

It over-approximates: what goes into a library call is taken to come out of it. A call of the project's own function
is left through the arguments of that call, not through those of all its callers; of an object whose parts are known,
only the part counts that is read. Who is a source and what makes a value safe is for whoever asks to say, from the
origins, the calls on the trail, and a reader that goes along.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final, Protocol

from agent_architecture.names.flow_paths import End, Entered, Origin, Said, Step, Ways
from agent_architecture.names.flow_steps import back
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.flow_paths import Calls, Fields, Place, Point, Way
    from agent_architecture.names.program import Program

    _Lead = tuple[tuple[End, ...], tuple[Point, ...], "_Side"]

__all__ = ["End", "Origin", "Reader", "Step", "ends", "origins"]

LIMIT: Final = 1500
"""Expressions followed for one question, each once for each way in; more is given up as unknown."""

REMEMBERED: Final = 200_000
"""Points whose steps back are remembered at a time (gptme, 900 files, has 80,000)."""


class Reader(Protocol):
    """Goes along: says where an expression takes its value from, or None for what the language says; a text is what is
    passed on the language's own steps.
    """

    def __call__(self, node: ir.Expr, passed: frozenset[str]) -> Iterable[Step | Origin] | str | None:
        """The steps back from `node`, on a way that `passed` this so far."""
        ...


class _Side:
    """The ways of one question that passed the same: what they met, and where they ended."""

    __slots__ = ("found", "met", "passed", "seen")

    def __init__(self, passed: frozenset[str]) -> None:
        self.passed = passed
        self.met: set[Point] = set()
        self.seen: defaultdict[Fields, set[ir.Expr]] = defaultdict(set)
        """The expressions that were followed by no call, by the parts that were wanted of them."""
        self.found: dict[End, Place] = {}


class _Sides(dict[frozenset[str], _Side]):
    """The sides of one question, by what their ways passed."""

    def __missing__(self, passed: frozenset[str]) -> _Side:
        side = self[passed] = _Side(passed)
        return side

    def after(self, side: _Side, word: str) -> _Side:
        """Where a way is that passed one thing more."""
        return side if not word or word in side.passed else self[side.passed | {word}]


def constants(program: Program, expr: ir.Expr, calls: Calls) -> Iterator[object]:
    """The constants that an expression is made of, where the code around it was entered by these calls."""
    nodes = (each.node for each in origins(program, expr, calls=calls) if each.kind == "constant")
    yield from (node.value for node in nodes if isinstance(node, ir.Literal))


def origins(
    program: Program, expr: ir.Expr, reader: Reader | None = None, calls: Calls = (), whole: Reader | None = None
) -> tuple[Origin, ...]:
    """Every place where the value of `expr` may begin, in order of position; one for each set of what ways passed.

    `calls` are those by which the code around `expr` was entered, outermost first. `whole` goes along like `reader`,
    but is only asked of expressions that are wanted as a whole, not for one of their parts.
    """
    sides = _walk(program, expr, reader, calls, reader if whole is None else whole)
    found = [
        Origin(end.kind, end.node, end.name, side.passed, (end.node, place) if end.is_further else place)  # type: ignore[arg-type]
        for side in sides.values()
        for end, place in side.found.items()
    ]
    found.sort(key=_place)
    return tuple(found)


def ends(program: Program, expr: ir.Expr) -> tuple[End, ...]:
    """The same without the ways there, remembered: for whoever does not ask how a value came."""
    found, rests = program.ways.ends.get(expr), program.rests
    if found is None:
        around, rests.read = rests.read, rests.of(expr.span.path)
        reached = tuple(sorted(_reached(program, expr), key=_place_of_end))
        found = program.ways.ends[expr] = reached, rests.same(rests.read)
        rests.read = around
    rests.read |= found[1]
    return found[0]


def _reached(program: Program, expr: ir.Expr) -> dict[End, None]:
    """Where the ways back from an expression end, as `_walk` finds them where nobody reads along."""
    ways = _ways(program)
    start, rests = ways.of((), ()).at(expr), program.rests
    points, met, found = [start], {start}, dict[End, None]()
    seen: defaultdict[Fields, set[ir.Expr]] = defaultdict(set)
    left = LIMIT
    meet, follow = met.add, points.append
    for point in points:
        way = point.way
        if (wider := way.wider) and (point.node in seen[wider[0]] or point.node in seen[wider[-1]]):
            continue
        if not left:
            found[End("unknown", point.node)] = None
            break
        left -= 1
        if not way.calls:
            seen[way.fields].add(point.node)
        steps = _read(program, ways, point) if point.steps is None else point.steps
        if point.rests:
            rests.read |= point.rests
        for end in point.ends:
            found[end] = None
        for step in steps:
            if step not in met:
                meet(step)
                follow(step)
    return found


def _ways(program: Program) -> Ways:
    if program.ways.read >= REMEMBERED:
        program.ways = Ways()  # a walk that is not over, whose reader asks this, keeps its own
    return program.ways


def _walk(program: Program, expr: ir.Expr, reader: Reader | None, calls: Calls, whole: Reader | None) -> _Sides:
    """Go all ways back from an expression, breadth first, and note where they end."""
    ways, known = _ways(program), _Sides()
    begin, first = ways.of(calls, ()).at(expr), known[frozenset()]
    first.met.add(begin)
    points: list[tuple[Point, Place, _Side]] = [(begin, (expr, None), first)]
    left = LIMIT
    for point, place, side in points:
        way, node, seen = point.way, point.node, side.seen
        if (wider := way.wider) and (node in seen[wider[0]] or node in seen[wider[-1]]):
            continue
        if not left:
            side.found[End("unknown", node)] = place
            break
        left -= 1
        if not way.calls:
            seen[way.fields].add(node)
        asked = reader if way.fields else whole
        said = asked(node, side.passed) if asked is not None else None
        if said is None or isinstance(said, str):
            steps = _read(program, ways, point) if point.steps is None else point.steps
            if point.rests:
                program.rests.read |= point.rests
            leads: Iterable[_Lead] = ((point.ends, steps, known.after(side, said) if said else side),)
        else:
            leads = _told(ways, known, way, side, said)
        for reached, steps, after in leads:
            for end in reached:
                found = after.found if end.is_further else side.found
                if end not in found:
                    found[end] = place
            met = after.met
            for step in steps:
                if step not in met:
                    met.add(step)
                    points.append((step, (step.node, place), after))
    return known


def _read(program: Program, ways: Ways, point: Point) -> tuple[Point, ...]:
    """What the language says of a point, remembered: questions about one program meet the same points."""
    way, node = point.way, point.node
    alike = ways.alike[way.fields]
    said = alike.get(node)
    if said is None:
        entered, before = Entered(way.calls), program.unsettled
        said = _said(program, node, entered, way.fields)
        if not entered.asked and program.unsettled == before:
            alike[node] = said
    ways.read += 1
    point.ends, point.rests = said.ends, said.rests
    point.steps = tuple(dict.fromkeys([ways.after(way, step) for step in said.steps]))
    return point.steps


def _said(program: Program, node: ir.Expr, entered: Entered, fields: Fields) -> Said:
    """What the language says of an expression on ways that have entered these calls."""
    rests = program.rests
    around, rests.read = rests.read, rests.of(node.span.path)
    found: dict[End, None] = {}
    steps: list[Step] = []
    for step in back(program, node, entered, fields):
        if isinstance(step, Origin):
            found[End(step.kind, step.node, step.name)] = None
        elif type(step.expr) is ir.Literal:
            found[End("constant", step.expr, is_further=True)] = None
        else:
            steps.append(step)
    said = Said(tuple(found), tuple(steps), rests.same(rests.read))
    rests.read = around
    return said


def _told(ways: Ways, sides: _Sides, way: Way, side: _Side, said: Iterable[Step | Origin]) -> Iterator[_Lead]:
    """What a reader says of a point, step by step, each with what the way passes by it."""
    for step in said:
        if isinstance(step, Origin):
            yield (End(step.kind, step.node, step.name),), (), side
        elif type(step.expr) is ir.Literal:
            yield (End("constant", step.expr, is_further=True),), (), sides.after(side, step.passed)
        else:
            yield (), (ways.after(way, step),), sides.after(side, step.passed)


def _place_of_end(end: End) -> tuple[object, ...]:
    return end.node.span, end.kind, end.name


def _place(origin: Origin) -> tuple[object, ...]:
    passed = origin.passed
    return origin.node.span, origin.kind, origin.name, sorted(passed) if passed else []
