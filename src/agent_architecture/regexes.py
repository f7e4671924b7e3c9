"""Regular expressions that are compiled when they are first used.

This program has five hundred of them, and a run needs few: to compile them all takes longer than to judge six files.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, AnyStr, Final

METHODS: Final = ("findall", "finditer", "fullmatch", "groupindex", "match", "search", "split", "sub", "subn")


class _Later:
    """An expression that nobody has asked anything yet; from then on it has the methods of the compiled one."""

    def __init__(self, pattern: str | bytes, flags: int = 0) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        """Only what is not there yet is asked for here: compile, and have it there the next time."""
        made = re.compile(self.pattern, self._flags)
        self.__dict__ |= {method: getattr(made, method) for method in METHODS}
        return getattr(made, name)


if TYPE_CHECKING:

    def regex(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
        """What `re.compile` gives, compiled when it is first asked something."""

else:
    regex = _Later


class Sought:
    """An expression, and words of which one stands in whatever it finds: they are sought first, for that is fast."""

    __slots__ = ("pattern", "words")

    def __init__(self, pattern: re.Pattern[bytes], words: tuple[bytes, ...]) -> None:
        self.pattern = pattern
        self.words = words

    def may_be_in(self, data: bytes) -> bool:
        """Whether one of the words stands in it."""
        return any(word in data for word in self.words)

    def is_in(self, data: bytes) -> bool:
        """Whether the expression finds something in it."""
        return self.may_be_in(data) and self.pattern.search(data) is not None
