"""What is asked of a file's bytes, and a file that remembers the answers.

Many files are never parsed: what a scan takes of them are the answers to a few questions (which words it has, what it
imports). Where another text gives the same answers, it makes no difference to the scan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from agent_architecture.sources.source import SourceFile

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


def told(file: SourceFile, find: Callable[[bytes], T]) -> T:
    """What `find` says of a file's bytes: always the same of the same bytes. It is told apart from other questions by
    being equal to none of them, so it must be a function or method that outlasts the scan.
    """
    return file.told(find) if isinstance(file, Remembering) else find(file.data)


class Remembering(SourceFile):
    """A file that knows what it was asked, and whether somebody took its bytes."""

    was_read: bool = False

    def __init__(self, *_: object) -> None:
        self._told: dict[Callable[[bytes], Any], Any] = {}

    @property
    def data(self) -> bytes:
        """The bytes: whoever takes them may have asked anything."""
        self.was_read = True
        return self[3]

    def told(self, find: Callable[[bytes], T]) -> T:
        """What `find` says of the bytes, asked once."""
        if find not in self._told:
            self._told[find] = find(self[3])
        return self._told[find]  # type: ignore[no-any-return]

    def stands_for(self, other: Remembering) -> bool:
        """Whether a scan that has read the other file says the same of this one; then it knows what that was asked."""
        if self is other or self == other:
            self.was_read = self.was_read or other.was_read
        elif other.was_read or self[:3] != other[:3]:
            return False
        return all(self.told(find) == answer for find, answer in other._told.items())

    def __hash__(self) -> int:
        """By identity, as that of any file."""
        return object.__hash__(self)
