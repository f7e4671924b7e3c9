"""What readers of the libraries found out and no checker can: names of older versions, and what cannot be read.

`known.toml` holds it. An entry that nothing uses any more is a mistake, too.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from agent_architecture.model.settings import Scalar
from agent_architecture.semantics.packs.api_paths import canonical, expand

FILE: Final = Path(__file__).resolve().with_name("known.toml")


class Older(NamedTuple):
    """Names and sources of defaults that are gone from the verified version of a package, and stand in `version`."""

    package: tuple[str, str]
    version: str
    patterns: tuple[str, ...]
    sources: tuple[str, ...]
    why: str

    def __str__(self) -> str:
        return f"{self.package[1]} {self.version} ({self.why})"


class Unread(NamedTuple):
    """Paths, or sources of defaults, that cannot be checked by reading packages."""

    patterns: tuple[str, ...]
    reason: str


class Converted(NamedTuple):
    """A default that the library writes in another unit than the pack: 3 tries are 2 retries."""

    source: str
    written: Scalar
    means: Scalar
    reason: str


class Known(NamedTuple):
    """The data file."""

    older: tuple[Older, ...]
    paths: tuple[Unread, ...]
    defaults: tuple[Unread, ...]
    converted: tuple[Converted, ...]

    def older_of(self, path: str) -> tuple[Older, ...]:
        """Where a path was once."""
        return tuple(entry for entry in self.older if _fits(path, entry.patterns))

    def older_source(self, source: str) -> tuple[Older, ...]:
        """Where the source of a default was once."""
        return tuple(entry for entry in self.older if _fits(source, entry.sources))

    def unread(self, path: str) -> str:
        """Why a path cannot be read; "" when nobody says so."""
        return next((entry.reason for entry in self.paths if _fits(path, entry.patterns)), "")

    def meaning(self, source: str, written: Scalar) -> Scalar:
        """What the value at a source means in a pack's unit."""
        fitting = (entry.means for entry in self.converted if (entry.source, entry.written) == (source, written))
        return next(fitting, written)

    def unread_default(self, source: str) -> str:
        """Why the default of a source cannot be read; "" when nobody says so."""
        return next((entry.reason for entry in self.defaults if _fits(source, entry.patterns)), "")


def read_known(file: Path = FILE) -> Known:
    """The data file. Raises `ValueError` when it is malformed."""
    table = tomllib.loads(file.read_text("utf-8"))
    unknown = table.keys() - {"older", "unreadable", "unreadable_default", "converted"}
    if unknown:
        raise ValueError(f"{file.name}: nobody reads {', '.join(sorted(unknown))}")
    return Known(
        tuple(_older(entry) for entry in table.get("older", ())),
        tuple(Unread(_paths(entry["paths"]), str(entry["reason"])) for entry in table.get("unreadable", ())),
        tuple(
            Unread(tuple(map(str, entry["sources"])), str(entry["reason"]))
            for entry in table.get("unreadable_default", ())
        ),
        tuple(
            Converted(str(entry["source"]), entry["written"], entry["means"], str(entry["reason"]))
            for entry in table.get("converted", ())
        ),
    )


def _older(entry: dict[str, object]) -> Older:
    ecosystem, _, name = str(entry["package"]).partition(":")
    paths, sources = entry.get("paths", []), entry.get("sources", [])
    if not isinstance(paths, list) or not isinstance(sources, list):
        raise TypeError("'paths' and 'sources' are lists")
    read = tuple(text for spelling in sources for text in expand(str(spelling)))
    return Older((ecosystem, name), str(entry["version"]), _paths(paths), read, str(entry["why"]))


def _paths(spellings: Iterable[object]) -> tuple[str, ...]:
    """Patterns in the canonical spelling; `**` at the end stands for anything."""
    paths = [path for spelling in spellings for path in expand(str(spelling))]
    return tuple(_prefix(path) if path.endswith("**") else canonical(path) for path in paths)


def _prefix(pattern: str) -> str:
    ecosystem, _, rest = pattern.partition(":")
    return pattern if ecosystem == "npm" else f"{ecosystem}:{rest.replace(':', '.', 1)}"


def _fits(text: str, patterns: Iterable[str]) -> bool:
    return any(text.startswith(one[:-2]) if one.endswith("**") else text == one for one in patterns)
