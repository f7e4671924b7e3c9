"""Families of names: `{charges,refunds}.{create,update}` stands for all pairs, of which a library may lack some.

Where one string of a pack has several braces, each of its parts has to be there once, and not every combination.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from agent_architecture.semantics.packs.api_paths import canonical, expand
from ecosystem.packs.answers import steps_of

_KEYS = ("call", "decorator", "subclass", "names")
_PAIR = 2


class Families:
    """Those of one pack's document."""

    def __init__(self, document: Mapping[str, object]) -> None:
        self._of: dict[str, list[tuple[str, ...]]] = {}
        for text in _strings(document):
            if text.count("{") >= _PAIR:
                paths = tuple(canonical(path) for path in expand(text))
                for path in paths:
                    self._of.setdefault(path, []).append(paths)

    def is_covered(self, path: str, found: set[str]) -> bool:
        """Whether every part of a path stands in another path of its family that is there."""
        steps = set(_parts(path))
        families = self._of.get(path, ())
        return any(steps <= {step for one in family if one in found for step in _parts(one)} for family in families)


def _parts(path: str) -> tuple[str, ...]:
    head, _, members = path.rpartition(":")
    return (head, *steps_of(members))


def _strings(document: Mapping[str, object]) -> Iterator[str]:
    for rows in document.values():
        for row in rows if isinstance(rows, list) else ():
            for key in _KEYS if isinstance(row, dict) else ():
                value = row.get(key)
                yield from (text for text in (value if isinstance(value, list) else [value]) if isinstance(text, str))
