"""Why code leaves: what was asked, and how it was answered, where a statement goes no further.

`if full: return`, `assert not full`, a case of a `match`, a helper that raises, `sys.exit` behind a test: whoever asks
"does this function refuse because of X" asks here, and sees one question, however it is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.exits import goes_round, leaves
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.control.condition import Condition, all_in
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.semantics.control.condition import Known
    from agent_architecture.semantics.control.conditions import Conditions


class Leaving(NamedTuple):
    """A place after which the next statement does not run, and the conditions on which it is come to; for an assertion
    and for a call that comes back for some values alone, those on which it does not come back.
    """

    node: ir.Node
    reasons: tuple[Condition, ...]
    answer: ir.Expr | None = None
    """What a `return` answers there; of a conditional expression one side."""

    @property
    def fails(self) -> bool:
        """Whether what is left there is the whole of what was to be done: it raises, asserts or ends the program."""
        return not isinstance(self.node, (ir.Return, ir.Break, ir.Continue))

    def asked_by_helper(self) -> bool:
        """Whether it is a call of the project that comes back for some of what it is given alone."""
        return isinstance(self.node, ir.Call) and any(
            one.at is self.node and one.holds is not None for one in self.reasons
        )


def decided(known: Known) -> tuple[Condition, ...]:
    """The conditions that have one answer, however they were asked: not those of a test both of whose sides lead on."""
    found = tuple(dict.fromkeys(all_in(known)))
    answers: dict[int, set[bool | None]] = {}
    for each in found:
        answers.setdefault(id(each.expr), set()).add(each.holds)
    return tuple(each for each in found if len(answers[id(each.expr)]) == 1)


def nearest(reasons: Iterable[Condition], node: ir.Node) -> tuple[Condition, ...]:
    """Of the tests that decide whether a place is reached those around it; where none is, the last ones before."""
    asked = tuple(one for one in reasons if one.holds is not None and not isinstance(one.at, ir.Loop))
    around = tuple(one for one in asked if one.at.span.contains(node.span))
    last = max((one.at.span for one in asked), default=None)
    return around or tuple(one for one in asked if one.at.span == last)


def asked_last(leaving: Leaving, loop: ir.Loop) -> tuple[Condition, ...]:
    """The same of the tests in the passes of a loop that decide if it is left there."""
    return nearest((one for one in leaving.reasons if loop.span.contains(one.at.span)), leaving.node)


def leavings(conditions: Conditions, nodes: Iterable[ir.Node]) -> Iterator[Leaving]:
    """The places among these nodes of a scope's own code where it leaves, or goes on with the next pass of a loop."""
    for node in nodes:
        match node:
            case ir.Return(value=value) if value is not None:
                yield from (Leaving(node, decided(conditions.at(answer)), answer) for answer in _answers(value))
            case ir.Call() | ir.Opaque(kind=ir.OpaqueKind.ASSERT) if not leaves(node):
                yield from _of_helper(conditions, node)
            case _ if leaves(node) or goes_round(node):
                yield Leaving(node, decided(conditions.at(node)))
            case _:
                continue


def stops_behind(conditions: Conditions, nodes: Iterable[ir.Node], call: ir.Call) -> bool:
    """Whether code leaves by something that it asks where a call is made, or behind it."""
    return any(
        reason.at.span > call.span or (reason.at.span.contains(call.span) and reason.at is not call)
        for leaving in leavings(conditions, nodes)
        for reason in leaving.reasons
        if reason.holds is not None
    )


def _of_helper(conditions: Conditions, node: ir.Node) -> Iterator[Leaving]:
    """Where an assertion fails, and where a function that is called does not come back."""
    if not conditions.goes_on((node,)):
        yield Leaving(node, decided(conditions.at(node)))
    elif asked := tuple(each for each in decided(conditions.behind((node,))) if each.at is node):
        around = decided(conditions.at(node))
        yield Leaving(node, (*around, *(_turned(each) for each in asked)))


def _turned(condition: Condition) -> Condition:
    return condition if condition.holds is None else Condition(condition.expr, not condition.holds, condition.at)


def _answers(value: ir.Expr) -> Iterator[ir.Expr]:
    """The answers of which a `return` gives one, as its conditional expressions choose."""
    match value:
        case ir.Conditional(then=then, otherwise=otherwise):
            yield from _answers(then)
            yield from _answers(otherwise)
        case ir.Await(value=ir.Conditional() as inner):
            yield from _answers(inner)
        case _:
            yield value
