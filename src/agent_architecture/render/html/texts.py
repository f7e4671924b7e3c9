"""The texts of a page: each of them once, visible, and the lines of code around the places that it names, bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.render.safe import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.render.json import Json
    from agent_architecture.render.view import SourceLine
    from agent_architecture.sources.source import Span


AROUND: Final = 2
"""Lines shown before and after a place."""
MOST_LINES: Final = 9
"""Lines of one place: an agent that is written on a page is known by its beginning."""
LONGEST_LINE: Final = 180
ROOM: Final = 600_000
"""Characters of code in one report; the gravest places come first. With the program and 5000 verdicts it then keeps
below 3 MB."""


class Texts:
    """Texts by number, in the order in which they were first asked for."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        """The number of a text; what a browser would obey or hide in it is written out."""
        return self._numbers.setdefault(visible(text), len(self._numbers))

    @property
    def all(self) -> list[str]:
        """The texts in the order of their numbers."""
        return list(self._numbers)


def excerpts(places: Iterable[Span], source: SourceLine, texts: Texts) -> list[Json]:
    """The lines around the places: for each file, by the number of its path, runs of lines with the first's number."""
    return [[path, runs] for path, runs in _files(_wanted(places), source, texts)]


def _wanted(places: Iterable[Span]) -> dict[str, dict[int, None]]:
    """The numbers of the lines of each file, in the order in which they are wanted."""
    wanted: dict[str, dict[int, None]] = {}
    for span in places:
        if span.line > 0:
            first = max(1, span.line - AROUND)
            last = min(span.end_line + AROUND, first + MOST_LINES - 1)
            wanted.setdefault(span.path, {}).update(dict.fromkeys(range(first, last + 1)))
    return wanted


def _files(wanted: dict[str, dict[int, None]], source: SourceLine, texts: Texts) -> Iterator[tuple[int, list[Json]]]:
    room = ROOM
    for path, numbers in wanted.items():
        lines: dict[int, str] = {}
        for number in numbers:
            line = source(path, number) if room > 0 else None
            if line is not None:
                lines[number] = _shown(line)
                room -= len(lines[number])
        if lines:
            yield texts(path), _runs(lines)


def _shown(line: str) -> str:
    shown = visible(line.expandtabs(4).rstrip()[:LONGEST_LINE])
    return shown if len(line) <= LONGEST_LINE else f"{shown}…"


def _runs(lines: dict[int, str]) -> list[Json]:
    runs: list[tuple[int, list[str]]] = []
    for number in sorted(lines):
        if runs and number == runs[-1][0] + len(runs[-1][1]):
            runs[-1][1].append(lines[number])
        else:
            runs.append((number, [lines[number]]))
    return [[first, [*run]] for first, run in runs]
