"""Aligned columns and wrapped prose, measured in terminal cells. Knows no report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from agent_architecture.records import NamedTuple
from agent_architecture.render.safe import cells, fit, pad

GAP: Final = "  "
OVERFLOW: Final = "      "
"""Indent of what does not fit on a row's first line."""


class Cell(NamedTuple):
    """A piece of a row: visible text, and the codes that colour it."""

    text: str
    codes: tuple[str, ...] = ()


def wrap(text: str, width: int) -> list[str]:
    """The visible `text` in lines of at most `width` cells, broken at spaces, and inside a word that is too long."""
    if cells(text) <= width:  # as it stands: a line of code keeps its blanks
        return [text] if text.strip() else []
    lines, line = [], ""
    for word in text.split():
        joined = f"{line} {word}" if line else word
        if cells(joined) <= width:
            line = joined
            continue
        if line:
            lines.append(line)
        *full, line = _pieces(word, width)
        lines += full
    return [*lines, line] if line else lines


def _pieces(word: str, width: int) -> list[str]:
    pieces = []
    while cells(word) > width:
        piece = fit(word, width, "") or word[:1]
        pieces.append(piece)
        word = word[len(piece) :]
    return [*pieces, word]


def column_widths(rows: Sequence[Sequence[Cell]]) -> list[int]:
    """The width of each column but the last, which is never filled up."""
    count = max((len(row) for row in rows), default=0)
    return [max((cells(row[column].text) for row in rows if column < len(row)), default=0) for column in range(count)]


def place_row(row: Sequence[Cell], widths: Sequence[int], width: int, indent: str = GAP) -> Iterator[list[Cell]]:
    """One row as the lines that it takes: aligned on the first; a cell that does not fit goes to an indented line.

    Nothing is cut; the last cell is wrapped as prose.
    """
    line, used = [Cell(indent)], len(indent)
    *front, last = row
    for cell, size in zip(front, widths, strict=False):
        if used + size > width and len(line) > 1:
            yield line
            line, used = [Cell(OVERFLOW)], len(OVERFLOW)
        line.append(Cell(pad(cell.text, size) + GAP, cell.codes))
        used += max(size, cells(cell.text)) + len(GAP)
    room = width - used
    pieces = wrap(last.text, room) if room >= min(cells(last.text), len(OVERFLOW) * 4) else []
    if not pieces and last.text:
        yield line
        line, used = [Cell(OVERFLOW)], len(OVERFLOW)
        pieces = wrap(last.text, max(width - used, len(OVERFLOW)))
    for piece in pieces[:1]:
        line.append(Cell(piece, last.codes))
    yield line
    for piece in pieces[1:]:
        yield [Cell(" " * used), Cell(piece, last.codes)]
