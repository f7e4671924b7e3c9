"""Conversations in tables of databases: a table with a column for who spoke, whose rows a model is asked with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.memory import Holding, Memory
from agent_architecture.model.settings import default
from agent_architecture.names import members
from agent_architecture.names.program import callee_name
from agent_architecture.semantics.memories.by_hand import ByHand
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.context import Context
    from agent_architecture.semantics.memories.recalled import Recalled

SPEAKERS: Final = frozenset({"role", "sender", "speaker", "author"})
"""Columns that say who spoke."""
SAID: Final = frozenset({"content", "message", "text", "body", "feed", "parts", "contents"})
"""Columns that say what was said."""
TABLE: Final = "__tablename__"
COLUMNS: Final = frozenset({"Column", "mapped_column", "relationship"})
TABLES: Final = frozenset({"pgTable", "mysqlTable", "sqliteTable"})
"""Calls that declare a table."""


def conversations(context: Context, read: Recalled) -> Iterator[ByHand]:
    """The tables, by what declares them."""
    durable = default(True, "a database")
    for cls, reading in read.classes.items():
        if _is_table(context.program, cls) and _speaks(_columns(context.program, cls)):
            memory = Memory(cls.name_span, cls.name, "", Holding.CONVERSATION, durable=durable)
            made = (site.call for site in context.program.calls(cls.name) if site.call.args)
            yield ByHand(memory, tuple(made), (reading,))
    for call in read.made:
        if callee_name(call.callee) in TABLES and _speaks(_keys(call)):
            yield ByHand(Memory(call.span, context.symbol(call), "", Holding.CONVERSATION, durable=durable))


def _speaks(columns: frozenset[str]) -> bool:
    return bool(columns & SPEAKERS) and bool(columns & SAID)


def _columns(program: Program, cls: ir.Class) -> frozenset[str]:
    return frozenset(name for each in members.lineage(program, cls) for name in program.attributes(each))


def _is_table(program: Program, cls: ir.Class) -> bool:
    own = program.attributes(cls)
    is_model = any(keyword.keyword == "table" for keyword in cls.parts.keywords)  # class Turn(SQLModel, table=True)
    return TABLE in own or is_model or any(_is_column(b.value) for group in own.values() for b in group)


def _is_column(value: ir.Expr | None) -> bool:
    return isinstance(value, ir.Call) and callee_name(value.callee) in COLUMNS


def _keys(call: ir.Call) -> frozenset[str]:
    maps = (argument.value for argument in call.args if isinstance(argument.value, ir.Map))
    return frozenset(str(e.key.value) for m in maps for e in m.entries if isinstance(e.key, ir.Literal))
