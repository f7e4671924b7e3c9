"""Results whose keys the code itself writes, for each of any number of things: `[{"name": n} for n in found]`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.mutations import GROWING, changes_of_name
from agent_architecture.names.program import callee_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program

DEPTH: Final = 5
"""Names and calls through which a record is followed."""
RAW: Final = frozenset({"json", "loads", "fetchall", "fetchone", "fetchmany"})
"""Calls that give what was answered as it is, parsed."""
KEEPING: Final = frozenset({"filter", "slice", "sort", "sorted", "list", "reversed", "reverse", "tuple", "toSorted"})
"""Calls whose result has some of the elements of what they are given, or called on, as they are."""


def writes_keys(program: Program, text: ir.Expr, depth: int = DEPTH) -> bool:
    """Whether all that an expression can be are records under keys of the code's own, or lists of such records."""
    match text:
        case ir.Map(entries=entries):
            return bool(entries) and all(
                isinstance(entry.key, ir.Literal) and not holds_raw(program, entry.value) for entry in entries
            )
        case _ if not depth:
            return False
        case ir.List(items=items):
            return bool(items) and all(writes_keys(program, item, depth - 1) for item in items)
        case ir.Loop(kind="comprehension", body=(ir.Map() as each,)):
            return writes_keys(program, each, depth - 1)
        case ir.Index(target=target, key=ir.Slice()) | ir.Await(value=target):
            return writes_keys(program, target, depth - 1)
        case ir.Conditional(then=then, otherwise=otherwise):
            return all(_nothing(each) or writes_keys(program, each, depth - 1) for each in (then, otherwise))
        case ir.Call():
            return _of_call(program, text, depth)
        case ir.Name():
            return _of_name(program, text, depth)
        case _:
            return False


def holds_raw(program: Program, value: ir.Expr, depth: int = DEPTH) -> bool:
    """Whether a part of a record is one as it came in, whatever it holds: a parsed answer, the rows of a query."""
    match value:
        case ir.Await(value=inner) | ir.Index(target=inner, key=ir.Slice()):
            return holds_raw(program, inner, depth)
        case ir.Call(callee=ir.Name(id="dict"), args=(given,)):
            return not given.spread
        case ir.Call(callee=callee):
            return callee_name(callee) in RAW and isinstance(callee, ir.Member)
        case ir.Loop(kind="comprehension", body=(ir.Call() | ir.Name() as each,)):
            return holds_raw(program, each, depth - 1) if depth else False
        case ir.Name() if depth:
            bound = (b.value for b in visible_bindings(program, value) if b.kind == "assign" and not b.steps)
            return any(holds_raw(program, each, depth - 1) for each in bound if each is not None)
        case _:
            return False


def _of_call(program: Program, call: ir.Call, depth: int) -> bool:
    name = callee_name(call.callee)
    if isinstance(call.callee, ir.Member) and name == "map" and call.args:
        functions = [a.value for a in call.args[:1] if isinstance(a.value, ir.Function)]
        made = [each for function in functions for each in program.structure(function).returns]
        return bool(made) and all(writes_keys(program, each, depth - 1) for each in made)
    if name not in KEEPING:
        return False
    given = [call.callee.target] if isinstance(call.callee, ir.Member) else [a.value for a in call.args[:1]]
    return bool(given) and all(writes_keys(program, each, depth - 1) for each in given)


def _of_name(program: Program, name: ir.Name, depth: int) -> bool:
    """Whether all that a name holds is such, and all that is put into a list that it begins with."""
    bound = [b.value for b in visible_bindings(program, name) if b.kind in {"assign", "augmented"} and not b.steps]
    values = [value for value in bound if value is not None and not _nothing(value)]
    scopes = {id(s): s for s in (program.scope_of(b.node) for b in visible_bindings(program, name))}.values()
    changes = [change for scope in scopes for change in changes_of_name(program, scope, name.id)]
    grown = [c for c in changes if isinstance(c, ir.Call) and callee_name(c.callee) in GROWING]
    put = [argument.value for change in grown for argument in change.args]
    parts = (*values, *put)
    return bool(bound) and bool(parts) and all(writes_keys(program, each, depth - 1) for each in parts)


def _nothing(value: ir.Expr) -> bool:
    """Whether a value is empty: what a list or record begins as, or is where nothing was found."""
    match value:
        case ir.List(items=()) | ir.Map(entries=()):
            return True
        case ir.Literal(value=constant):
            return not constant
        case _:
            return False
