"""Where a test decides how code goes on, in whatever form it is written, and what runs on its sides.

An `if`, a case, a conditional expression, an assertion, `good or leave()`, and a helper of the project that comes back
for some of what it is told alone: whoever asks "is this looked at, and what then" asks here. What is known at one place
is for `conditions`; this is for who has a test and no place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.exits import is_answer, some_raise
from agent_architecture.names.predicates import spelled_out
from agent_architecture.names.structure import blocks
from agent_architecture.names.test_parts import joins
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.control.condition import all_in
from agent_architecture.semantics.control.condition_parts import asserted, tests_of
from agent_architecture.semantics.control.leaving import decided
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.control.conditions import Conditions
    from agent_architecture.sources.source import Span


class Choice(NamedTuple):
    """A place where tests decide, and the code of its sides."""

    node: ir.Node
    tests: tuple[ir.Expr, ...]
    sides: tuple[tuple[ir.Node, ...], ...]
    turns_away: bool
    """Whether nothing comes behind one of the sides."""
    is_value: bool = False
    """Whether it only chooses what an expression is, so that the same code runs behind it."""

    @property
    def fails(self) -> bool:
        """Whether what comes behind does not run for some answers, since something is raised, there or in a helper."""
        return self.turns_away and (not self.sides or any(some_raise(ir.walk(*side)) for side in self.sides))

    def is_around(self, span: Span) -> bool:
        """Whether a place stands on one of the sides."""
        return any(statement.span.contains(span) for side in self.sides for statement in side)


def choices(program: Program, conditions: Conditions, nodes: Iterable[ir.Node]) -> Iterator[Choice]:
    """The places among these nodes of a scope's own code where tests decide. Of loops, which end by theirs, none."""
    for node in nodes:
        match node:
            case ir.If(test=test):
                yield _between(conditions, node, (spelled_out(program, test),), tuple(blocks(node)))
            case ir.Match(cases=cases):
                asked = tuple(one for case in cases for one, _ in tests_of(program, node, case)) or (node.subject,)
                guards = (case.guard for case in cases if case.guard is not None)
                yield _between(conditions, node, (*asked, *guards), tuple(blocks(node)))
            case ir.Conditional(test=test, then=then, otherwise=otherwise):
                choice = _between(conditions, node, (spelled_out(program, test),), ((then,), (otherwise,)))
                yield choice._replace(is_value=not choice.turns_away and not _is_alone(program, node))
            case ir.Operator(operands=(first, *rest)) if joins(node) and _is_statement(program, node):
                yield _between(conditions, node, (spelled_out(program, first),), (tuple(rest),))
            case ir.Opaque(kind=ir.OpaqueKind.ASSERT, parts=(test, *_)):
                yield Choice(node, (spelled_out(program, test),), (), turns_away=True)  # type: ignore[arg-type]
            case ir.Call() if told := _required(program, conditions, node):
                yield Choice(node, told, (), turns_away=True)
            case _:
                continue


def asked_by(conditions: Conditions, test: ir.Expr) -> tuple[ir.Expr, ...]:
    """All that a test asks: itself, its parts, what variables keep of them, and what helpers ask that answer it."""
    parts = (one.expr for holds in (True, False) for one in all_in(conditions.answered(test, holds=holds)))
    return tuple({id(expr): expr for expr in (test, *parts)}.values())


def _between(
    conditions: Conditions, node: ir.Node, tests: tuple[ir.Expr, ...], sides: tuple[tuple[ir.Node, ...], ...]
) -> Choice:
    return Choice(node, tests, sides, any(side and not conditions.goes_on(side) for side in sides))


def _required(program: Program, conditions: Conditions, call: ir.Call) -> tuple[ir.Expr, ...]:
    """What a call asserts, or asks of what it is told, to come back; it answers with nothing that is taken."""
    claim = asserted(program, call)
    if claim is not None:
        return (claim,)
    if not program.callees(call) or not _is_statement(program, call):
        return ()
    return tuple(one.expr for one in decided(conditions.behind((call,))) if one.at is call and one.holds is not None)


def _is_statement(program: Program, node: ir.Node) -> bool:
    return program.structure(program.scope_of(node)).is_statement(node)


def _is_alone(program: Program, node: ir.Conditional) -> bool:
    """Whether a conditional expression stands for two statements: by itself, or as all that is answered."""
    around = program.structure(program.scope_of(node)).parent(node)
    return _is_statement(program, node) or is_answer(around)
