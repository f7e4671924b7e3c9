"""Effects of methods that begin alike: of clients with a method for each of thousands of operations, named by what they
do (`describe_instances`, `create_budget`). A row says with which words, and for which object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.semantics.packs.api_paths import root_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agent_architecture.semantics.packs.rows import EffectRow


class Alike:
    """The rows by the object whose methods they are about, and which names programs were seen to call."""

    __slots__ = ("_met", "_rows")
    __hash__ = None  # type: ignore[assignment]  # what was met changes

    def __init__(self, rows: Mapping[str, tuple[EffectRow, ...]]) -> None:
        self._rows = rows
        self._met: dict[str, set[str]] = {}

    def __eq__(self, other: object) -> bool:
        """Whether the same rows are here."""
        return isinstance(other, Alike) and self._rows == other._rows

    def of(self, path: str) -> tuple[EffectRow, ...]:
        """What a call of `path` does, by what its name begins with."""
        owner, _, name = path.rpartition(".")
        return tuple(row for row in self._rows.get(owner, ()) if row.speaks_of(name))

    def meet(self, names: Iterable[str], roots: frozenset[str]) -> None:
        """Learn which names a program calls that imports from these roots."""
        rows = [row for owner, rows in self._rows.items() if root_of(owner) in roots for row in rows]
        for name in names if rows else ():
            for row in rows:
                if row.speaks_of(name):
                    self._met.setdefault(row.effect, set()).add(name)

    def names(self, effects: Iterable[str]) -> Iterator[str]:
        """The names that were met whose calls have one of these effects."""
        return (name for effect in effects for name in self._met.get(effect, ()))
