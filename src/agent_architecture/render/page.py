"""A detector's page as terminal text.

Reads our own simple Markdown: headings, paragraphs, lists, tables, fenced code and inline marks. It
knows no detector. Anything that it does not know prints as it stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

from agent_architecture.regexes import regex
from agent_architecture.render.layout import GAP, wrap
from agent_architecture.render.safe import cells, pad
from agent_architecture.render.style import BOLD, CYAN, DIM, ITALIC, UNDERLINE, Style

FENCE: Final = ("```", "~~~")
HEADING: Final = regex(r"(#{1,6})\s+(.*?)\s*#*$")
ITEM: Final = regex(r"(\s*)([-*+]|\d+[.)])\s+(.*)")
TABLE_RULE: Final = regex(r"\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?")
INLINE: Final = regex(
    r"(`+)(?P<code>.+?)\1"
    r"|\*\*(?P<bold>.+?)\*\*"
    r"|(?<!\w)\*(?P<italic>[^\s*][^*]*?)\*(?!\w)"
    r"|\[(?P<text>[^\]]+)\]\((?P<url>[^)\s]+)\)"
)
EXPECTATION: Final = regex(r"(?:#|//)\s*(?:(?:MISSING|SPURIOUS) )?(?:gap|ok|unknown)\b.*$")
CODE_INDENT: Final = "    "
NARROWEST_COLUMN: Final = 16
MAX_WIDTH: Final = 100
"""Longer lines of prose are hard to read on any terminal."""


def render_page(markdown: str, *, width: int, style: Style) -> str:
    """The page as text of at most `width` columns; code blocks keep their lines."""
    lines = [style.safe(line.expandtabs(len(CODE_INDENT))) for line in markdown.splitlines()]
    blocks = ["\n".join(block) for block in _blocks(lines, min(width, MAX_WIDTH), style)]
    return "\n\n".join(blocks) + "\n"


def _blocks(lines: list[str], width: int, style: Style) -> Iterator[list[str]]:
    position = 0
    while position < len(lines):
        line = lines[position]
        start = position
        if not line.strip() or line.lstrip().startswith("<!--"):
            position += 1
        elif line.lstrip().startswith(FENCE):
            position = _end_of_fence(lines, start)
            yield [_code(code, style) for code in lines[start + 1 : position]]
            position += 1
        elif heading := HEADING.fullmatch(line):
            position += 1
            yield [_heading(len(heading[1]), heading[2], style)]
        else:
            position = _end_of_paragraph(lines, start)
            yield list(_paragraph(lines[start:position], width, style))


def _end_of_fence(lines: list[str], start: int) -> int:
    """The line of the closing fence; an unclosed fence ends with the page."""
    fence = lines[start].lstrip()[:3]
    for position in range(start + 1, len(lines)):
        if lines[position].lstrip().startswith(fence):
            return position
    return len(lines)


def _end_of_paragraph(lines: list[str], start: int) -> int:
    for position in range(start + 1, len(lines)):
        line = lines[position]
        if not line.strip() or line.lstrip().startswith(FENCE) or HEADING.fullmatch(line):
            return position
    return len(lines)


def _heading(level: int, text: str, style: Style) -> str:
    return style.paint(_plain(text), BOLD, UNDERLINE) if level == 1 else style.paint(_plain(text), BOLD)


def _code(line: str, style: Style) -> str:
    match = EXPECTATION.search(line)
    if not match:
        return (CODE_INDENT + line).rstrip()
    return CODE_INDENT + line[: match.start()] + style.paint(match[0], DIM)


def _paragraph(lines: list[str], width: int, style: Style) -> Iterator[str]:
    if len(lines) > 1 and "|" in lines[0] and TABLE_RULE.fullmatch(lines[1].strip()):
        yield from _table([lines[0], *lines[2:]], width, style)
        return
    for first, hanging, text in _items(lines):
        yield from _wrap(text, width, first, hanging, style)


def _items(lines: list[str]) -> Iterator[tuple[str, str, str]]:
    """Paragraphs and list items: what stands before the first line, before the others, and the text."""
    first, hanging = "", ""
    words: list[str] = []
    for line in lines:
        if item := ITEM.fullmatch(line):
            if words:
                yield first, hanging, " ".join(words)
            marker = "•" if item[2] in "-*+" else item[2]
            first = f"{item[1]}  {marker} "
            hanging, words = " " * len(first), [item[3]]
        else:
            words.append(line.strip().removeprefix("> "))
    yield first, hanging, " ".join(words)


def _table(rows: list[str], width: int, style: Style) -> Iterator[str]:
    grid = [[_plain(cell.strip()) for cell in row.strip().strip("|").split("|")] for row in rows]
    columns = max(map(len, grid))
    grid = [row + [""] * (columns - len(row)) for row in grid]
    sizes = _column_sizes([max(cells(row[column]) for row in grid) for column in range(columns)], width)
    for number, row in enumerate(grid):
        wrapped = [wrap(cell, size) for cell, size in zip(row, sizes, strict=True)]
        for line in zip_longest(*wrapped, fillvalue=""):
            text = GAP.join(pad(cell, size) for cell, size in zip(line, sizes, strict=True)).rstrip()
            yield style.paint(text, BOLD) if number == 0 else text


def _column_sizes(sizes: list[int], width: int) -> list[int]:
    """The sizes with the widest column made narrower, so that all fit `width` as long as it keeps a readable size."""
    widest = sizes.index(max(sizes))
    excess = sum(sizes) + len(GAP) * (len(sizes) - 1) - width
    sizes[widest] -= max(0, min(excess, sizes[widest] - NARROWEST_COLUMN))
    return sizes


def _wrap(text: str, width: int, first: str, hanging: str, style: Style) -> Iterator[str]:
    """Break `text` at spaces outside inline code; inline marks cost no cells."""
    line, used = style.mark(first), len(first)
    room_left = False
    for painted, plain in _words(text, style):
        if room_left and used + 1 + cells(plain) > width:
            yield line
            line, used, room_left = hanging, len(hanging), False
        line += (" " if room_left else "") + painted
        used += cells(plain) + room_left
        room_left = True
    yield line


def _words(text: str, style: Style) -> Iterator[tuple[str, str]]:
    """The words of `text` as (painted, plain). A word may join pieces: `code`s, (**bold**)."""
    painted, plain = "", ""
    for piece, codes in _inline(text):
        for number, word in enumerate(piece.split(" ")):
            if number and plain:
                yield painted, plain
                painted, plain = "", ""
            painted, plain = painted + style.paint(word, *codes), plain + word
    if plain:
        yield painted, plain


def _inline(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    end = 0
    for match in INLINE.finditer(text):
        yield text[end : match.start()], ()
        end = match.end()
        if match["code"] is not None:
            yield match["code"].strip(" ") or " ", (CYAN,)
        elif match["bold"] is not None:
            yield match["bold"], (BOLD,)
        elif match["italic"] is not None:
            yield match["italic"], (ITALIC,)
        else:
            yield f"{match['text']} ({match['url']})", ()
    yield text[end:], ()


def _plain(text: str) -> str:
    return "".join(piece for piece, _ in _inline(text))
