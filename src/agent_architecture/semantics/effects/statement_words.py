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
    r"\s*(?:create\s+(?:\w+\s+)?(?:table|index|view|extension|schema|database|collection|(?:index|constraint)(?:\s+\w+)?)"
    r"|alter\s+table\s+\S+\s+add\s+column)"
    r"\s+if\s+not\s+exists\b[^;]*;?\s*$",
    re.IGNORECASE,
)
"""A statement that changes nothing that is there: what code says first so that there is something to ask."""

CHANGING: Final = (
    "insert", "update", "delete", "merge", "replace", "upsert", "truncate", "create", "alter", "drop", "grant",
    "revoke", "call", "copy", "release",
)  # fmt: skip
"""First words of the others, as far as they tell a statement from another text."""

GRAPH: Final = r"(?:optional\s++)?match\s*+(?:\(|\w++\s*+=)|unwind\s++(?:[$\w.\[\],]++\s++)+?as\s|return\s++\d"
"""How statements of Cypher begin that first look for something: what they do with it is said behind that."""
OF_GRAPH: Final = regex(rf"\s*(?:{GRAPH})", re.IGNORECASE)
CHANGING_GRAPH: Final = regex(r"\b(?:create|merge|set|delete|remove|foreach|drop)\b(?!\s*:)", re.IGNORECASE)
TEXTS: Final = regex(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`|//[^\n]*")
"""Texts, quoted names and comments of Cypher, whose words do nothing."""

STATEMENT: Final = regex(
    rf"\s*(?:(?:{'|'.join(word.strip() for word in (*READING, *CHANGING))})\b|{GRAPH})", re.IGNORECASE
)
"""How the text of a database statement begins."""


def by_first_word(statement: str) -> str:
    """What a statement of a database does, by its first word."""
    if OF_GRAPH.match(statement):
        return "database_write" if CHANGING_GRAPH.search(TEXTS.sub("", statement)) else "database_read"
    asks = statement.lstrip().lower().startswith(READING) or SETTING_UP.match(statement) is not None
    return "database_read" if asks else "database_write"
