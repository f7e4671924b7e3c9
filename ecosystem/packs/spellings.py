"""The other spellings of a path: rows use one name of a thing, which the library may offer under others alone."""

from __future__ import annotations

from typing import Final

from agent_architecture.semantics.packs.api_paths import boundaries
from agent_architecture.semantics.packs.packs import Packs

_MOST: Final = 800
_ROUNDS: Final = 2


class Spellings:
    """The aliases of all packs, backwards."""

    def __init__(self, packs: Packs) -> None:
        self._names: dict[str, list[str]] = {}
        for source in packs.sources:
            for alias in source.aliases:
                for name in alias.names:
                    if not name.endswith("*"):
                        self._names.setdefault(alias.of, []).append(name)

    def of(self, path: str) -> tuple[str, ...]:
        """What else leads to a path, itself not among them."""
        found: dict[str, None] = {}
        current = [path]
        for _ in range(_ROUNDS):
            current = [other for one in current for other in self._once(one) if other not in found and other != path]
            found.update(dict.fromkeys(current[:_MOST]))
        return tuple(found)[:_MOST]

    def _once(self, path: str) -> list[str]:
        return [name + _rest(name, path[end:]) for end in boundaries(path) for name in self._names.get(path[:end], ())]


def _rest(name: str, rest: str) -> str:
    """What follows a prefix, joined as the name asks for it."""
    if not rest or rest[0] in ".([":
        return rest[1:] if rest[:1] == "." and name.endswith(":") else rest
    return rest if name.endswith(":") else f".{rest}"
