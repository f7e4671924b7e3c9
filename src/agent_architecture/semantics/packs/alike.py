"""Effects of methods that no row names, by those of the same client that are called alike.

Some clients have a method for each of thousands of operations, named by what they do (`describe_instances`,
`create_budget`): a row says with which words they begin, and for which object. Others have the same few for each of
their things (`pages.retrieve`, `databases.retrieve`): what one of them does, its namesake does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.semantics.packs.api_paths import root_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agent_architecture.semantics.packs.rows import EffectRow

    _Rows = tuple[EffectRow, ...]


class Alike:
    """The rows by the object whose methods they are about, and which names programs were seen to call. `named` are the
    rows about methods that each of them names.
    """

    __slots__ = ("_met", "_namesakes", "_rows")
    __hash__ = None  # type: ignore[assignment]  # what was met changes

    def __init__(self, rows: Mapping[str, _Rows], named: Mapping[str, _Rows]) -> None:
        self._rows = rows
        self._namesakes = _namesakes(named)
        self._met: dict[str, set[str]] = {}

    def __eq__(self, other: object) -> bool:
        """Whether the same rows are here."""
        return isinstance(other, Alike) and (self._rows, self._namesakes) == (other._rows, other._namesakes)

    def of(self, path: str) -> tuple[EffectRow, ...]:
        """What a call of `path` does, by what its name begins with, or by its namesakes."""
        owner, _, name = path.rpartition(".")
        begun = tuple(row for row in self._rows.get(owner, ()) if row.speaks_of(name))
        return begun or self._namesakes.get(_method_of_a_thing(path), ())

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


def _namesakes(rows: Mapping[str, _Rows]) -> dict[tuple[str, str], _Rows]:
    """The rows about methods of a service's things, by the client and the method's name; none where two of one name
    differ in what they do.
    """
    found: dict[tuple[str, str], list[_Rows]] = {}
    for path, about in rows.items():
        client, name = _method_of_a_thing(path)
        if client and all(row.service for row in about):
            found.setdefault((client, name), []).append(about)
    alike = {key: each for key, each in found.items() if len({tuple(r.effect for r in rows) for rows in each}) == 1}
    return {key: each[0] for key, each in alike.items()}


def _method_of_a_thing(path: str) -> tuple[str, str]:
    """The client and the name of a method of what the client holds: `("Client()", "retrieve")` of
    `Client().pages.retrieve`; nothing for a method of the client itself.
    """
    client, _, rest = path.rpartition("().")
    thing, _, name = rest.rpartition(".")
    return (f"{client}()", name) if client and thing else ("", "")
