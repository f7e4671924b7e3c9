"""What stands before parallel work: a slice, a sample, a batch, a test of the size or of the number that run.

A pack row cannot say this: it is structure. States the limits; judges nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import ABSENT, Setting
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.predicates import spelled_out
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.regexes import regex
from agent_architecture.semantics.bounds.loop_bounds import limit_setting
from agent_architecture.semantics.bounds.spawns import CUTS, DEPTH, MAPS, SAME
from agent_architecture.semantics.control.condition import Condition
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.control.leaving import decided
from agent_architecture.semantics.control.presence_tests import is_missing
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

CHUNKS: Final = frozenset({"chunk", "batched", "chunked", "chunks", "batch", "splice"})
"""Calls that take a list apart into batches."""


def limit_on(context: Context, source: ir.Expr, spawn: ir.Node) -> Setting:
    """What bounds the number of elements before they are started: a slice, a sample, a test of the size."""
    program = context.program
    for expr in _trail(program, source, DEPTH):
        cut = _cut(program, expr)
        if cut is not ABSENT:
            return cut
    return _tested(context, source, spawn)


def _trail(program: Program, expr: ir.Expr, depth: int) -> Iterator[ir.Expr]:
    """An expression and what it is taken from with all of its elements."""
    if depth <= 0:
        return
    yield expr
    match expr:
        case ir.Name():
            for binding in visible_bindings(program, expr):
                if binding.kind == "assign" and binding.value is not None and not binding.steps:
                    yield from _trail(program, binding.value, depth - 1)
                elif binding.kind == "loop" and binding.value is not None:
                    yield from _chunks(binding.value)
        case ir.Await() | ir.Spread():
            yield from _trail(program, expr.value, depth - 1)
        case ir.Loop(kind="comprehension") if expr.source is not None:
            yield from _trail(program, expr.source, depth - 1)
        case ir.Call():
            name = callee_name(expr.callee)
            if isinstance(expr.callee, ir.Member) and name in SAME | MAPS | CUTS:
                yield from _trail(program, expr.callee.target, depth - 1)
            elif name in SAME | CUTS:
                for argument in expr.args[:2]:
                    yield from _trail(program, argument.value, depth - 1)
        case ir.Member():
            yield from _assigned(program, expr)
        case _:
            return


def _assigned(program: Program, member: ir.Member) -> Iterator[ir.Expr]:
    """What an attribute was set to before, in the same function: `input.queries = input.queries.slice(0, 3)`."""
    path = dotted(member)
    for node in own_nodes(program.scope_of(member)):
        if (
            isinstance(node, ir.Assign)
            and isinstance(node.target, ir.Member)
            and node.value is not None
            and node.span < member.span
            and dotted(node.target) == path
        ):
            yield node.value


def _chunks(source: ir.Expr) -> Iterator[ir.Expr]:
    """The source of a loop whose elements are batches."""
    if isinstance(source, ir.Call) and callee_name(source.callee) in CHUNKS:
        yield source


def _cut(program: Program, expr: ir.Expr) -> Setting:
    match expr:
        case ir.Index(key=ir.Slice(upper=upper, lower=lower)) if upper is not None:
            return _amount(program, upper, lower)
        case ir.Call() if callee_name(expr.callee) in CHUNKS and expr.args:
            return _amount(program, expr.args[-1].value, None)
        case ir.Call() if callee_name(expr.callee) in CUTS and len(expr.args) > (
            1 if isinstance(expr.callee, ir.Member) and callee_name(expr.callee) == "slice" else 0
        ):
            lower = expr.args[0].value if callee_name(expr.callee) == "slice" else None
            return _amount(program, expr.args[-1].value, lower)
        case _:
            return ABSENT


def _amount(program: Program, upper: ir.Expr, lower: ir.Expr | None) -> Setting:
    """How many a slice takes: `i + 8` after `i` takes 8; the size of something is no limit."""
    if isinstance(upper, ir.Operator) and upper.op == ir.Op.ADD and lower is not None:
        rest = [operand for operand in upper.operands if dotted(operand) != dotted(lower)]
        upper = rest[0] if len(rest) == 1 else upper
    if isinstance(upper, ir.Operator) and upper.op == ir.Op.NEG:
        return ABSENT
    if measures_data(upper):
        return ABSENT
    return limit_setting(program, upper)


def measures_data(expr: ir.Expr, depth: int = DEPTH) -> bool:
    """Whether a number is the size of something: `len(items)`, `items.length`, and no smaller of two."""
    if not depth or not isinstance(expr, ir.Call):
        return isinstance(expr, ir.Member) and expr.name in {"length", "size"}
    given = [measures_data(argument.value, depth - 1) for argument in expr.args]
    match callee_name(expr.callee):
        case "len":
            return True
        case "min":
            return all(given)
        case "max" | "int" | "Number":
            return any(given)
        case _:
            return False


def _tested(context: Context, source: ir.Expr, spawn: ir.Node) -> Setting:
    """What the size is held below where the work is started, or what it is cut to by a test before."""
    path, program = dotted(source), context.program
    for condition in decided(conditions_of(context).at(spawn)) if path else ():
        sides = _at_most(condition)
        if sides is not None and _size_of(sides[0]) == path and _may_limit(sides[1]):
            return limit_setting(program, sides[1])
    for node in own_nodes(program.scope_of(spawn), ir.If) if path else ():
        if node.span < spawn.span and any(dotted(one.target) == path for one in _assigned_in(node.then)):
            for part in ir.walk(spelled_out(program, node.test)):
                sides = _at_most(Condition(part, holds=False, at=node)) if isinstance(part, ir.Operator) else None
                if sides is not None and _size_of(sides[0]) == path and _may_limit(sides[1]):
                    return limit_setting(program, sides[1])
    return ABSENT


def _assigned_in(block: tuple[ir.Node, ...]) -> Iterator[ir.Assign]:
    return (node for node in ir.walk(*block) if isinstance(node, ir.Assign))


def _may_limit(limit: ir.Expr) -> bool:
    """Whether a size is compared with more than whether there is anything, or one thing."""
    return not (isinstance(limit, ir.Literal) and limit.value in {0, 1})


def _at_most(condition: Condition) -> tuple[ir.Expr, ir.Expr] | None:
    """What a condition holds to be less than something, or no more, and than what: `n > 5` where that does not hold."""
    match condition.expr:
        case ir.Operator(op=ir.Op.GT | ir.Op.GE, operands=(less, more)) if condition.holds is False:
            return less, more
        case ir.Operator(op=ir.Op.LT | ir.Op.LE, operands=(less, more)) if condition.holds:
            return less, more
        case ir.Operator(op=ir.Op.LT | ir.Op.LE, operands=(more, less)) if condition.holds is False:
            return less, more
        case ir.Operator(op=ir.Op.GT | ir.Op.GE, operands=(more, less)) if condition.holds:
            return less, more
        case _:
            return None


def _size_of(expr: ir.Expr) -> str:
    if isinstance(expr, ir.Call) and callee_name(expr.callee) == "len" and expr.args:
        return dotted(expr.args[0].value)
    if isinstance(expr, ir.Member) and expr.name in {"length", "size"}:
        return dotted(expr.target)
    return ""


_RUNNING: Final = regex(r"running|active|count|pending|inflight|in_flight|spawned", re.IGNORECASE)
"""What a number of running tasks is called."""


def tested_count(context: Context, spawn: ir.Node) -> Setting:
    """The number of running tasks at which nothing more is started: `if len(self.running) >= self.most: return`.

    Asked of the spawn, and of the calls of its function.
    """
    program = context.program
    scope = program.scope_of(spawn)
    sites = [site.call for site in program.callers(scope)] if isinstance(scope, ir.Function) else []
    for place in (spawn, *sites):
        for condition in decided(conditions_of(context).at(place)):
            sides = _at_most(condition)
            if sides is not None and (measures_data(sides[0]) or _RUNNING.search(dotted(sides[0]))):
                return limit_setting(program, sides[1])
    return ABSENT


def is_only_one(context: Context, call: ir.Call) -> bool:
    """Whether what a call starts is kept in a place that has to be empty for it: `if not task: task = start()`."""
    structure = context.program.structure(context.program.scope_of(call))
    around = structure.parent(call)
    around = structure.parent(around) if isinstance(around, ir.Await) else around
    if not isinstance(around, ir.Assign) or not (kept := dotted(around.target)):
        return False
    return any(is_missing(one, kept) for one in decided(conditions_of(context).at(call)))
