"""Whether a path of the project fits a pattern of a row: the whole path, or what follows one of its slashes."""

from __future__ import annotations

from fnmatch import fnmatchcase

from agent_architecture.regexes import regex

_TAIL = regex(r"[^*?\[\]]*\Z")


def fits(path: str, pattern: str) -> bool:
    """Whether the path, or the end of it, is like the pattern."""
    tail = _TAIL.search(pattern)
    if tail is not None and not path.endswith(tail.group()):  # nearly always, and no expression is made for it
        return False
    return fnmatchcase(path, pattern) or fnmatchcase(path, f"*/{pattern}")
