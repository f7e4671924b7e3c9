"""The texts in the code of detectors of which reasons are made, read from the code without running it."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LETTERS: Final = 4
"""A text with fewer letters only puts others together."""
GAP: Final = "…"
"""What stands for the parts that are only known when the text is made."""
NO_REASONS: Final = frozenset({"detector", "regex", "ValueError"})
"""Calls whose arguments are no part of a reason: a declaration, a pattern, a mistake of the author."""


class Template(NamedTuple):
    """A text as it is written, with `…` for what is put in."""

    text: str
    line: int

    def made(self, reason: str) -> bool:
        """Whether a reason holds this text; the first letter of a sentence may have become large."""
        pattern = ".*?".join(re.escape(part) for part in self.text.split(GAP))
        return re.search(pattern, reason, re.IGNORECASE) is not None


def templates(file: Path) -> tuple[Template, ...]:
    """The texts of a module that are more than a word, in the order of the file, each once."""
    found = {text: line for text, line in _texts(ast.parse(file.read_text(encoding="utf-8"))) if _says_something(text)}
    return tuple(Template(text, line) for text, line in found.items())


def _says_something(text: str) -> bool:
    return " " in text.replace(GAP, "").strip() and sum(letter.isalpha() for letter in text) >= LETTERS


def _texts(node: ast.AST) -> Iterator[tuple[str, int]]:
    match node:
        case ast.Expr(value=ast.Constant()):
            return
        case ast.Call(func=ast.Name(id=name)) if name in NO_REASONS:
            return
        case ast.Constant(value=str() as text):
            yield re.sub(r"\{\w*\}", GAP, text), node.lineno
        case ast.JoinedStr():
            yield "".join(_part(value) for value in node.values), node.lineno
            for value in node.values:
                if isinstance(value, ast.FormattedValue):
                    yield from _texts(value.value)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _texts(child)


def _part(value: ast.expr) -> str:
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else GAP
