"""The `exports` and `imports` maps of a package.json: subpath patterns and nested conditions.

Rules: https://nodejs.org/api/packages.html.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_DEPTH: Final = 8
"""Conditions nest this deep at most; real packages nest three."""


def matches(table: Mapping[str, object], wanted: str, rank: Callable[[str], int]) -> Iterator[str]:
    """The paths under the key that fits: the exact one, else the pattern with the longest text before its `*`.

    Conditions are followed in the order of their `rank`, equal ones as they are written.
    """
    if wanted in table:
        yield from conditions(table[wanted], rank)
        return
    for pattern in sorted((key for key in table if "*" in key), key=lambda key: (-key.index("*"), key)):
        star = star_of(pattern, wanted)
        if star is not None:
            yield from (path.replace("*", star) for path in conditions(table[pattern], rank))
            return


def star_of(pattern: str, text: str) -> str | None:
    """What the single `*` of a pattern stands for in a text; None if they do not fit."""
    before, star, after = pattern.partition("*")
    if not star:
        return "" if pattern == text else None
    if len(text) < len(before) + len(after) or not text.startswith(before) or not text.endswith(after):
        return None
    return text[len(before) : len(text) - len(after)]


def conditions(value: object, rank: Callable[[str], int], depth: int = 0) -> Iterator[str]:
    """Every path under a conditional entry, by the `rank` of its conditions."""
    if isinstance(value, str):
        yield value
    elif depth < _DEPTH and isinstance(value, list):
        for item in value:
            yield from conditions(item, rank, depth + 1)
    elif depth < _DEPTH and isinstance(value, dict):
        for key in sorted(value, key=rank):
            yield from conditions(value[key], rank, depth + 1)
