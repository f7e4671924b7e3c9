"""Typed reading of TOML values: a failure is a `PackError` sentence that says what was expected, with the nearest name.

Knows nothing of packs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TypeAlias

from agent_architecture.errors import PackError
from agent_architecture.model.settings import Scalar

Table: TypeAlias = Mapping[str, object]


def members(table: Table, key: str, allowed: Collection[str], kind: str) -> Iterator[tuple[str, object]]:
    """The entries of the table at `key`; each name must be allowed for `kind`."""
    for name, value in mapping(table, key).items():
        if name not in allowed:
            raise PackError(f"{key}.{name}: {kind!r} has no {name!r}{nearest(name, allowed)}")
        yield name, value


def mapping(table: Table, key: str) -> Table:
    """The table at `key`; empty when it is not there."""
    return as_table(table.get(key, {}), key)


def as_table(value: object, key: str) -> Table:
    """`value` as a table; `key` is its name in the message."""
    if not isinstance(value, dict):
        raise PackError(f"{key!r} is a table")
    return value


def text(table: Table, key: str) -> str:
    """The text at `key`."""
    value = table.get(key)
    if not isinstance(value, str) or not value.strip():
        raise PackError(f"{key!r} is a text" if key in table else f"{key!r} is missing")
    return value


def texts(table: Table, key: str) -> tuple[str, ...]:
    """The texts at `key`: one, several or none."""
    value = table.get(key, ())
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise PackError(f"{key!r} is a text or a list of texts")
    return tuple(value)


def scalar(value: object, key: str) -> Scalar:
    """`value` as a scalar; `key` is its name in the message."""
    if isinstance(value, (str, int, float, bool)):
        return value
    raise PackError(f"{key!r} is a text, a number, true or false")


def one_of(table: Table, key: str, allowed: Collection[str]) -> str:
    """The text at `key`, which is one of `allowed`."""
    value = text(table, key)
    if value not in allowed:
        raise PackError(f"{key} = {value!r} is unknown{nearest(value, allowed)}")
    return value


def known_keys(table: Table, allowed: Collection[str], prefix: str = "") -> None:
    """Refuse a key that is not allowed; `prefix` starts the message."""
    for key in table:
        if key not in allowed:
            raise PackError(f"{prefix}unknown key {key!r}{nearest(key, allowed)}")


def nearest(name: str, allowed: Collection[str]) -> str:
    """The end of a sentence about an unknown name: the nearest known one, or all of them."""
    import difflib

    found = difflib.get_close_matches(name, sorted(allowed), n=1, cutoff=0.5)
    return f"; did you mean {found[0]!r}?" if found else f"; known are {', '.join(sorted(allowed))}"
