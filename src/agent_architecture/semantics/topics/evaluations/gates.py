"""Whether code fails where a grade is too low, in whatever form: an assertion, an error or an exit behind a comparison,
a case, a helper that is told the number, an exit code that a comparison chooses.

What is asked where code leaves is for `semantics/control`; this says which of it is a gate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.exits import answers, ends_program, error_of
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.semantics.callgraph.processes import asks_if_main
from agent_architecture.semantics.control.choices import asked_by
from agent_architecture.semantics.control.condition import Condition
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.control.leaving import decided, leavings, nearest
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.topics.evaluations.grading import compares
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.control.leaving import Leaving
    from agent_architecture.semantics.matching.context import Context

FAILING: Final = "pytest.fail"
"""The call that ends a test."""
EXITING: Final = frozenset({"SystemExit", "Exit"})
"""Errors that are given an exit code."""
EXIT_CODE: Final = "process.exitCode"
HANDING: Final = frozenset({"int", "bool", "Number", "run"})
"""Calls that give what they are given, in another form, or what it answers: `int(failed)`, `asyncio.run(main())`."""
FAR: Final = 3
"""Functions and names between an exit and what says its code."""


def has_gate(context: Context, scope: ir.Scope) -> bool:
    """Whether a scope fails when a number is too low: an assertion, or an exit or error under a comparison."""
    nodes = own_nodes(scope)
    if any(_weighs(context, _reasons(context, one)) for one in leavings(conditions_of(context), nodes)):
        return True
    codes = (code for node in nodes for given in _codes_given(node) for code in _chosen(context.program, given, FAR))
    return any(_tells(context, code) for code in codes) or any(
        _is_failing(node) and _weighs(context, _asked_at(context, node)) for node in nodes
    )


def _reasons(context: Context, leaving: Leaving) -> tuple[Condition, ...]:
    """Why code fails; of a helper what it asks. What gives an exit code, or ends well, is asked for that."""
    node = leaving.node
    if not leaving.fails or any(True for _ in _codes_given(node)):
        return ()
    if not isinstance(node, ir.Call) or ends_program(node):
        return nearest(leaving.reasons, node)
    program = context.program
    if not program.structure(program.scope_of(node)).is_statement(node):
        return ()  # it answers with something, and what it needs for that is its own affair
    return tuple(one for one in leaving.reasons if one.at is node and one.holds is not None)


def _tells(context: Context, code: ir.Expr) -> bool:
    """Whether an exit code tells of a failure by a comparison: it is one, or stands behind one."""
    if isinstance(code, ir.Literal) and not (code.value and code.value is not ir.UNDEFINED):
        return False
    return _weighs(context, (Condition(code, holds=True, at=code),)) or _weighs(context, _asked_at(context, code))


def _asked_at(context: Context, node: ir.Node) -> tuple[Condition, ...]:
    return nearest(decided(conditions_of(context).at(node)), node)


def _weighs(context: Context, reasons: tuple[Condition, ...]) -> bool:
    """Whether some condition compares something, itself or by what it keeps or asks: not whether a file is the one that
    was started. A helper has to compare what it is given.
    """
    conditions, program = conditions_of(context), context.program
    for reason in reasons:
        at = program.scope_of(reason.at)
        for expr in asked_by(conditions, reason.expr):
            scope, parts = program.scope_of(expr), tuple(ir.walk(expr))
            given = {param.name for param in scope.params} if isinstance(scope, ir.Function) else set[str]()
            is_told = scope is at or any(isinstance(part, ir.Name) and part.id in given for part in parts)
            if is_told and any(map(compares, parts)) and not asks_if_main(expr):
                return True
    return False


def _codes_given(node: ir.Node) -> Iterator[ir.Expr]:
    """The exit code that a node gives: `sys.exit(1)`, `raise SystemExit(code)`, `process.exitCode = 1`."""
    match node:
        case ir.Assign(target=target, value=value) if value is not None and dotted(target) == EXIT_CODE:
            yield value
        case ir.Call(callee=callee, args=(first, *_)) if ends_program(node) or callee_name(callee) in EXITING:
            yield first.value
        case _:
            raised = error_of(node)
            if isinstance(raised, ir.Call):
                yield from _codes_given(raised)


def _is_failing(node: ir.Node) -> bool:
    return isinstance(node, ir.Call) and dotted(node.callee) == FAILING


def _chosen(program: Program, code: ir.Expr, far: int) -> Iterator[ir.Expr]:
    """What an exit code may be: the sides of conditional expressions, what functions of the project answer."""
    match code:
        case ir.Conditional(then=then, otherwise=otherwise):
            yield from _chosen(program, then, far)
            yield from _chosen(program, otherwise, far)
        case ir.Await(value=inner):
            yield from _chosen(program, inner, far)
        case ir.Name() if far and (bound := [b.value for b in visible_bindings(program, code) if b.value is not None]):
            for value in bound:
                yield from _chosen(program, value, far - 1)
        case ir.Call() if far and (functions := program.callees(code)):
            for answer in (answer for function in functions for answer in answers(own_nodes(function))):
                yield from _chosen(program, answer, far - 1)
        case ir.Call(args=args) if far and callee_name(code.callee) in HANDING:
            for argument in args:
                yield from _chosen(program, argument.value, far - 1)
        case _:
            yield code
