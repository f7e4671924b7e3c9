"""Colours and marks of the terminal output, as plain ANSI codes. Knows nothing of what is printed.

A `Style` is made once from the stream and the environment; everything after that is a pure function of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from agent_architecture.records import NamedTuple
from agent_architecture.render.safe import fit, visible

BOLD: Final = "1"
DIM: Final = "2"
ITALIC: Final = "3"
UNDERLINE: Final = "4"
RED: Final = "31"
GREEN: Final = "32"
YELLOW: Final = "33"
BLUE: Final = "34"
MAGENTA: Final = "35"
CYAN: Final = "36"

ASCII: Final = dict(zip("✓◐✗█░·─│•━╭╮╰╯", "+~x#.|-|*=++++", strict=True)) | {"…": "...", "→": "->"}
"""What stands for our own marks where a stream cannot write them."""


class Style(NamedTuple):
    """How to print: with or without colour, with Unicode marks or in ASCII alone."""

    color: bool = False
    unicode: bool = True

    def paint(self, text: str, *codes: str) -> str:
        """`text` in the given colours; unchanged without colour."""
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if self.color and codes and text else text

    def mark(self, text: str) -> str:
        """Our own `text` (never the project's), with its marks in ASCII where the stream needs that."""
        return text if self.unicode else "".join(ASCII.get(char, char) for char in text)

    def safe(self, text: str) -> str:
        """Foreign `text` with everything written out that a terminal would obey, hide, or cannot show."""
        return visible(self.mark(text), ascii_only=not self.unicode)

    def cut(self, text: str, width: int) -> str:
        """Safe foreign `text`, at most `width` cells wide."""
        return fit(self.safe(text), width, self.mark("…"))


def wants_color(choice: str, environ: Mapping[str, str], *, is_terminal: bool) -> bool:
    """Whether to colour: by the flag (`auto`, `always`, `never`), NO_COLOR, FORCE_COLOR, TERM=dumb, then the stream.

    An empty NO_COLOR or FORCE_COLOR counts as not set (no-color.org, force-color.org).
    """
    if choice != "auto":
        return choice == "always"
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR"):
        return True
    return is_terminal and environ.get("TERM") != "dumb"


def writes_unicode(encoding: str | None) -> bool:
    """Whether a stream of this encoding can write every mark that we use."""
    try:
        "".join(ASCII).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
