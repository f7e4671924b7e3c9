"""The answers to questions about a program that are still open: what stands for them, and what two are compared by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from agent_architecture.names.alternatives import in_order, joined, shape_of
from agent_architecture.names.memory import Kind
from agent_architecture.names.values import Unknown, Values
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_architecture.names.memory import Place
    from agent_architecture.syntax import ir


class CallSite(NamedTuple):
    """A call in its scope. `inferred` when the callee is known by its name alone.

    `escapes` when the call does not run the function itself but is handed it, and may run it. `bound` is the
    `functools.partial` whose arguments come before those of the call; `skipped` leading arguments are not for the
    function's parameters (`Base.run(self, x)`). `decorates` when the call is a decorator above a definition.
    """

    call: ir.Call
    scope: ir.Scope
    inferred: bool = False
    escapes: bool = False
    bound: ir.Call | None = None
    skipped: int = 0
    decorates: bool = False


class _NotYet(tuple[Any, ...]):
    """No answer, because it is still being looked for."""

    __slots__ = ()


NOT_YET: Final = _NotYet()


def unreadable(expr: ir.Expr, why: str) -> Values:
    """The value of an expression that cannot be told."""
    return (Unknown(why, expr),)


def promises(values: Values) -> object:
    """What is compared of the objects that a type promises."""
    return values is NOT_YET, shape_of(values)


def no_promise(named: ir.Class | ir.Operator, why: str) -> Values:
    """What a type promises that only names itself."""
    del named, why
    return ()


def sites(found: tuple[CallSite, ...]) -> object:
    """What is compared of callers."""
    return found is NOT_YET, tuple((id(site.call), site.inferred, site.escapes) for site in found)


def no_caller(_function: ir.Function, _why: str) -> tuple[CallSite, ...]:
    """The callers of a function that is only called by what they call."""
    return ()


# ------------------------------------------------------------------------------------------------ kinds of question
def value_kind(work: Callable[[ir.Expr], Values]) -> Kind:
    """What an expression can be."""
    return Kind(work, (), shape_of, unreadable, joined_values, place, in_order)


def caller_kind(work: Callable[[ir.Function], tuple[CallSite, ...]]) -> Kind:
    """Which calls may run a function."""
    return Kind(work, NOT_YET, sites, no_caller, _united, place, _as_found, gathers=True)


def type_kind(work: Callable[[ir.Class | ir.Operator], Values]) -> Kind:
    """What a name for a type promises."""
    return Kind(work, NOT_YET, promises, no_promise, joined_values, place, in_order)


def place(node: ir.Node, what: str = "") -> Place:
    """Where a question stands, and what it asks of what stands there."""
    return (*node.span, type(node).__name__, what)


def joined_values(subject: object, before: Values, found: Values) -> Values:
    """What two answers about one subject come to together."""
    del subject
    return joined(before, found)


def _as_found(found: tuple[CallSite, ...]) -> tuple[CallSite, ...]:
    return found


def _united(function: ir.Function, before: tuple[CallSite, ...], found: tuple[CallSite, ...]) -> tuple[CallSite, ...]:
    del function
    known = {id(site.call): site for site in (*before, *found)}
    return tuple(sorted(known.values(), key=lambda site: site.call.span))
