"""Whole numbers in text that somebody else wrote: read where they are plain and short, else none."""

from __future__ import annotations

from typing import Final

MAX_DIGITS: Final = 15
"""Longer numbers are a slip or an attack: `int` raises for more than 4,300 digits (CPython 3.11), and a float of more
than 15 is no longer exact.
"""


def whole_number(text: str) -> int | None:
    """The number that ASCII digits stand for (`²` is a digit to `str.isdigit`, and none to `int`); None for other texts
    and for more than `MAX_DIGITS` digits.
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS else None
