"""What a lock file says, in the same shape for every format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from agent_architecture.records import NamedTuple


class Locked(NamedTuple):
    """The content of a lock file.

    Names are normalised. Folders are relative to the folder of the lock file, "" for that folder itself.
    """

    versions: Mapping[str, tuple[str, ...]]
    """Every version of a package that is installed somewhere in the tree."""
    pinned: Mapping[str, Mapping[str, str]] = {}
    """By folder: the version that a program there gets."""
    ranges: Mapping[tuple[str, str], str] = {}
    """By package and range, as written in a manifest: the version that the range was resolved to."""
    problems: tuple[tuple[int, str], ...] = ()
    """Lines that could not be read, and why."""


def collect(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Versions by name, from pairs of name and version; each version once, in the order of the file."""
    found: dict[str, dict[str, None]] = {}
    for name, version in pairs:
        found.setdefault(name, {})[version] = None
    return {name: tuple(versions) for name, versions in found.items()}


def conflict_markers(source: str) -> tuple[tuple[int, str], ...]:
    """The line of the first merge conflict, if any: both sides are read as they stand."""
    place = 0 if source.startswith("<<<<<<< ") else source.find("\n<<<<<<< ") + 1
    if not place and not source.startswith("<<<<<<< "):
        return ()
    return (
        (source.count("\n", 0, place) + 1, "has a merge conflict: the lines between its marks count as they stand"),
    )
