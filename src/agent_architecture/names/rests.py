"""What answers rest on: files, and names that an index of the whole program was asked for.

Each has a bit in a number, so that what an answer rests on, through all the answers that it was made of, is one number.
Whoever answers a question notes what it reads; whoever hands out an answer that is remembered notes what that rests on.
After an edit, the answers that rest on nothing that changed hold (`outlasting`). Where nobody keeps answers from one
scan to the next, nothing has a bit.
"""

from __future__ import annotations

from typing import Final
from zlib import crc32

NAMES: Final = 4096
"""Bits for names. Where two share one, more is forgotten after an edit than need be."""

EVERYTHING: Final = 1
"""The bit of what rests on all files."""


class Rests:
    """What has been read so far by the question that is worked on."""

    __slots__ = ("_bits", "_same", "is_kept", "read")

    def __init__(self, *, is_kept: bool = False) -> None:
        self.is_kept = is_kept
        """Whether answers are kept, so that what they rest on matters."""
        self.read = 0
        self._bits: dict[str, int] = {}
        self._same: dict[int, int] = {}

    def of(self, path: str) -> int:
        """The bit of a file."""
        if not self.is_kept:
            return 0
        found = self._bits.get(path)
        if found is None:
            found = self._bits[path] = 1 << (len(self._bits) + NAMES + 1)
        return found

    def named(self, index: str, name: str) -> int:
        """The bit of what an index of the program has under a name."""
        return 2 << (crc32(f"{index} {name}".encode("utf-8", "surrogatepass")) % NAMES) if self.is_kept else 0

    @property
    def everything(self) -> int:
        """The bit of all files together."""
        return EVERYTHING if self.is_kept else 0

    def same(self, rests: int) -> int:
        """The one number that stands for what many answers rest on alike."""
        return self._same.setdefault(rests, rests) if rests else 0

    def begin(self) -> None:
        """A scan begins: nothing has been read."""
        self.read = 0
        self._same.clear()
