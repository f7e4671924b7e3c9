"""The text of one document: places in it and remarks about it, for every document reader.

Knows offsets and lines; it must not know any document format. Offsets count code points from the start of the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.sources.source import Notice, Span
from agent_architecture.syntax.ir import Literal, Opaque, unformed

if TYPE_CHECKING:
    from agent_architecture.syntax.ir import Constant

DEPTH_LIMIT: Final = 100
"""Deepest nesting that is read: far above what a person writes, and a walk by recursion still survives it."""

REMARK_LIMIT: Final = 5
"""Remarks told per document; the rest is counted in one more notice."""

_LONE_SURROGATE = regex("[\ud800-\udfff]")


class Document:
    """One text being read. Readers ask it for spans and tell it what they could not read."""

    __slots__ = ("_lines", "_remarks", "path", "text")

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self._lines = [0, *(found.end() for found in re.finditer("\n", text))]
        self._remarks: list[tuple[int, str]] = []

    def span(self, start: int, end: int) -> Span:
        """The span of the text from offset `start` to `end` (exclusive)."""
        line = bisect_right(self._lines, start)
        end_line = bisect_right(self._lines, end)
        return Span(self.path, line, start - self._lines[line - 1] + 1, end_line, end - self._lines[end_line - 1] + 1)

    def remark(self, offset: int, message: str) -> None:
        """Tell that something at `offset` could not be read."""
        self._remarks.append((bisect_right(self._lines, offset), message))

    def remark_span(self, span: Span, message: str) -> None:
        """Tell that what stands at `span` could not be read."""
        self._remarks.append((span.line, message))

    def notices(self) -> tuple[Notice, ...]:
        """A notice for each of the first `REMARK_LIMIT` remarks, and one that counts the rest."""
        remarks = sorted(self._remarks)
        told = [Notice(self.path, line, message) for line, message in remarks[:REMARK_LIMIT]]
        if rest := remarks[REMARK_LIMIT:]:
            told.append(Notice(self.path, rest[0][0], f"{len(rest)} more places of this file could not be read"))
        return tuple(told)

    def literal(self, start: int, end: int, value: Constant) -> Literal:
        """A literal at these offsets. Half a surrogate pair becomes U+FFFD: no encoder would take it."""
        if isinstance(value, str):
            value = _LONE_SURROGATE.sub("\ufffd", value)
        return Literal(self.span(start, end), value)

    def unread(self, start: int, end: int, kind: str) -> Opaque:
        """What stands where a value was not read; `kind` says why: `error`, `too_deep`, `cycle`, `too_large`."""
        return unformed(self.span(start, end), kind, ())


class Offsets:
    """From byte offsets of a text's UTF-8 form to its code points, in logarithmic time."""

    __slots__ = ("_continuations", "_start")

    def __init__(self, data: bytes, start: int) -> None:
        """`start` is the offset in the document where `data` begins."""
        self._start = start
        self._continuations = [found.start() for found in re.finditer(rb"[\x80-\xbf]", data)]

    def of(self, byte: int) -> int:
        """The offset in the document of the byte at `byte`."""
        return self._start + byte - bisect_left(self._continuations, byte)


def joined(first: Span, last: Span) -> Span:
    """The smallest span that covers two spans of one file."""
    line, col = min((first.line, first.col), (last.line, last.col))
    end_line, end_col = max((first.end_line, first.end_col), (last.end_line, last.end_col))
    return Span(first.path, line, col, end_line, end_col)
