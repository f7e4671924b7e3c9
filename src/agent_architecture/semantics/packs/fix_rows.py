"""The rows of packs that close gaps, from TOML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.errors import PackError
from agent_architecture.model.fix_places import Way
from agent_architecture.model.vocabulary import KINDS
from agent_architecture.semantics.packs.addresses import parse_address
from agent_architecture.semantics.packs.header import ECOSYSTEMS
from agent_architecture.semantics.packs.rows import EditRow, FixRow
from agent_architecture.semantics.packs.stated_needs import NEEDS
from agent_architecture.semantics.packs.toml_values import as_table, known_keys, mapping, one_of, text, texts

if TYPE_CHECKING:
    from agent_architecture.semantics.packs.rows import Where
    from agent_architecture.semantics.packs.toml_values import Table


_EDIT_KEYS: Final = (
    "on", "called", "beside", "set", "property", "to", "keys", "fills", "renames", "makes", "imports", "safe", "parts",
    "opens",
)  # fmt: skip


def fix_row(where: Where, table: Table) -> FixRow:
    """One row `[[fix]]`. Raises `PackError`."""
    known_keys(table, ("detector", "ecosystem", "text", "parts", "since", "before", "against", "edit"))
    line, ecosystem = text(table, "text").strip(), one_of(table, "ecosystem", ECOSYSTEMS[:2])
    if "\n" in line:
        raise PackError("a fix is one line")
    since, before = (text(table, name) if name in table else "" for name in ("since", "before"))
    detector, parts = text(table, "detector"), texts(table, "parts")
    against = texts(table, "against")
    for word in against:
        if word not in NEEDS:
            raise PackError(f"against: {word!r} is no need that a project states")
    edit = _edit_row(as_table(table["edit"], "edit"), detector, parts) if "edit" in table else None
    return FixRow(where, detector, ecosystem, line, parts, since, before, against, edit)


def _edit_row(table: Table, detector: str, parts: tuple[str, ...]) -> EditRow:
    """How a program writes a fix: `{ on = "run", property = "step_limit", to = "20" }`. Raises `PackError`."""
    known_keys(table, _EDIT_KEYS, "edit: ")
    kinds, imports, safe = texts(table, "on"), texts(table, "imports"), table.get("safe", False)
    name, value = (text(table, key) if key in table else "" for key in ("property", "to"))
    keys, fills, renames = (_pairs(table, key) for key in ("keys", "fills", "renames"))
    beside = one_of(table, "beside", tuple(KINDS)) if "beside" in table else ""
    if not kinds or any(kind not in KINDS or (name and name not in KINDS[kind].properties) for kind in kinds):
        raise PackError(f"edit: 'on' names kinds of the vocabulary{f' that have {name!r}' if name else ''}")
    if not isinstance(safe, bool):
        raise PackError("edit: 'safe' is true or false")
    if any(":" not in one for one in imports):
        raise PackError("edit: a name to import is written as module:name")
    if bool(value) + bool(keys or fills) + bool(renames) != 1:
        raise PackError("edit: 'to', 'keys' and 'fills', or 'renames' say what is written")
    if safe and "opens" in table:
        raise PackError("edit: what opens another question is not safe")
    at = () if name else parse_address(text(table, "set")).alternatives
    way = Way(
        detector, at, value, texts(table, "makes"), imports, safe, texts(table, "parts") or parts, keys, fills, renames,
        texts(table, "opens"),
    )  # fmt: skip
    return EditRow(kinds, texts(table, "called"), name, beside, way)


def _pairs(table: Table, key: str) -> tuple[tuple[str, str], ...]:
    inner = mapping(table, key)
    return tuple((name, text(inner, name)) for name in inner)
