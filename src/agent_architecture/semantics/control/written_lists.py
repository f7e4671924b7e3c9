"""Lists that the code writes out, and conditions that hold something to be one of theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.lookup import only_value
from agent_architecture.semantics.control.argument_tests import CONTAINING
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.control.condition import Condition


def is_written_list(program: Program, listed: ir.Expr, *, tables: bool = True) -> bool:
    """Whether a list or a set, or with `tables` the keys of a table, are constants that the code writes out."""
    made = only_value(program, listed) if isinstance(listed, ir.Name) else listed
    if isinstance(made, ir.Call) and len(made.args) == 1:  # `new Set([…])`, `frozenset({…})`
        made = made.args[0].value
    items = made.items if isinstance(made, ir.List) else ()
    keys = [entry.key for entry in made.entries] if tables and isinstance(made, ir.Map) else []
    return bool(items or keys) and all(isinstance(item, ir.Literal) for item in (*items, *keys))


def sought_in_written(program: Program, asked: ir.Expr, *, tables: bool = True) -> ir.Expr | None:
    """What a test looks for in a written list: `x` of `x in {"a", "b"}` and `LISTED.has(x)`; None for another test. A
    table that is asked for its key is looked up in: that says what there is, not what may be.
    """
    match asked:
        case ir.Operator(op=ir.Op.IN, operands=(sought, listed)) if is_written_list(program, listed, tables=tables):
            return sought
        case ir.Call(callee=ir.Member(target=listed, name=name), args=(first, *_)) if name in CONTAINING:
            return first.value if is_written_list(program, listed, tables=tables) else None
        case _:
            return None


def one_of_few(program: Program, condition: Condition) -> ir.Expr | None:
    """What a condition holds to be one of a few words, or to be one word; None where it says nothing of the kind."""
    if not condition.holds:
        return None
    match condition.expr:
        case ir.Operator(op=ir.Op.EQ | ir.Op.IS, operands=(asked, ir.Literal())):
            return asked
        case _:
            return sought_in_written(program, condition.expr)
