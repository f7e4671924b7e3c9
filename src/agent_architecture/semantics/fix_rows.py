"""The rows of packs that close gaps, from TOML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.errors import PackError
from agent_architecture.semantics.pack_header import ECOSYSTEMS
from agent_architecture.semantics.rows import FixRow
from agent_architecture.semantics.toml_values import known_keys, one_of, text, texts

if TYPE_CHECKING:
    from agent_architecture.semantics.rows import Where
    from agent_architecture.semantics.toml_values import Table


def fix_row(where: Where, table: Table) -> FixRow:
    """One row `[[fix]]`. Raises `PackError`."""
    known_keys(table, ("detector", "ecosystem", "text", "parts", "since", "before"))
    line, ecosystem = text(table, "text").strip(), one_of(table, "ecosystem", ECOSYSTEMS[:2])
    if "\n" in line:
        raise PackError("a fix is one line")
    since, before = (text(table, name) if name in table else "" for name in ("since", "before"))
    return FixRow(where, text(table, "detector"), ecosystem, line, texts(table, "parts"), since, before)
