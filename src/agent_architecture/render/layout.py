"""Aligned columns and wrapped prose, measured in terminal cells. Knows no report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.render.safe import cells, pad

GAP: Final = "  "
NUMBERED: Final = regex(r"(?:\d+ )?[^ ]+(?:(?<![,;]) \d[^ ]*)*")
"""A word with its numbers: behind it (`langchain 1.3.13`, `line 41`) or, after a comma, before it (`7 tools`)."""
COMMENT: Final = regex(r" +(?:#|//) ")
"""What begins the comment of a line of code, in Python and in TypeScript."""
OVERFLOW: Final = "      "
"""Indent of what does not fit on a row's first line."""


class Cell(NamedTuple):
    """A piece of a row: visible text, and the codes that colour it."""

    text: str
    codes: tuple[str, ...] = ()


def wrap(text: str, width: int) -> list[str]:
    """The visible `text` in lines of at most `width` cells, broken at blanks alone.

    A word is never broken (rustc and ruff print theirs whole, too): a path, an address or a name that is longer than
    the line has one of its own, which a terminal can open and a person can copy. A number stays with its word.
    """
    if cells(text) <= width:  # as it stands: a line of code keeps its blanks
        return [text] if text.strip() else []
    lines, line = [], ""
    for word in NUMBERED.findall(text):
        joined = f"{line} {word}" if line else word
        if line and cells(joined) > width:
            lines.append(line)
            line = word
        else:
            line = joined
    return [*lines, line] if line else lines


def wrap_code(text: str, width: int) -> list[str]:
    """A line of code in lines that stay code: what does not fit beside its comment has the comment below it.

    Words are wrapped as they are.
    """
    mark = COMMENT.search(text)
    if mark is None or cells(text) <= width:
        return wrap(text, width)
    sign = mark[0].strip()
    comment = wrap(text[mark.end() :], width - len(sign) - 1)
    return [*wrap(text[: mark.start()], width), *(f"{sign} {line}" for line in comment)]


def flow(pieces: Sequence[Cell], width: int, begin: str = "", indent: str = OVERFLOW) -> list[list[Cell]]:
    """Pieces side by side, two blanks between them, on as many lines as they take; none is broken.

    `begin` stands before the first line (its cells count), `indent` before the others.
    """
    lines = [[Cell(begin)]]
    used = cells(begin)
    for piece in pieces:
        line = lines[-1]
        between = len(GAP) if len(line) > 1 else 0
        if between and used + between + cells(piece.text) > width:
            lines.append([Cell(indent), piece])
            used = cells(indent) + cells(piece.text)
        else:
            lines[-1] = [*line, Cell(GAP[:between] + piece.text, piece.codes)]
            used += between + cells(piece.text)
    return lines


def shortened(text: str, width: int, ellipsis: str = "…") -> str:
    """The visible `text` with as many of its words as fit in `width` cells, and `ellipsis` for the others."""
    if cells(text) <= width:
        return text
    words = text.split(" ")
    while words and cells(" ".join(words)) + 1 + cells(ellipsis) > width:
        words.pop()
    return f"{' '.join(words)} {ellipsis}" if words else ""


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
