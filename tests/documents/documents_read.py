"""What the tests of documents share: reading a text, its value as Python sees it, and cutting a span out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.sources.source import Language, Role, SourceFile
from agent_architecture.syntax import ir
from agent_architecture.syntax.documents import lower_document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.sources.source import Span


def read(language: str, text: str | bytes) -> ir.Module:
    data = text.encode() if isinstance(text, str) else text
    return lower_document(SourceFile("folder/file", Language(language), Role.CONFIG, data))


def value_of(language: str, text: str) -> object:
    (node,) = read(language, text).body
    return value_of_document(node)


def value_of_document(node: ir.Node) -> object:
    """The value as Python's own readers give it: merge keys applied, the last of two equal keys kept."""
    match node:
        case ir.Literal():
            return node.value
        case ir.List():
            return [value_of_document(item) for item in node.items]
        case ir.Map():
            return dict(_pairs(node))
        case _:
            return f"<{node.name}>" if isinstance(node, ir.Opaque) else node


def _pairs(node: ir.Map) -> Iterator[tuple[object, object]]:
    for entry in node.entries:
        if entry.key is None:
            assert isinstance(entry.value, ir.Map)
            yield from _pairs(entry.value)
        else:
            yield value_of_document(entry.key), value_of_document(entry.value)


def cut(text: str, span: Span) -> str:
    lines = [f"{line}\n" for line in text.split("\n")]
    if span.line == span.end_line:
        return lines[span.line - 1][span.col - 1 : span.end_col - 1]
    middle = lines[span.line : span.end_line - 1]
    return "".join([lines[span.line - 1][span.col - 1 :], *middle, lines[span.end_line - 1][: span.end_col - 1]])


def entry(node: ir.Node, *path: str | int) -> ir.Node:
    """The value under a path of keys and positions."""
    for step in path:
        if isinstance(node, ir.List):
            assert isinstance(step, int)
            node = node.items[step]
        else:
            assert isinstance(node, ir.Map)
            node = next(e.value for e in node.entries if isinstance(e.key, ir.Literal) and e.key.value == step)
    return node


def key(node: ir.Node, name: str) -> ir.Node:
    """The key of that name of a map."""
    assert isinstance(node, ir.Map)
    return next(e.key for e in node.entries if isinstance(e.key, ir.Literal) and e.key.value == name)


def messages(module: ir.Module) -> list[tuple[int | None, str]]:
    return [(notice.line, notice.message) for notice in module.notices]
