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
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.syntax import ir


def conditions_of(context: Context) -> Conditions:
    """The conditions of a project, made once."""
    return context.once(_made)


def ways_through(context: Context, statements: tuple[ir.Node, ...], function: ir.Function) -> Ways:
    """The ways through a body of code of a function."""
    return Ways(context.program, conditions_of(context), statements, function)


def marks_of(context: Context, call: ir.Call) -> set[str]:
    """The marks that packs give to a call."""
    return {mark.covers for api in resolved(context.program, call.callee) for mark in context.packs.marks(api.path)}


def _made(context: Context) -> Conditions:
    def tells(call: ir.Call) -> bool:
        functions = context.program.callees(call)
        if functions:
            return any(may_raise(context.program, function) for function in functions)
        return callee_name(call.callee) in RAISING or bool(marks_of(context, call) & CONFINING)

    return Conditions(context.program, tells)
