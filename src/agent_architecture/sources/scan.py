"""Which of many words occur in some bytes: one pass over the data for all of them.

It knows words and bytes. What a word stands for is its caller's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

# The data is searched in pieces, so that a file made of nothing but hits cannot fill the memory with matches.
_PIECE: Final = 1 << 16


@lru_cache(maxsize=8)
def scanner(words: tuple[bytes, ...]) -> Scanner:
    """The scanner for these words, the same one again."""
    return Scanner(words)


class Scanner:
    """Finds which words of a fixed set occur in data. Made once, used for every file; safe to share."""

    __slots__ = ("_automaton", "_overlap", "words")

    def __init__(self, words: Sequence[bytes]) -> None:
        """Build the automaton.

        Args:
            words: the words to look for, in any order; exact bytes, case-sensitive.

        Raises:
            ValueError: a word is empty.
        """
        from ahocorasick_rs import BytesAhoCorasick

        self.words: Final = tuple(sorted(set(words)))
        if b"" in self.words:
            raise ValueError("an empty word occurs everywhere")
        self._automaton = BytesAhoCorasick(list(self.words)) if self.words else None
        self._overlap = max((len(word) for word in self.words), default=1) - 1

    def finds(self, data: bytes) -> bool:
        """Whether any of the words occurs in `data`."""
        return bool(self.hits(data))

    def hits(self, data: bytes) -> frozenset[bytes]:
        """The words that occur in `data`, also inside and across each other."""
        if self._automaton is None:
            return frozenset()
        seen: set[int] = set()
        view = memoryview(data)
        for start in range(0, len(data), _PIECE):
            piece = view[start : start + _PIECE + self._overlap]
            seen.update(match[0] for match in self._automaton.find_matches_as_indexes(piece, overlapping=True))
            if len(seen) == len(self.words):
                break
        return frozenset(self.words[index] for index in seen)
