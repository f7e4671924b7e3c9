"""What a statement of a database does, by its first word."""

from __future__ import annotations

import re
from typing import Final

from agent_architecture.regexes import regex

READING: Final = (
    "select", "show", "explain", "describe", "pragma", "with", "begin", "start transaction", "commit", "rollback",
    "set ", "savepoint", "release savepoint",
)  # fmt: skip
"""First words of database statements that change nothing by themselves."""

SETTING_UP: Final = regex(
    r"\s*(?:create\s+(?:\w+\s+)?(?:table|index|view|extension|schema|database|collection)|alter\s+table\s+\S+\s+add\s+column)"
    r"\s+if\s+not\s+exists\b[^;]*;?\s*$",
    re.IGNORECASE,
)
"""A statement that changes nothing that is there: what code says first so that there is something to ask."""

CHANGING: Final = (
    "insert", "update", "delete", "merge", "replace", "upsert", "truncate", "create", "alter", "drop", "grant",
    "revoke", "call", "copy", "release",
)  # fmt: skip
"""First words of the others, as far as they tell a statement from another text."""

STATEMENT: Final = regex(rf"\s*(?:{'|'.join(word.strip() for word in (*READING, *CHANGING))})\b", re.IGNORECASE)
"""How the text of a database statement begins."""


def by_first_word(statement: str) -> str:
    """What a statement of a database does, by its first word."""
    asks = statement.lstrip().lower().startswith(READING) or SETTING_UP.match(statement) is not None
    return "database_read" if asks else "database_write"
