"""Which calls ask whether a table has an entry: `TABLE.get(name) is None`, `table.get(name) === undefined`,
`Object.hasOwn(TABLE, name)`. Each says the same as `name in TABLE`.

The table has to be one that the code writes out: what a cache, a client or a store answers to `get` says nothing of the
name that it was asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Entries
from agent_architecture.semantics.control.condition_parts import is_nothing
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.names.values import Value

TABLE: Final = "Map"
"""What makes a table of pairs in TypeScript."""


def entry_asked_for(program: Program, call: ir.Call) -> tuple[ir.Expr, ir.Expr] | None:
    """The key and the table, where a call answers with yes only if the table has an entry of that key."""
    if not isinstance(call.callee, ir.Member) or any(each.spread or each.keyword for each in call.args):
        return None
    given = tuple(each.value for each in call.args)
    match callee_name(call.callee), given:
        case "hasOwn", (table, key):
            return (key, table)
        case "hasOwnProperty" | "__contains__", (key,):
            return (key, call.callee.target)
        case "get", (key, *otherwise) if all(isinstance(e, ir.Literal) and is_nothing(e.value) for e in otherwise):
            return (key, call.callee.target) if _is_written_out(program, call.callee.target) else None
        case _:
            return None


def gives_something(call: ir.Call) -> bool:
    """Whether a call of `get` answers with a default where nothing is found, so that no answer is `None`."""
    if callee_name(call.callee) != "get":
        return False
    return any(isinstance(each.value, ir.Literal) and not is_nothing(each.value.value) for each in call.args[1:])


def _is_written_out(program: Program, table: ir.Expr) -> bool:
    if isinstance(table, ir.Name) and any(map(_is_taken, visible_bindings(program, table))):
        return False
    values = program.value_of(table)
    return bool(values) and all(map(_has_written_entries, values))


def _is_taken(binding: Binding) -> bool:
    """Whether a table is an entry of another one: what is written for where there is none is not all that it can be."""
    made = binding.value
    return isinstance(made, ir.Call) and callee_name(made.callee) in {"get", "pop", "setdefault"}


def _has_written_entries(value: Value) -> bool:
    if isinstance(value, Entries):
        return bool(value.entries) and value.complete
    node = getattr(value, "node", None)
    if not isinstance(node, ir.Call) or not isinstance(node.callee, ir.Name) or node.callee.id != TABLE:
        return False
    return len(node.args) == 1 and isinstance(node.args[0].value, ir.List) and bool(node.args[0].value.items)
