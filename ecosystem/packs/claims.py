"""What the rows of one pack claim of its libraries: paths that exist, and defaults with their sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from agent_architecture.model.settings import Scalar
from agent_architecture.semantics.packs.addresses import Address
from agent_architecture.semantics.packs.packs import Packs
from agent_architecture.semantics.packs.rows import (
    EffectRow,
    FlowRow,
    PackRows,
    SettingRow,
    ThroughRow,
    VersionedDefault,
    Where,
)


class Row(NamedTuple):
    """A row of a pack, as it is named in messages."""

    pack: str
    kind: str
    number: int

    def __str__(self) -> str:
        return f"{self.pack}: {self.kind} {self.number}"


class PathClaim(NamedTuple):
    """A canonical API path that a row names."""

    row: Row
    path: str


class DefaultClaim(NamedTuple):
    """A default of a row. It holds from `since` (None: from the beginning) to below `before` (None: to the newest).

    `names` are the last steps of the addresses where the property is written: parameters of the call. `paths` are those
    of the row, `package` is the (ecosystem, package) whose versions count. `words` translates what is written.
    """

    row: Row
    name: str
    names: tuple[str, ...]
    paths: tuple[str, ...]
    package: tuple[str, str] | None
    since: str | None
    before: str | None
    value: Scalar
    like: str | None
    source: str
    words: Mapping[str, Scalar]


class Claims(NamedTuple):
    """Everything that one pack claims, each path once."""

    paths: tuple[PathClaim, ...]
    defaults: tuple[DefaultClaim, ...]


def claims_of(rows: PackRows, packs: Packs) -> Claims:
    """The claims of one pack, in the order of its rows."""
    seen: dict[str, PathClaim] = {}
    for alias in rows.aliases:
        for name in alias.names:
            seen.setdefault(name, PathClaim(_row(alias.where), name))
    for where, path in _paths(rows):
        seen.setdefault(path, PathClaim(_row(where), path))
    return Claims(tuple(seen.values()), tuple(_defaults(rows, packs)))


def _row(where: Where) -> Row:
    return Row(where.pack, where.kind, where.number)


def _paths(rows: PackRows) -> Iterator[tuple[Where, str]]:
    for alias in rows.aliases:
        yield alias.where, alias.of
    for entity in rows.entities:
        yield from ((entity.where, path) for path in (*entity.call, *entity.decorator, *entity.subclass, *entity.typed))
        likes = (default.like for entries in entity.defaults.values() for default in entries)
        yield from ((entity.where, like) for like in likes if like is not None)
    for mark in rows.marks:
        yield from ((mark.where, path) for path in (*mark.call, *mark.decorator, *mark.subclass, *mark.attribute))
    called: list[SettingRow | ThroughRow | EffectRow | FlowRow] = [*rows.settings, *rows.through]
    for row in (*called, *rows.effects, *rows.flows):
        yield from ((row.where, path) for path in row.call)


def _defaults(rows: PackRows, packs: Packs) -> Iterator[DefaultClaim]:
    for entity in rows.entities:
        paths = (*entity.call, *entity.decorator, *entity.subclass, *entity.typed)
        for name, entries in entity.defaults.items():
            read = _last_steps(entity.properties.get(name))
            for since, default in _intervals(entries):
                package = _package(default, paths, rows, packs)
                yield DefaultClaim(
                    _row(entity.where), name, read, paths, package, since, default.before, default.value, default.like,
                    default.source, entity.values.get(name, {}),
                )  # fmt: skip
    for document in rows.documents:
        for name, entries in document.defaults.items():
            for since, default in _intervals(entries):
                yield DefaultClaim(
                    _row(document.where), name, (), (), _package(default, (), rows, packs), since, default.before,
                    default.value, default.like, default.source, document.values.get(name, {}),
                )  # fmt: skip


def _intervals(entries: Iterable[VersionedDefault]) -> Iterator[tuple[str | None, VersionedDefault]]:
    """Each entry with the version from which it holds."""
    since: str | None = None
    for entry in entries:
        yield since, entry
        since = entry.before


def _package(default: VersionedDefault, paths: Iterable[str], rows: PackRows, packs: Packs) -> tuple[str, str] | None:
    """The package whose versions a default speaks of: its own word, else that of the row's canonical path."""
    if default.package is not None:
        return default.package
    for path in paths:
        found = packs.package_of(packs.canonical(path)) or packs.package_of(path)
        if found is not None:
            return found
    first = rows.pack.packages[0]
    return first.ecosystem, first.name


def _last_steps(address: Address | None) -> tuple[str, ...]:
    """The names of the parameters (or keys) at which a property is written."""
    found: dict[str, None] = {}
    for steps in address.alternatives if address else ():
        for step in reversed(steps):
            if isinstance(step, str) and step[:1].isalpha() and step != "self":
                found[step] = None
                break
    return tuple(found)
