r"""Places in a text as the analyser counts them, and as an editor does.

The analyser ends lines at `\n` and counts code points from 1. The protocol ends them at `\n`, `\r\n` or `\r`, and
counts the units of an encoding from 0 (LSP 3.17, "Text Documents"). Both are ways to name an offset in the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final

from lsprotocol.types import Position, PositionEncodingKind, Range, TextEdit

from agent_architecture.regexes import regex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lsprotocol.types import TextDocumentContentChangeEvent

    from agent_architecture.sources.source import Span

_BREAK: Final = regex(r"\r\n|\n|\r")


class Text:
    """A text, and where its lines begin for either side."""

    __slots__ = ("_ends", "_rows", "_starts", "_unit", "text")

    def __init__(self, text: str, encoding: str = PositionEncodingKind.Utf16) -> None:
        """`encoding` is the one whose units the editor counts."""
        self.text = text
        breaks = [found.span() for found in _BREAK.finditer(text)]
        self._starts = [0, *(end for _, end in breaks)]
        self._ends = [*(start for start, _ in breaks), len(text)]
        self._rows = [0, *(found.end() for found in re.finditer("\n", text))]
        self._unit = encoding

    def offset(self, position: Position) -> int:
        """The offset of an editor's position; one beyond its line, or the text, is the end of that."""
        if position.line >= len(self._starts):
            return len(self.text)
        line = max(position.line, 0)
        start, end = self._starts[line], self._ends[line]
        return start + _points(self.text[start:end], position.character, self._unit)

    def position(self, offset: int) -> Position:
        """An offset as a position of the editor."""
        at = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, at) - 1
        return Position(line, _units(self.text[self._starts[line] : at], self._unit))

    def place(self, line: int, col: int = 1) -> int:
        """The offset of a place of the analyser; one beyond the text is its end."""
        if line > len(self._rows):
            return len(self.text)
        return min(self._rows[max(line, 1) - 1] + max(col, 1) - 1, len(self.text))

    def start(self, line: int) -> int:
        """The offset at which a line of the editor begins."""
        return self._starts[min(max(line, 0), len(self._starts) - 1)]

    def row(self, offset: int) -> int:
        """The analyser's line of an offset."""
        return bisect_right(self._rows, offset)

    def range(self, span: Span) -> Range:
        """A span in the editor, and of one that goes over several lines the first; the first line for a whole file."""
        start = self.place(span.line, span.col)
        line = bisect_right(self._starts, start) - 1
        end = self._ends[line] if span.line < 1 else min(self.place(span.end_line, span.end_col), self._ends[line])
        return Range(self.position(start), self.position(max(start, end)))

    def lines(self) -> list[str]:
        """The editor's lines, without what ends them."""
        return [self.text[start:end] for start, end in zip(self._starts, self._ends, strict=True)]

    def edit_to(self, wanted: str) -> TextEdit:
        """The one edit that makes the text another one, as small as whole equal ends allow."""
        start = _alike(self.text, wanted)
        rest = min(len(self.text), len(wanted)) - start
        after = min(_alike(self.text[::-1], wanted[::-1]), rest)
        place = Range(self.position(start), self.position(len(self.text) - after))
        return TextEdit(place, wanted[start : len(wanted) - after])

    def changed(self, changes: Sequence[TextDocumentContentChangeEvent]) -> Text:
        """The text after the editor's changes, one after the other."""
        now = self
        for change in changes:
            place = getattr(change, "range", None)
            if place is None:
                now = Text(change.text, self._unit)
            else:
                start, end = sorted((now.offset(place.start), now.offset(place.end)))
                now = Text(now.text[:start] + change.text + now.text[end:], self._unit)
        return now


def _alike(one: str, other: str) -> int:
    """How many characters both begin with."""
    both = enumerate(zip(one, other, strict=False))
    return next((number for number, (here, there) in both if here != there), min(len(one), len(other)))


def _units(text: str, encoding: str) -> int:
    if text.isascii() or encoding == PositionEncodingKind.Utf32:
        return len(text)
    if encoding == PositionEncodingKind.Utf8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _points(text: str, units: int, encoding: str) -> int:
    """How many characters so many units are; a position inside of a character is that of its beginning."""
    if text.isascii() or encoding == PositionEncodingKind.Utf32:
        return min(max(units, 0), len(text))
    taken = 0
    for number, char in enumerate(text):
        taken += _units(char, encoding)
        if taken > units:
            return number
    return len(text)
