"""Where the lines of an answer are in a text that has been edited since: an analysis takes longer than a keystroke."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent_architecture.language_server.positions import Text


class Moved:
    """What became of lines. Numbers are the editor's, from 0."""

    __slots__ = ("_by", "_first", "_last")

    def __init__(self, before: Text, now: Text) -> None:
        """The lines of `before`, as `now` has them."""
        old, new = before.lines(), now.lines()
        self._first = _alike(old, new)
        rest = min(len(old), len(new)) - self._first
        self._last = len(old) - min(_alike(old[::-1], new[::-1]), rest)
        self._by = len(new) - len(old)

    def line(self, line: int) -> int | None:
        """The line's number now; None where what stood there was edited."""
        if line < self._first:
            return line
        return line + self._by if line >= self._last else None


def _alike(old: list[str], new: list[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
