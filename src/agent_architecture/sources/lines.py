"""Single lines of scanned files, read again when a report quotes them. It must not know what is quoted, or why."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Final

from agent_architecture.sources.decode import decode

FILES_KEPT: Final = 16
"""Files whose lines stay in memory: a report quotes one file after the other."""


def line_reader(root: Path, max_bytes: int) -> Callable[[str, int], str | None]:
    """A function that gives the line `number` (from 1) of the file `path` below `root`.

    It gives None when there is no such line, and for a file that is too large, unreadable, special or outside `root`.
    """
    top = os.path.realpath(root)

    @lru_cache(maxsize=FILES_KEPT)
    def lines(path: str) -> list[str]:
        return _lines(Path(top, path), Path(top), max_bytes)

    def line(path: str, number: int) -> str | None:
        found = lines(path)
        return found[number - 1] if 0 < number <= len(found) else None

    return line


def text_reader(data: bytes) -> Callable[[str, int], str | None]:
    """The same for a project of one file with this content."""
    lines = _split("", data)
    return lambda _, number: lines[number - 1] if 0 < number <= len(lines) else None


def _lines(file: Path, root: Path, max_bytes: int) -> list[str]:
    try:
        if not file.is_file() or not Path(os.path.realpath(file)).is_relative_to(root):
            return []
        with file.open("rb") as stream:
            data = stream.read(max_bytes + 1)
    except (OSError, ValueError):  # ValueError: a NUL in the path
        return []
    if len(data) > max_bytes:
        return []
    return _split(file.name, data)


def _split(name: str, data: bytes) -> list[str]:
    text = (decode(name, data).data or b"").decode("utf-8", "replace")
    # Only these end a line for the parsers; str.splitlines knows more.
    return text.replace("\r\n", "\n").split("\n") if text else []
