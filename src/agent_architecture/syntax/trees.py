"""The concrete syntax tree of a text, and the node that stands at a span: for what changes files and keeps the rest.

Knows which grammar reads which language; it must not know what is changed.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from agent_architecture.sources.source import Language
from agent_architecture.syntax.grammars import load_grammar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node, Parser

    from agent_architecture.sources.source import Span

GRAMMARS: Final = {
    Language.PYTHON: ("tree_sitter_python", "language"),
    Language.JAVASCRIPT: ("tree_sitter_typescript", "language_tsx"),
    Language.TYPESCRIPT: ("tree_sitter_typescript", "language_typescript"),
    Language.TSX: ("tree_sitter_typescript", "language_tsx"),
    Language.JSON: ("tree_sitter_json", "language"),
    Language.TOML: ("tree_sitter_toml", "language"),
}


def root_of(data: bytes, language: Language) -> Node:
    """The root of the tree of a text. Raises `KeyError` for a language that is not in `GRAMMARS`."""
    return parser(language).parse(data).root_node


@cache
def parser(language: Language) -> Parser:
    """The parser of a language, made once."""
    import tree_sitter

    return tree_sitter.Parser(load_grammar(*GRAMMARS[language]))


def bytes_of(data: bytes, span: Span) -> tuple[int, int] | None:
    """From where to where a span goes in a text; None where the text has no such place."""
    start, end = _offset(data, span.line, span.col), _offset(data, span.end_line, span.end_col)
    return None if start is None or end is None or end < start else (start, end)


def _offset(data: bytes, line: int, col: int) -> int | None:
    at = 0
    for _ in range(line - 1):
        at = data.find(b"\n", at) + 1
        if not at:
            return None
    end = data.find(b"\n", at)
    row = data[at : end if end >= 0 else len(data)].decode("utf-8", "replace")
    return at + len(row[: col - 1].encode()) if 0 < col <= len(row) + 1 else None


def nodes_at(root: Node, start: int, end: int) -> Iterator[Node]:
    """The nodes that go exactly from `start` to `end`, the innermost first."""
    node = root.descendant_for_byte_range(start, end)
    while node is not None and (node.start_byte, node.end_byte) == (start, end):
        yield node
        node = node.parent
