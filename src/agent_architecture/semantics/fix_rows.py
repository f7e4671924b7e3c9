"""The rows of packs that close gaps, from TOML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.errors import PackError
from agent_architecture.model.mends import Way
from agent_architecture.model.vocabulary import KINDS
from agent_architecture.semantics.addresses import parse_address
from agent_architecture.semantics.pack_header import ECOSYSTEMS
from agent_architecture.semantics.rows import EditRow, FixRow
from agent_architecture.semantics.toml_values import as_table, known_keys, one_of, text, texts

if TYPE_CHECKING:
    from agent_architecture.semantics.rows import Where
    from agent_architecture.semantics.toml_values import Table


def fix_row(where: Where, table: Table) -> FixRow:
    """One row `[[fix]]`. Raises `PackError`."""
    known_keys(table, ("detector", "ecosystem", "text", "parts", "since", "before", "edit"))
    line, ecosystem = text(table, "text").strip(), one_of(table, "ecosystem", ECOSYSTEMS[:2])
    if "\n" in line:
        raise PackError("a fix is one line")
    since, before = (text(table, name) if name in table else "" for name in ("since", "before"))
    detector, parts = text(table, "detector"), texts(table, "parts")
    edit = _edit_row(as_table(table["edit"], "edit"), detector, parts) if "edit" in table else None
    return FixRow(where, detector, ecosystem, line, parts, since, before, edit)


def _edit_row(table: Table, detector: str, parts: tuple[str, ...]) -> EditRow:
    """How a program writes a fix: `{ on = "run", set = "max_turns", to = "20" }`. Raises `PackError`."""
    known_keys(table, ("on", "called", "set", "to", "makes", "imports", "safe", "parts"), "edit: ")
    makes = text(table, "makes") if "makes" in table else ""
    imports, safe = texts(table, "imports"), table.get("safe", False)
    if not isinstance(safe, bool):
        raise PackError("edit: 'safe' is true or false")
    if any(name.count(":") < 1 for name in imports):
        raise PackError("edit: a name to import is written as module:name")
    at = parse_address(text(table, "set")).alternatives
    way = Way(detector, at, text(table, "to"), makes, imports, safe, texts(table, "parts") or parts)
    return EditRow(one_of(table, "on", tuple(KINDS)), texts(table, "called"), way)
