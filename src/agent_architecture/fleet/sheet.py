"""Rows as CSV for spreadsheets, which take a cell that begins like a formula for one: such text begins with `'`."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Final

from agent_architecture.fleet.overview import Repository

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")
"""What makes a cell a formula, or a command to another program, in one spreadsheet or the other."""


def repositories_csv(repositories: Iterable[Repository]) -> str:
    """One line a repository, with a head."""
    return csv_text(Repository._fields, repositories)


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Any rows, with a head; lines end as RFC 4180 has it."""
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\r\n")
    writer.writerow(map(cell, columns))
    writer.writerows([cell(value) for value in row] for row in rows)
    return made.getvalue()


def cell(value: object) -> str:
    """A value as the text of a cell."""
    text = words(value)
    return f"'{text}" if text.startswith(FORMULA) and not isinstance(value, int | float) else text


def words(value: object) -> str:
    """A value as text, as it stands."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(words, value)) if isinstance(value, list | tuple) else str(value)
