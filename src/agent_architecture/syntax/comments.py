"""The comments of a file that hold a given word, and the line of code that each speaks of.

A word in a string is no comment: the grammars of the languages decide. It must not know what the comments say.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import islice
from typing import TYPE_CHECKING, Final

from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.sources.source import Language
from agent_architecture.syntax.document_text import Offsets
from agent_architecture.syntax.trees import root_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_architecture.sources.source import SourceFile

_READ: Final = (Language.PYTHON, Language.JAVASCRIPT, Language.TYPESCRIPT, Language.TSX, Language.TOML)
_KINDS: Final = frozenset({"comment", "html_comment"})
_HASH: Final = regex(rb"(?<!\S)#")
_SLASHES: Final = frozenset({Language.JAVASCRIPT, Language.TYPESCRIPT, Language.TSX})

LINE_COMMENT: Final = {language: "//" if language in _SLASHES else "#" for language in (*_READ, Language.YAML)}
"""What begins a comment to the end of the line, in each language that is read here."""

MOST: Final = 1000
"""Occurrences of the word that are looked at in one file."""
LONGEST_BLOCK: Final = 50
"""Lines of comments that may stand between a comment and its code."""


class Comment(NamedTuple):
    """One line of a comment: where it stands, its text from the word on, and the line of code that it speaks of.

    A comment beside code speaks of that code; one that stands alone of the next line that is no comment.
    """

    path: str
    line: int
    text: str
    about: int


def comments(file: SourceFile, word: str) -> tuple[Comment, ...]:
    """The comments with `word` in them; none in a language without comments, or that is not read here."""
    if word.encode() not in file.data or file.language not in LINE_COMMENT:
        return ()
    places = [found.start() for found in islice(re.finditer(re.escape(word.encode()), file.data), MOST)]
    find = _in_yaml(file.data) if file.language is Language.YAML else _in_tree(file.language, file.data)
    lines = _Lines(file.data)
    return tuple(
        Comment(file.path, lines.number(place), _said(lines, place, found), _about(lines, found, file.language))
        for place in places
        if (found := find(place)) is not None
    )


class _Place(NamedTuple):
    """From which byte to which a comment goes."""

    start: int
    end: int


class _Lines:
    """The lines of a text by number, from 1, and by the offset of a byte in it."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._starts = [0, *(found.end() for found in re.finditer(b"\n", data))]

    def number(self, offset: int) -> int:
        return bisect_right(self._starts, offset)

    def place(self, number: int) -> _Place:
        end = self._starts[number] - 1 if number < len(self._starts) else len(self.data)
        return _Place(self._starts[number - 1], end)

    def __len__(self) -> int:
        return len(self._starts)


def _said(lines: _Lines, place: int, comment: _Place) -> str:
    """The text from `place` to the end of the line or of the comment."""
    end = min(comment.end, lines.place(lines.number(place)).end)
    return lines.data[place:end].decode("utf-8", "replace").strip().removesuffix("*/").rstrip()


def _about(lines: _Lines, comment: _Place, language: Language) -> int:
    """The line of the code that a comment speaks of."""
    first, last = lines.number(comment.start), lines.number(max(comment.start, comment.end - 1))
    before = lines.data[lines.place(first).start : comment.start].strip()
    after = lines.data[comment.end : lines.place(last).end].strip()
    if before not in {b"", b"{"} or after not in {b"", b"}"}:  # braces: a comment between the elements of JSX
        return first
    mark = LINE_COMMENT[language].encode()
    for line in range(last + 1, min(last + LONGEST_BLOCK, len(lines)) + 1):
        start, end = lines.place(line)
        if not lines.data[start:end].lstrip().startswith(mark):
            return line
    return last + 1


# --------------------------------------------------------------------------------------------- what is in which comment
def _in_tree(language: Language, data: bytes) -> Callable[[int], _Place | None]:
    """The comment around a byte, as the grammar of a language sees it."""
    root = root_of(data, language)

    def find(offset: int) -> _Place | None:
        node = root.descendant_for_byte_range(offset, offset)
        if node is None or node.type not in _KINDS:
            return None
        return _Place(node.start_byte, node.end_byte)

    return find


def _in_yaml(data: bytes) -> Callable[[int], _Place | None]:
    """The comment around a byte: from a `#` that stands in no scalar, up to where the text stops being YAML."""
    scalars, stop = _scalars(data.decode("utf-8", "replace"))
    starts = [start for start, _ in scalars]
    offsets, lines = Offsets(data, 0), _Lines(data)

    def find(offset: int) -> _Place | None:
        line = lines.place(lines.number(offset))
        for found in _HASH.finditer(data, line.start, offset):
            at = offsets.of(found.start())
            before = bisect_right(starts, at) - 1
            if at < stop and (before < 0 or scalars[before][1] <= at):
                return _Place(found.start(), line.end)
        return None

    return find


def _scalars(text: str) -> tuple[list[tuple[int, int]], int]:
    """From where to where each scalar of a text goes, and where it can no longer be read."""
    import yaml

    loader = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
    found: list[tuple[int, int]] = []
    end = 0
    try:
        for token in yaml.scan(text, loader):
            end = token.end_mark.index
            if type(token).__name__ == "ScalarToken":
                found.append((token.start_mark.index, end))
    except yaml.YAMLError:
        return found, end
    return found, len(text)
