"""Conditions, the ways on which they hold, and what may be said of several ways at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Generic, TypeVar

from agent_architecture.records import NamedTuple
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from agent_architecture.names.program import Program

K = TypeVar("K")
T = TypeVar("T")

WAYS: Final = 8
"""Ways to a place that are told apart; of more, nothing is known."""
MANY: Final = 100
"""Conditions of one place that are remembered."""
EVERY_NAME: Final = "*"


class Condition(NamedTuple):
    """A test that holds, or does not; None: a call that came back. `at` is the node of the asked scope that says so."""

    expr: ir.Expr
    holds: bool | None
    at: ir.Node


class Either(NamedTuple):
    """What holds on one of several ways, each with what holds on it; `said`: every condition of them, once.

    Ways stand in ways, and the same few conditions in most of them: who asks for conditions alone need not go them all.
    """

    ways: tuple[tuple[Condition | Either, ...], ...]
    said: tuple[Condition, ...]


Part = Condition | Either
Known = tuple[Part, ...]


def all_in(known: Known) -> tuple[Condition, ...]:
    """Every condition once, those of single ways included."""
    parts = (each.said if isinstance(each, Either) else (each,) for each in known)
    return tuple(dict.fromkeys(condition for part in parts for condition in part))


def of_ways(ways: tuple[Known, ...]) -> Either:
    """What holds on one of these ways."""
    return Either(ways, tuple(dict.fromkeys(condition for way in ways for condition in all_in(way))))


def either(ways: Iterable[Known | None]) -> Known | None:
    """What is known where one of several ways was gone; None where none of them goes on."""
    open_ways = [way for way in ways if way is not None]
    if not open_ways:
        return None
    if len(open_ways) == 1:
        return once(open_ways[0])
    return (of_ways(tuple(map(once, open_ways))),) if all(open_ways) and len(open_ways) <= WAYS else ()


def once(known: Iterable[Part]) -> Known:
    """The same without what is said twice, and at most `MANY` of it."""
    return tuple(dict.fromkeys(known))[:MANY]  # nodes compare by identity


def joined(first: Known | None, second: Known | None) -> Known | None:
    """What holds after one thing and then another; None where one of them never ends."""
    return None if first is None or second is None else (*first, *second)


def moved(known: Known | None, at: ir.Node) -> Known | None:
    """The same, said at a node of the scope that asks."""
    return None if known is None else tuple([_said_at(each, at) for each in known])


def _said_at(part: Part, at: ir.Node) -> Part:
    if isinstance(part, Either):
        return of_ways(tuple([tuple([_said_at(each, at) for each in way]) for way in part.ways]))
    return Condition(part.expr, part.holds, at)


def _plain(value: ir.Expr) -> ir.Expr:
    return value.value if isinstance(value, ir.Await) else value


def held(known: Known, said: Callable[[Condition], Mapping[K, T]]) -> dict[K, T]:
    """What conditions say of names, by `said`: all of them, or one on every way. `"*"` is every name."""
    return Saying(said).held(known)


class Saying(Generic[K, T]):
    """What conditions say of names, by `said`, of which each is asked once: the ways to the places of one body of code
    share most of theirs.
    """

    __slots__ = ("_by_condition", "_by_ways", "_said")

    def __init__(self, said: Callable[[Condition], Mapping[K, T]]) -> None:
        self._said = said
        self._by_condition: dict[Condition, Mapping[K, T]] = {}
        self._by_ways: dict[int, tuple[Mapping[K, T], Either]] = {}

    def held(self, known: Known) -> dict[K, T]:
        """What is said by all of them, or by one on every way."""
        found: dict[K, T] = {}
        for each in known:
            said = self._of_ways(each) if isinstance(each, Either) else self._of_condition(each)
            for name, value in said.items():
                found.setdefault(name, value)
        return found

    def _of_condition(self, condition: Condition) -> Mapping[K, T]:
        said = self._by_condition.get(condition)
        if said is None:
            said = self._by_condition[condition] = self._said(condition)
        return said

    def _of_ways(self, either: Either) -> Mapping[K, T]:
        known = self._by_ways.get(id(either))
        if known is None:
            ways = [self.held(way) for way in either.ways]
            names = dict.fromkeys(name for way in ways for name in way)
            on_all = (name for name in names if all(name in way or EVERY_NAME in way for way in ways))
            said = {name: next(way[name] for way in ways if name in way) for name in on_all}
            known = self._by_ways[id(either)] = said, either
        return known[0]


def alike(program: Program, known: Iterable[Part], scope: ir.Scope) -> Iterator[Part]:
    """What is known in another function and speaks of no name that means something else in a scope: a variable of its
    own that it was not given.
    """
    own = {name for name, (first, *_) in program.bindings(scope).items() if first.kind != "parameter"}
    for part in known:
        expressions = (each.expr for each in all_in((part,)))
        if not any(isinstance(node, ir.Name) and node.id in own for expr in expressions for node in ir.walk(expr)):
            yield part
