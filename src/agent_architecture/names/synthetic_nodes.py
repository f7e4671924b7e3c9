"""Expressions that stand for what nobody wrote: either of two, any element of a list, the key of an option.

Each is made once, so that the same question is asked about it each time, and the same answer is found again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.syntax import ir
from agent_architecture.syntax.substituted import substituted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class StandIns:
    """The expressions that were made for one program. What they are made of is kept alive by them."""

    __slots__ = (
        "_alternatives",
        "_bare_calls",
        "_choices",
        "_compared",
        "_doubtful",
        "_each",
        "_elements",
        "_handed",
        "_in_place",
        "_literals",
        "_mappings",
        "_members",
        "_merged",
        "_origins",
        "_pairs",
        "_promised",
        "_said_by",
        "_with_parts",
    )

    def __init__(self) -> None:
        self._promised: dict[int, ir.Assign] = {}
        self._choices: dict[tuple[int, int], ir.Conditional] = {}
        self._compared: dict[tuple[int, int], ir.Operator] = {}
        self._alternatives: dict[int, set[int]] = {}
        self._elements: dict[int, ir.Index] = {}
        self._members: dict[tuple[int, str], ir.Member] = {}
        self._literals: dict[tuple[int, type, ir.Constant], tuple[ir.Literal, ir.Expr]] = {}
        self._pairs: dict[tuple[int, int], ir.List] = {}
        self._mappings: dict[tuple[int, ...], ir.Map] = {}
        self._bare_calls: dict[int, ir.Call] = {}
        self._merged: dict[int, ir.Call] = {}
        self._doubtful: dict[int, ir.Conditional] = {}
        self._each: dict[int, ir.Loop] = {}
        self._in_place: dict[tuple[int, int], tuple[ir.Expr, ir.Call, ir.Expr]] = {}
        self._origins: dict[int, ir.Node] = {}
        self._handed: dict[tuple[int, int], tuple[ir.Call | ir.Assign, ir.Call, ir.Call | ir.Assign]] = {}
        self._with_parts: dict[tuple[int, ...], tuple[ir.Operator, ir.Operator]] = {}
        self._said_by: dict[tuple[int, int], tuple[ir.Call, ir.Expr | None]] = {}

    def without(self, paths: frozenset[str]) -> StandIns:
        """Those that are made of nothing in these files."""
        found = StandIns()
        for name in _MADE:
            alive = {key: made for key, made in getattr(self, name).items() if not _stands_in(made, paths)}
            setattr(found, name, alive)
        for made, _, expr in found._in_place.values():
            found._note(made, self._origins.get(id(made), expr))  # type: ignore[arg-type]
        known = {id(made) for made in found._choices.values()}
        found._alternatives = {key: ids for key, ids in self._alternatives.items() if key in known}
        return found

    def promised(self, annotation: ir.Expr) -> ir.Assign:
        """A declaration whose value is what a type promises: the one expression that stands for it."""
        found = self._promised.get(id(annotation))
        if found is None:
            found = self._promised[id(annotation)] = ir.Assign(annotation.span, annotation, None, annotation=annotation)
        return found

    def either(self, one: ir.Expr | None, other: ir.Expr) -> ir.Expr:
        """The one expression that can be what either of two is; the one where there is only one, or where it can be all
        that the other is.
        """
        if one is None or one is other:
            return other
        first, second = self._alternatives.get(id(one), {id(one)}), self._alternatives.get(id(other), {id(other)})
        if second <= first:
            return one
        if first <= second:
            return other
        key = id(one), id(other)
        if key not in self._choices:
            made = ir.Conditional(other.span, ir.unformed(other.span, "either", ()), one, other)
            self._choices[key], self._alternatives[id(made)] = made, first | second
        return self._choices[key]

    def literal(self, place: ir.Expr, value: ir.Constant) -> ir.Literal:
        """The one literal that stands for a constant in a place where none is written: a key, an option's name."""
        key = id(place), type(value), value
        if key not in self._literals:
            self._literals[key] = ir.Literal(place.span, value), place
        return self._literals[key][0]

    def pair(self, key: ir.Expr | None, value: ir.Expr) -> ir.List:
        """The one display that stands for a pair; a key of None is one that nobody knows."""
        parts = id(key), id(value)
        if parts not in self._pairs:
            first = ir.unformed(value.span, "key", ()) if key is None else key
            self._pairs[parts] = ir.List(value.span, (first, value), "tuple")
        return self._pairs[parts]

    def mapping(self, place: ir.Map, entries: tuple[tuple[str, ir.Expr], ...]) -> ir.Map:
        """The one mapping that has these entries, also those put in later: `body[key] = value`."""
        written = {entry.key.value for entry in place.entries if isinstance(entry.key, ir.Literal)}
        if written >= {key for key, _ in entries}:
            return place
        parts = (id(place), *(id(value) for _, value in entries))
        if parts not in self._mappings:
            made = tuple(ir.Entry(self.literal(value, key), value) for key, value in entries)
            self._mappings[parts] = ir.Map(place.span, made)
        return self._mappings[parts]

    def equal(self, subject: ir.Expr, pattern: ir.Expr) -> ir.Operator:
        """The one comparison that stands for a case of a `match`."""
        parts = id(subject), id(pattern)
        if parts not in self._compared:
            self._compared[parts] = ir.Operator(subject.span, ir.Op.EQ, (subject, pattern))
        return self._compared[parts]

    def with_parts(self, whole: ir.Operator, parts: tuple[ir.Expr, ...]) -> ir.Operator:
        """The one test that has these parts in the place of its own."""
        key = id(whole), *map(id, parts)
        if key not in self._with_parts:
            self._with_parts[key] = whole, whole._replace(operands=parts)
        return self._with_parts[key][1]

    def said_by(self, call: ir.Call, function: ir.Function, say: Callable[[], ir.Expr | None]) -> ir.Expr | None:
        """The one expression that stands for what a function answers a call."""
        key = id(call), id(function)
        if key not in self._said_by:
            self._said_by[key] = call, say()
        return self._said_by[key][1]

    def call_of(self, callee: ir.Expr) -> ir.Call:
        """The one call without arguments of something that is only named."""
        if id(callee) not in self._bare_calls:
            self._bare_calls[id(callee)] = ir.Call(callee.span, callee, ())
        return self._bare_calls[id(callee)]

    def merged(self, call: ir.Call) -> ir.Call:
        """The one call `x.update(y)` that stands for `Object.assign(x, y)`."""
        if id(call) not in self._merged:
            method = ir.Member(call.span, call.args[0].value, "update", call.span)
            made = ir.Call(call.span, method, call.args[1:])
            self._merged[id(call)] = self._merged[id(made)] = made
        return self._merged[id(call)]

    def handed(self, call: ir.Call, change: ir.Call | ir.Assign, given: Mapping[str, ir.Expr]) -> ir.Call | ir.Assign:
        """The one change that stands for what a function does to what a call hands it: `said.append(text)` for
        `keep(said, text)`; `given` is what the call gives to parameters.
        """
        parts = id(call), id(change)
        if parts not in self._handed:
            made = substituted(change, given)._replace(span=call.span)
            self._handed[parts] = made, call, change
        return self._handed[parts][0]

    def in_place(self, call: ir.Call, expr: ir.Expr, given: Mapping[str, ir.Expr]) -> ir.Expr:
        """The one expression that stands, where a function is called, for one that it evaluates."""
        parts = id(call), id(expr)
        if parts not in self._in_place:
            made = substituted(expr, given)
            if isinstance(made, ir.Await) and isinstance(made.value, ir.Call):
                made = made._replace(value=made.value._replace(span=call.span))
            made = made._replace(span=call.span) if not isinstance(made, (ir.Function, ir.Class)) else made
            self._in_place[parts] = made, call, expr
            self._note(made, expr)
        return self._in_place[parts][0]

    def _note(self, made: ir.Expr, expr: ir.Expr) -> None:
        self._origins[id(made)] = self._origins.get(id(expr), expr)
        if isinstance(made, ir.Await) and isinstance(expr, ir.Await) and made.value is not expr.value:
            self._note(made.value, expr.value)

    def written(self, node: ir.Node) -> ir.Node:
        """What stands in the code for an expression that was made to stand where a function is called."""
        return self._origins.get(id(node), node)

    def each(self, call: ir.Call, source: ir.Expr, body: tuple[ir.Node, ...]) -> ir.Loop:
        """The one loop that stands for a call which runs a function with each of many things: `items.map(work)`."""
        if id(call) not in self._each:
            self._each[id(call)] = ir.Loop(call.span, "each", call.span, body, source=source)
        return self._each[id(call)]

    def maybe(self, entry: ir.Expr) -> ir.Expr:
        """The one expression that can be an entry, or what something unreadable put in its place."""
        if id(entry) not in self._doubtful:
            span = entry.span
            unread = ir.unformed(span, "spread", ())
            made = ir.Conditional(span, ir.unformed(span, "either", ()), unread, entry)
            self._doubtful[id(entry)] = self._doubtful[id(made)] = made
        return self._doubtful[id(entry)]

    def any_element(self, whole: ir.Expr) -> ir.Index:
        """The one expression that stands for every element of what another one gives."""
        if id(whole) not in self._elements:
            self._elements[id(whole)] = ir.Index(whole.span, whole, ir.unformed(whole.span, "element", ()))
        return self._elements[id(whole)]

    def member(self, whole: ir.Expr, name: str) -> ir.Member:
        """The one expression that takes something of that name out of another one: what is spread into an object."""
        if (id(whole), name) not in self._members:
            self._members[id(whole), name] = ir.Member(whole.span, whole, name, whole.span)
        return self._members[id(whole), name]


_MADE: Final = (
    "_promised", "_choices", "_compared", "_elements", "_literals", "_pairs", "_mappings", "_bare_calls", "_merged",
    "_doubtful", "_each", "_handed", "_in_place", "_members",
)  # fmt: skip


def _stands_in(made: ir.Node | tuple[ir.Node, ...], paths: frozenset[str]) -> bool:
    """Whether an expression, or a part of it, stands in one of these files."""
    nodes: tuple[ir.Node, ...] = made if type(made) is tuple else (made,)  # type: ignore[assignment]
    return any(part.span.path in paths for node in nodes for part in (node, *ir.children(node)))
