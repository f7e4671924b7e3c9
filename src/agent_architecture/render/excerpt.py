"""A source line around its span, cut to the width of the terminal. Knows lines and cells, no files and no report."""

from __future__ import annotations

from typing import Final

from agent_architecture.records import NamedTuple
from agent_architecture.render.safe import cells, glyphs

TAB: Final = "    "
LEAD: Final = 12
"""Cells of context kept before a span when its line is cut."""


class Excerpt(NamedTuple):
    """Three pieces of one visible line: before the span, the span, after it. `offset` is the span's first cell."""

    before: str
    span: str
    after: str

    @property
    def offset(self) -> int:
        """Cells before the span."""
        return cells(self.before)

    @property
    def length(self) -> int:
        """Cells of the span, at least one."""
        return max(1, cells(self.span))


def excerpt(line: str, col: int, end_col: int | None, width: int, *, unicode: bool = True) -> Excerpt:
    """Cut the source `line` to `width` cells around its span.

    Args:
        line: the line as it stands in the file.
        col: first column of the span, 1-based, in code points. Beyond the line: an empty span at its end.
        end_col: the column after the span; None when it goes on to the end of the line.
        width: cells to use, the marks of a cut included.
        unicode: whether other characters than ASCII can be shown.
    """
    bare = line.rstrip()
    indent = min(len(bare) - len(bare.lstrip()), max(0, col - 1))
    start = min(max(col - 1, indent), len(bare))
    end = len(bare) if end_col is None else max(start, min(end_col - 1, len(bare)))
    # No cell can come from beyond these characters: a line of megabytes costs no more than a short one.
    low, high = max(indent, start - width), min(len(bare), start + width)
    window = bare[low:high]
    pairs = zip(window, glyphs(window, ascii_only=not unicode), strict=True)
    shown = [TAB if char == "\t" else glyph for char, glyph in pairs]
    before, span, after = shown[: start - low], shown[start - low : end - low], shown[end - low :]
    if low == indent and high == len(bare) and _width(shown) <= width:
        return Excerpt("".join(before), "".join(span), "".join(after))
    ellipsis = "…" if unicode else "..."
    # What the span and the rest of the line leave is for what stands before.
    lead = max(min(LEAD, width // 3), width - cells(ellipsis) - _width(span) - _width(after))
    is_short = low == indent and _width(before) <= width // 3
    kept = before if is_short else [ellipsis, *_last(before, lead)]
    head = "".join(kept)
    return _with_tail(head, span, after, width - cells(head), ellipsis, ends=high == len(bare))


def _with_tail(  # noqa: PLR0913 - the parts of one line
    head: str, span: list[str], after: list[str], room: int, ellipsis: str, *, ends: bool
) -> Excerpt:
    """The span and what follows it in `room` cells; `ends` when `after` reaches the end of the line."""
    if ends and _width(span) + _width(after) <= room:
        return Excerpt(head, "".join(span), "".join(after))
    room -= cells(ellipsis)
    kept = _first(span, room)
    if len(kept) < len(span):
        return Excerpt(head, "".join(kept), ellipsis)
    return Excerpt(head, "".join(span), "".join(_first(after, room - _width(span))) + ellipsis)


def _width(shown: list[str]) -> int:
    return sum(map(cells, shown))


def _first(shown: list[str], room: int) -> list[str]:
    """As many pieces from the start as `room` cells hold."""
    taken = 0
    for count, glyph in enumerate(shown):
        taken += cells(glyph)
        if taken > room:
            return shown[:count]
    return shown


def _last(shown: list[str], room: int) -> list[str]:
    """As many pieces from the end as `room` cells hold."""
    return _first(shown[::-1], room)[::-1]
