"""Whether a path of the project fits a pattern of a row: the whole path, or what follows one of its slashes."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache

from agent_architecture.regexes import regex

_TAIL = regex(r"[^*?\[\]]*\Z")


def fits(path: str, pattern: str) -> bool:
    """Whether the path, or the end of it, is like the pattern."""
    if not path.endswith(_tail(pattern)):  # nearly always, and no expression is made for it
        return False
    return fnmatchcase(path, pattern) or fnmatchcase(path, f"*/{pattern}")


@cache
def _tail(pattern: str) -> str:
    """What a path must end with, word for word."""
    found = _TAIL.search(pattern)
    return "" if found is None else found.group()
