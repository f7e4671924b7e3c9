"""The difference between texts, as `patch` and `git apply` read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def difference(path: str, before: bytes, after: bytes) -> str:
    """A unified difference of one file; "" where there is none."""
    import difflib

    lines = difflib.unified_diff(_lines(before), _lines(after), f"a/{path}", f"b/{path}")
    return "".join(_ended(line) for line in lines)


def _lines(text: bytes) -> list[str]:
    """The lines with what ends them: nothing but a line feed ends one."""
    return [line for line in _cut(text.decode("utf-8", "replace")) if line]


def _cut(text: str) -> Iterator[str]:
    *lines, last = text.split("\n")
    yield from (f"{line}\n" for line in lines)
    yield last


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
