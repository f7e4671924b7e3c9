"""Rewritings of small programs that keep their meaning: a rewriting is a function from files to files.

Works on text; it knows no language beyond what each function says, and nothing of analysing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import TypeAlias

Files: TypeAlias = Mapping[str, str]
Rewriting: TypeAlias = Callable[[Files], Files]


def edited(*pairs: tuple[str, str]) -> Rewriting:
    """Replace pieces of text, each of which must be there."""

    def rewrite(files: Files) -> Files:
        ((name, text),) = files.items()
        for old, new in pairs:
            assert old in text, f"{old!r} is not in {name}"
            text = text.replace(old, new)
        return {name: text}

    return rewrite


def renamed(names: Mapping[str, str]) -> Rewriting:
    """Rename variables and functions everywhere, the keys of calls and the text in quotes aside."""

    def rewrite(files: Files) -> Files:
        anywhere = "|".join(names)
        pattern = re.compile(rf"""(?<![\w"'])(?<![\w)\]]\.)(?:{anywhere})(?![\w"']|=(?!=))""")
        return {name: pattern.sub(lambda found: names[found[0]], text) for name, text in files.items()}

    return rewrite


def with_files(change: Rewriting, **added: str) -> Rewriting:
    """Change the program, and add files (`limits_py` is `limits.py`)."""
    extra = {name.replace("_", ".", 1): text for name, text in added.items()}
    return lambda files: {**change(files), **extra}


def split(extension: str, head: str, *parts: tuple[str, str, str]) -> Rewriting:
    """Cut a module into several: each part has a name, what it imports, and the text at which it begins."""

    def rewrite(files: Files) -> Files:
        (text,) = files.values()
        starts = [*(text.index(begin) for _, _, begin in parts), len(text)]
        pieces = [text[start:end] for start, end in pairwise(starts)]
        return {
            f"{name}.{extension}": f"{head}{imports}\n{piece.rstrip()}\n"
            for (name, imports, _), piece in zip(parts, pieces, strict=True)
        }

    return rewrite


def each_line(change: Callable[[str], str]) -> Rewriting:
    """Change every line that is not empty."""

    def rewrite(files: Files) -> Files:
        return {
            name: "\n".join(change(line) if line.strip() else line for line in text.split("\n"))
            for name, text in files.items()
        }

    return rewrite


def commented(mark: str) -> Callable[[str], str]:
    """Put a comment before a line, indented alike."""
    return lambda line: f"{line[: len(line) - len(line.lstrip())]}{mark} a remark\n{line}"


def by_tabs(width: int) -> Callable[[str], str]:
    return lambda line: "\t" * ((len(line) - len(line.lstrip())) // width) + line.lstrip()


def with_crlf(files: Files) -> Files:
    return {name: text.replace("\n", "\r\n") for name, text in files.items()}


def unchanged(files: Files) -> Files:
    return files
