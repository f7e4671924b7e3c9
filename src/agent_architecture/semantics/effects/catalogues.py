"""Statements that ask a database for what says nothing: how it is built (the names of tables and columns, which whoever
built it wrote), or ids, codes and numbers of its rows alone.

Must not know who reads the answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.semantics.effects.statements import statements_of

if TYPE_CHECKING:
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.syntax import ir

ASKING: Final = ("database", "database_read")
ASKED: Final = regex(r"(?i)\b(?:from|join)\s+(?!lateral\b)([^\s,;()]*)")
"""The tables of a statement."""
CATALOGUE: Final = regex(
    r"(?i)^\W*(?:(?:information_schema|pg_catalog)\W*\.|sqlite_(?:master|schema)\b"
    r"|pg_(?:class|attribute|namespace|tables|indexes|type)\b)"
)
"""Tables that tell how a database is built. Those of statistics and comments tell more."""
DESCRIBES: Final = regex(
    r"(?i)^\s*(?:show\s+(?:full\s+)?(?:tables|columns|databases|schemas)"
    r"|pragma\s+(?:table_x?info|table_list|foreign_key_list|index_list))\b"
)
"""Statements that ask nothing else."""
COLUMNS: Final = regex(r"(?is)^\s*+select\s++(?:distinct\s++)?(?P<columns>[^*\s](?:[^*\s]|\s++(?!from\s))*+)\s++from\s")
"""The columns of a statement that reads; whoever asks for all of them names none."""
COUNTED: Final = regex(r"(?i)^count\s*\(.*\)(?:\s+(?:as\s+)?\w+)?$")
CLOSED: Final = regex(
    r"(?i)(?:^|[._\s\"`])(?:\w+_)?(?:u?u?id|code|count|total|status|created_at|updated_at)[\"`]?(?:::\w+)?$"
)
"""Columns that hold no words: how they are called in the end."""


def asks_ids(context: Context, call: ir.Call) -> bool:
    """Whether all that a call asks a database for are ids, codes and numbers."""
    statements = statements_of(context, call, ASKING)
    return bool(statements) and all(map(_is_of_ids, statements))


def _is_of_ids(statement: str) -> bool:
    asked = COLUMNS.match(statement)
    columns = [] if asked is None else [each.strip() for each in asked["columns"].split(",")]
    return bool(columns) and all(CLOSED.search(each) or COUNTED.match(each) for each in columns)


def asks_catalogue(context: Context, call: ir.Call) -> bool:
    """Whether all that a call asks a database for is how it is built."""
    statements = statements_of(context, call, ASKING)
    return bool(statements) and all(map(_is_of_catalogue, statements))


def _is_of_catalogue(statement: str) -> bool:
    if DESCRIBES.match(statement):
        return True
    asked = ASKED.findall(statement)
    return bool(asked) and all(map(CATALOGUE.search, asked))
