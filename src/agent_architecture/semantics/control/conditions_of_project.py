"""The conditions of a whole project, with what its packs know of calls that come back only for some values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.program import callee_name
from agent_architecture.semantics.control.conditions import Conditions
from agent_architecture.semantics.control.conditions_between import Ways
from agent_architecture.semantics.control.confining_calls import CONFINING, RAISING
from agent_architecture.semantics.control.constant_tests import may_raise
from agent_architecture.semantics.matching.matches import resolved

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.packs.packs import Packs
    from agent_architecture.syntax import ir


def conditions_of(context: Context) -> Conditions:
    """The conditions of a project, made once."""
    return conditions_in(context.program, context.packs)


def conditions_in(program: Program, packs: Packs) -> Conditions:
    """The same, for a question that outlasts the context."""
    return program.once(_conditions, packs)


def ways_through(context: Context, statements: tuple[ir.Node, ...], function: ir.Function) -> Ways:
    """The ways through a body of code of a function."""
    return Ways(context.program, conditions_of(context), statements, function)


def marks_of(context: Context, call: ir.Call) -> frozenset[str]:
    """The marks that packs give to a call."""
    return context.program.kept(_marks, context.packs, call)


def _conditions(program: Program, packs: Packs) -> Conditions:
    return Conditions(program, (_conditions, packs), lambda call: program.once(_tells, packs, call))


def _tells(program: Program, packs: Packs, call: ir.Call) -> bool:
    functions = program.callees(call)
    if functions:
        return any(may_raise(program, function) for function in functions)
    return callee_name(call.callee) in RAISING or not CONFINING.isdisjoint(program.kept(_marks, packs, call))


def _marks(program: Program, packs: Packs, call: ir.Call) -> frozenset[str]:
    return frozenset(mark.covers for api in resolved(program, call.callee) for mark in packs.marks(api.path))
