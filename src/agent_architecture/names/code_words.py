"""Where a word stands in the code of a file: neither in a comment nor in a text that only describes what is beside it.

Works on bytes, so that files which nobody parses are read, too. Short texts are code: things are looked up by them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.sources.languages import is_python

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_architecture.sources.source import SourceFile

_WORD: Final = rb"[\w$\x80-\xff]"

_PYTHON: Final = regex(
    rb"(?P<apart>#[^\n]*+|^[ \t]*+[rRuUbB]?(?:\"\"\"(?:[^\"\\]|\\.|\"(?!\"\"))*+\"\"\"|'''(?:[^'\\]|\\.|'(?!''))*+'''))"
    rb"|\"\"\"(?:[^\"\\]|\\.|\"(?!\"\"))*+\"\"\"|'''(?:[^'\\]|\\.|'(?!''))*+'''"
    rb"|\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'",
    re.MULTILINE | re.DOTALL,
)
"""What is set apart of Python: comments, and long texts that begin a line. Other texts are only stepped over."""

_SCRIPT: Final = regex(
    rb"(?P<apart>//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)"
    rb"|\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|`(?:[^`\\]|\\.)*+`",
    re.DOTALL,
)


class CodeWords:
    """Answers for the files of a program, each gone through once for what is set apart of it."""

    def __init__(self) -> None:
        self._apart: dict[str, tuple[Sequence[int], Sequence[int]]] = {}

    def places(self, file: SourceFile, word: str) -> Iterator[int]:
        """Where a word stands in the code of a file, in bytes."""
        wanted = word.encode("utf-8", "replace")
        if wanted not in file.data:
            return
        for found in _of(wanted).finditer(file.data):
            starts, ends = self._set_apart(file)
            index = bisect_right(starts, found.start()) - 1
            if index < 0 or found.start() >= ends[index]:
                yield found.start()

    def in_prose(self, file: SourceFile, place: int) -> bool:
        """Whether a place stands in a text of several words, in which no code stands: nothing is looked up by it."""
        line = file.data[file.data.rfind(b"\n", 0, place) + 1 :]
        offset = place - (len(file.data) - len(line))
        form = _PYTHON if is_python(file.path) else _SCRIPT
        text = next((f[0] for f in form.finditer(line[: line.find(b"\n") + 1 or None]) if _is_around(f, offset)), b"")
        return any(space in text for space in b" \t") and b"{" not in text

    def _set_apart(self, file: SourceFile) -> tuple[Sequence[int], Sequence[int]]:
        """Where the comments and descriptions of a file begin and end, in order."""
        known = self._apart.get(file.path)
        if known is None:
            form = _PYTHON if is_python(file.path) else _SCRIPT
            spans = [found.span() for found in form.finditer(file.data) if found["apart"] is not None]
            known = self._apart[file.path] = [start for start, _ in spans], [end for _, end in spans]
        return known


def _is_around(found: re.Match[bytes], place: int) -> bool:
    return found["apart"] is None and found.start() < place < found.end()


def _of(word: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"(?<!" + _WORD + rb")" + re.escape(word) + rb"(?!" + _WORD + rb")")
