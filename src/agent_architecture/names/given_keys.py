"""Tables that a function looks up by what one call gives it: `return {"small": a, "large": b}[kind]` is `a` for
`model_for("small")`, whatever other calls ask for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import CallSite
from agent_architecture.names.values import Const, Entries, Unknown
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value, Values


def selected(program: Program, function: ir.Function, call: ir.Call) -> Values | None:
    """What a function returns to a call, where all that it returns are entries that the call names by their keys."""
    found: list[Value] = []
    for node in program.structure(function).returns:
        asked = _asked(node)
        key = None if asked is None else key_by(program, asked[1], function, call)
        entry = None if asked is None or key is None else _under(program, asked[0], key)
        if entry is None:
            return None
        found.extend(program.value_of(entry))
    return tuple(found) or None


def key_by(program: Program, key: ir.Expr, function: ir.Function, call: ir.Call) -> str | None:
    """The constant that a call of a function gives to the parameter which a key is; None for any other key."""
    bindings = visible_bindings(program, key) if isinstance(key, ir.Name) else ()
    only = bindings[0] if len(bindings) == 1 and bindings[0].kind == "parameter" and not bindings[0].steps else None
    if only is None or only.node is not function or not isinstance(only.extra, ir.Parameter) or only.extra.kind:
        return None
    given = passed_argument(CallSite(call, function), function, only.extra)
    given = only.extra.default if given is None else given
    if given is None or isinstance(given, (Unknown, ir.Slice)):
        return None
    values = program.value_of(given)
    return str(values[0].value) if len(values) == 1 and isinstance(values[0], Const) else None


def _asked(node: ir.Expr) -> tuple[ir.Expr, ir.Expr] | None:
    """The table and the key of `table[key]` and `table.get(key, …)`."""
    match node:
        case ir.Index(target=target, key=ir.Name() as key):
            return target, key
        case ir.Call(callee=ir.Member(target=target, name="get"), args=(first, *_)) if not first.spread:
            return target, first.value
        case _:
            return None


def _under(program: Program, table: ir.Expr, key: str) -> ir.Expr | None:
    """The entry of the one dictionary that a table is; None where it has none under this key for sure."""
    values = program.value_of(table)
    return dict(values[0].entries).get(key) if len(values) == 1 and isinstance(values[0], Entries) else None
