"""The words of a command that a shell is given."""

from __future__ import annotations

import shlex
from typing import Final

from agent_architecture.regexes import regex

PLAIN: Final = regex(r"[ \t\r\n!$-&(-\[\]-~]*")
"""Texts without quotes, backslashes and comments: what stands between spaces is their words."""


def words_of(text: str) -> tuple[str, ...]:
    """The words of one command; where quotes do not close, what stands between spaces."""
    if PLAIN.fullmatch(text):
        return tuple(text.split())
    try:
        return tuple(shlex.split(text, comments=True))
    except ValueError:
        return tuple(text.split())
