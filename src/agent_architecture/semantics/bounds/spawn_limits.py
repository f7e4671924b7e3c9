"""What stands before parallel work: a slice, a sample, a batch, a test of the size or of the number that run.

A pack row cannot say this: it is structure. States the limits; judges nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import ABSENT, Setting
from agent_architecture.names.exits import leaves, some_leave
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.test_parts import ORDERED, joined_by
from agent_architecture.regexes import regex
from agent_architecture.semantics.bounds.loop_bounds import limit_setting
from agent_architecture.semantics.bounds.optional_limits import left_out
from agent_architecture.semantics.bounds.spawns import CUTS, DEPTH, MAPS, SAME
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

CHUNKS: Final = frozenset({"chunk", "batched", "chunked", "chunks", "batch", "splice"})
"""Calls that take a list apart into batches."""


def limit_on(program: Program, source: ir.Expr, spawn: ir.Node) -> Setting:
    """What bounds the number of elements before they are started: a slice, a sample, a test of the size."""
    for expr in _trail(program, source, DEPTH):
        cut = _cut(program, expr)
        if cut is not ABSENT:
            return cut
    return _tested(program, source, spawn)


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


def _tested(program: Program, source: ir.Expr, spawn: ir.Node) -> Setting:
    """A test of the size that leaves, or cuts, before the work is started."""
    path = dotted(source)
    for node in own_nodes(program.scope_of(spawn)) if path else ():
        if not isinstance(node, ir.If) or node.span >= spawn.span:
            continue
        for part in ir.walk(node.test):
            if isinstance(part, ir.Operator) and part.op in ORDERED:
                sized = [operand for operand in part.operands if _size_of(operand) == path]
                other = [operand for operand in part.operands if operand not in sized]
                ends = some_leave(*node.then)
                cuts = any(
                    isinstance(inner, ir.Assign) and dotted(inner.target) == path for inner in ir.walk(*node.then)
                )
                positive = not (isinstance(other[0], ir.Literal) and other[0].value in {0, 1}) if other else False
                if sized and positive and part.op in {ir.Op.GT, ir.Op.GE} and (ends or cuts):
                    return limit_setting(program, other[0])
    return ABSENT


def _size_of(expr: ir.Expr) -> str:
    if isinstance(expr, ir.Call) and callee_name(expr.callee) == "len" and expr.args:
        return dotted(expr.args[0].value)
    if isinstance(expr, ir.Member) and expr.name in {"length", "size"}:
        return dotted(expr.target)
    return ""


_RUNNING: Final = regex(r"running|active|count|pending|inflight|in_flight|spawned", re.IGNORECASE)
"""What a number of running tasks is called."""


def tested_count(program: Program, spawn: ir.Node) -> Setting:
    """The number of running tasks at which nothing more is started: `if len(self.running) >= self.most: return`.

    Looked for before the spawn in its function, and in the functions that call it.
    """
    scope = program.scope_of(spawn)
    places: list[tuple[ir.Scope, ir.Node]] = [(scope, spawn)]
    if isinstance(scope, ir.Function):
        places.extend((site.scope, site.call) for site in program.callers(scope))
    for around, until in places:
        for node in own_nodes(around, ir.If):
            if node.span < until.span and any(map(leaves, node.then)):
                limit = _counting(node.test)
                if limit is not None:
                    return limit_setting(program, limit)
    return ABSENT


def _counting(test: ir.Expr) -> ir.Expr | None:
    """The limit in a test of how many run."""
    for part in ir.walk(test):
        if isinstance(part, ir.Operator) and part.op in {ir.Op.GT, ir.Op.GE}:
            counted, limit = part.operands
            if measures_data(counted) or _RUNNING.search(dotted(counted)):
                return limit
    return None


def is_only_one(program: Program, call: ir.Call) -> bool:
    """Whether what a call starts is kept in a place that has to be empty for it: `if not task: task = start()`."""
    structure = program.structure(program.scope_of(call))
    around = structure.parent(call)
    around = structure.parent(around) if isinstance(around, ir.Await) else around
    if not isinstance(around, ir.Assign) or not (kept := dotted(around.target)):
        return False
    tests = (one.test for one in structure.enclosing(call, ir.If) if any(node is call for node in ir.walk(*one.then)))
    return any(left_out(part) == kept for test in tests for part in joined_by("and", test))
