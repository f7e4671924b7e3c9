"""Files that were read before, and texts that are not saved: what a walk takes instead of reading a file again.

A file that looks as it did is not read again, and is the very same object; so is one whose bytes turn out to be the
same.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from agent_architecture.records import NamedTuple
from agent_architecture.sources.read import Content
from agent_architecture.sources.source import Notice
from agent_architecture.sources.state import State, is_old, state_of
from agent_architecture.sources.walk import read_one

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_architecture.sources.listing import Entry
    from agent_architecture.sources.source import SourceFile
    from agent_architecture.sources.walk import Wanted


class _Read(NamedTuple):
    """What came of a file; `state` is empty where the next look must read it again."""

    asked: tuple[Entry, Wanted, int]
    state: State
    text: bytes | None
    file: SourceFile | None
    notices: list[Notice]


class Reread:
    """The files of one walk after the other. `texts` are what files hold that are not saved, by absolute path."""

    def __init__(self, finish: Callable[[SourceFile], SourceFile]) -> None:
        """`finish` is done to every file that is read."""
        self._finish = finish
        self.texts: dict[str, bytes] = {}
        self._known: dict[str, _Read] = {}
        self._found: dict[str, _Read] = {}

    def __call__(self, entry: Entry, wanted: Wanted, limit: int) -> tuple[SourceFile | None, list[Notice]]:
        """As `walk.read_one` does it."""
        text = self.texts.get(entry.real)
        before = self._known.get(entry.real)
        state = state_of(entry.real)
        asked = entry, wanted, limit
        if before is None or before.asked != asked or not _is_same(before, state, text):
            before = self._read(before, asked, state, text)
        self._found[entry.real] = before
        return before.file, before.notices

    def next(self) -> None:
        """A walk has ended: forget the files that it did not meet."""
        self._known, self._found = self._found, {}

    def _read(self, before: _Read | None, asked: tuple[Entry, Wanted, int], state: State, text: bytes | None) -> _Read:
        now = time.time_ns()
        file, notices = read_one(*asked, None if text is None else _content(text, *asked))
        file = None if file is None else self._finish(file)
        if before is not None and before.file == file:
            file = before.file
        return _Read(asked, state if is_old(state, now) else (), text, file, notices)


def _is_same(before: _Read, state: State, text: bytes | None) -> bool:
    """Whether a file holds what it held: of what is not saved the text tells, else how the file looks."""
    if text is None:
        return before.text is None and bool(before.state) and before.state == state
    return before.text == text


def _content(text: bytes, entry: Entry, wanted: Wanted, limit: int) -> Content:
    """What reading a file with this text gives."""
    if wanted.language is None and not text.startswith(b"#!"):
        return Content(None)
    if len(text) > limit:
        problem = f"has {len(text)} bytes, more than the limit of {limit}: not read"
        return Content(None, Notice(entry.path, None, problem))
    return Content(text)
