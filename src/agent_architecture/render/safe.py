"""Text from a scanned project, made safe to print, and measured in terminal cells.

The scanned project is hostile: a name, a message or a source line may hold terminal codes, text-direction overrides,
invisible letters, or commands that a CI obeys where it finds them in a log (`::error::`, `##vso[…]`). Everything
printed passes through `visible`. This file knows no colour and no report.
"""

from __future__ import annotations

import unicodedata
from typing import Final

BLANK_LETTERS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Letters that show nothing although Unicode calls them printable (Default_Ignorable_Code_Point)."""
COMMANDING: Final = frozenset("[:")
"""The signs that complete the beginning of a command of a CI."""
MAX_MARKS: Final = 4
"""Combining marks in a row that real scripts need; more only smears over neighbouring lines."""


def visible(text: str, *, ascii_only: bool = False) -> str:
    r"""`text` with everything that a terminal would obey or hide written out: `\x1b`, `\u202e`, `\n`.

    With `ascii_only`, every other character outside ASCII is written out, too. The result of a prefix is a prefix of
    the result.
    """
    if text.isascii() and text.isprintable() and "##" not in text and "::" not in text:
        return text
    return "".join(glyphs(text, ascii_only=ascii_only))


def glyphs(text: str, *, ascii_only: bool = False) -> list[str]:
    """What each character of `text` prints as, one item a character."""
    shown: list[str] = []
    marks = 0
    for at, char in enumerate(text):
        marks = marks + 1 if not char.isascii() and _is_mark(char) else 0
        harmless = marks <= MAX_MARKS and _shows_itself(char) and (char.isascii() or not ascii_only)
        if char in COMMANDING and _commands(text, at):
            shown.append(f"\\x{ord(char):x}")
        else:
            shown.append(char if harmless else _escape(char))
    return shown


def _commands(text: str, at: int) -> bool:
    """Whether a sign completes the beginning of a command of a CI: Azure's and GitHub's old ones count anywhere in a
    line, GitHub's new ones at its beginning, where a wrapped text may begin with any of its words.
    """
    if text[at] == "[":
        return text.endswith(("##", "##vso"), max(0, at - 5), at)
    return text.endswith(":", max(0, at - 1), at) and (at == 1 or not text[at - 2].isprintable() or text[at - 2] == " ")


def cells(text: str) -> int:
    """How many terminal cells the visible `text` takes: two for a wide East Asian character, none for a mark."""
    if text.isascii():
        return len(text)
    return sum(_cell(char) for char in text)


def pad(text: str, width: int) -> str:
    """`text` filled with spaces to `width` cells."""
    return text + " " * (width - cells(text))


def fit(text: str, width: int, ellipsis: str = "…") -> str:
    """The visible `text` cut to at most `width` cells, with `ellipsis` where something was cut."""
    if len(text) * 2 <= width or cells(text) <= width:
        return text
    room = max(0, width - cells(ellipsis))
    taken = 0
    for position, char in enumerate(text):
        taken += _cell(char)
        if taken > room:
            return text[:position] + ellipsis
    return text


def _escape(char: str) -> str:
    return ascii(char)[1:-1]


def _is_mark(char: str) -> bool:
    return unicodedata.category(char) in {"Mn", "Me"}


def _shows_itself(char: str) -> bool:
    if char.isascii():
        return char.isprintable()
    printable = char.isprintable() or unicodedata.category(char) == "Zs"
    return printable and char not in BLANK_LETTERS and not _selects_glyph(char)


def _selects_glyph(char: str) -> bool:
    """Whether this is a variation selector: invisible, and able to carry a hidden message."""
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef" or "\u180b" <= char <= "\u180f"


def _cell(char: str) -> int:
    if char.isascii():
        return 1
    if _is_mark(char) or "\u1160" <= char <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
