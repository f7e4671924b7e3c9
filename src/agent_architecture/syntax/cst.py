"""From tree-sitter's bytes to spans and text: what every tree-sitter based lowering shares.

Knows the concrete syntax tree's interface, no language.
"""

from __future__ import annotations

from bisect import bisect_left
from sys import intern
from typing import TYPE_CHECKING, Final

from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.sources.source import Notice, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

ERROR_LIMIT: Final = 5
"""Syntax errors told per file; the rest is counted in the last notice."""
UNREAD: Final = (
    "our parser could not read this statement (broken, or newer than the parser); the rest of the file was read"
)

SHORT: Final = 40
"""Code points. Shorter texts are mostly names, which come again: one of each is kept."""

_CONTINUATION: Final = regex(rb"[\x80-\xbf]")


class Row(NamedTuple):
    """Where a row of a text that was taken out of a file stands in the file.

    `line` is 1-based, `offset` is added to columns. `columns`, if any, holds the 1-based column of each code point and
    of the end instead: escape sequences make a row longer than its text.
    """

    line: int
    offset: int
    columns: tuple[int, ...] = ()


class Text:
    """The bytes of one file, and how places in it are told.

    tree-sitter counts columns in bytes; a `Span` counts code points. `rows` maps a row to the line of the file where
    that differs (notebooks).
    """

    __slots__ = ("_continuations", "_numbers", "_rows", "data", "path")

    def __init__(self, path: str, data: bytes, rows: tuple[Row, ...] | None = None) -> None:
        """`rows`, if given, tells for each 0-based row where it stands in the file."""
        self.path = path
        self.data = data
        self._continuations = {} if data.isascii() else _continuations(data)
        """Of each row that is not ASCII, where the bytes stand that continue a code point."""
        self._rows = rows
        self._numbers = tuple(range(1, data.count(b"\n") + 2)) if rows is None else ()
        """The numbers of all lines, each made once for all places that it tells; none where places are worked out."""

    def of(self, node: Node) -> str:
        """The source text of a node."""
        text = self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")
        return intern(text) if len(text) <= SHORT else text

    def span(self, first: Node, last: Node | None = None) -> Span:
        """The span of a node, or of everything from `first` to `last`."""
        row, column = first.start_point
        end_row, end_column = first.end_point if last is None else last.end_point
        if self._continuations:
            column, end_column = self._code_points(row, column), self._code_points(end_row, end_column)
        if self._numbers:
            return Span(self.path, self._numbers[row], column + 1, self._numbers[end_row], end_column + 1)
        return Span(self.path, *self._place(row, column), *self._place(end_row, end_column))

    def _place(self, row: int, column: int) -> tuple[int, int]:
        place = self._rows[min(row, len(self._rows) - 1)] if self._rows else Row(1, 0)
        if place.columns:
            return place.line, place.columns[min(column, len(place.columns) - 1)]
        return place.line, column + 1 + place.offset

    def _code_points(self, row: int, column: int) -> int:
        """The column in code points: bytes that continue a code point do not count."""
        places = self._continuations.get(row)
        return column if places is None else column - bisect_left(places, column)


def _continuations(data: bytes) -> dict[int, list[int]]:
    """Of each line that is not ASCII, where the bytes stand that continue a code point."""
    lines = enumerate(data.split(b"\n"))
    return {row: [match.start() for match in _CONTINUATION.finditer(line)] for row, line in lines if not line.isascii()}


def syntax_errors(text: Text, root: Node) -> tuple[Notice, ...]:
    """A notice for each place that the grammar could not read (the first `ERROR_LIMIT`)."""
    if not root.has_error:
        return ()
    spans = [text.span(node) for node in _error_nodes(root)]
    notices = [Notice(span.path, span.line, UNREAD) for span in spans[:ERROR_LIMIT]]
    if len(spans) > ERROR_LIMIT:
        rest = len(spans) - ERROR_LIMIT
        notices.append(
            Notice(text.path, spans[ERROR_LIMIT].line, f"our parser could not read {rest} more statements of this file")
        )
    return tuple(notices)


def _error_nodes(root: Node) -> Iterator[Node]:
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            yield node
        elif node.has_error:
            stack.extend(reversed(node.children))
