"""Edits of a file that leave what it does alone: comments, line breaks, the order of named arguments and of keys, and a
key that nobody reads. Works on syntax trees; it knows nothing of analysing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final, NamedTuple

import tree_sitter_python
import tree_sitter_typescript
from tree_sitter import Language, Parser

if TYPE_CHECKING:
    from tree_sitter import Node

GRAMMARS: Final = {
    ".py": tree_sitter_python.language(),
    ".ts": tree_sitter_typescript.language_typescript(),
    **dict.fromkeys((".tsx", ".js", ".jsx", ".mjs", ".cjs"), tree_sitter_typescript.language_tsx()),
}
COMMENTED: Final = frozenset({".yaml", ".yml", ".toml"})
"""Documents where a line may be a comment."""
LISTS: Final = {"argument_list": "keyword_argument", "dictionary": "pair", "object": "pair"}
"""What holds named things in any order, and the kind of these."""
ADDED: Final = {
    "argument_list": 'note_to_readers="none", ',
    "dictionary": '"note_to_readers": "none", ',
    "object": 'noteToReaders: "none", ',
}
TEXTS: Final = frozenset({"string", "template_string", "jsx_element", "jsx_self_closing_element", "type_annotation"})
"""What is left as it is."""


class Ways(NamedTuple):
    """What is done to a file of code."""

    remarks: bool = False
    reorder: bool = False
    keys: bool = False


def edit(name: str, text: str, lines: Collection[int], ways: Ways) -> str:
    """The text after these edits; `lines` are those where a key is added."""
    suffix = PurePosixPath(name).suffix
    if suffix in GRAMMARS:
        data = text.encode()
        root = Parser(Language(GRAMMARS[suffix])).parse(data).root_node
        if root.has_error:
            return text
        writer = _Writer(data, lines, ways, python=suffix == ".py")
        return text[: len(data[: root.start_byte].decode())] + writer.text(root) + data[root.end_byte :].decode()
    if suffix in COMMENTED and ways.remarks:
        return re.sub(r"(?m)^(?=[\w\[-])", "# a remark\n", text)
    if suffix == ".json" and ways.reorder:
        return text if "//" in text else json.dumps(_reversed(json.loads(text)), indent=3)
    return text


def _reversed(value: object) -> object:
    match value:
        case Mapping():
            return {key: _reversed(value[key]) for key in reversed(value)}
        case list():
            return [_reversed(item) for item in value]
    return value


class _Writer:
    """Writes a syntax tree anew."""

    def __init__(self, data: bytes, lines: Collection[int], ways: Ways, *, python: bool) -> None:
        self._data = data
        self._lines = lines
        self._ways = ways
        self._python = python

    def text(self, node: Node) -> str:
        """The text of a node after the edits."""
        if node.type in TEXTS or not node.children:
            return self._data[node.start_byte : node.end_byte].decode()
        first = next((child for child in node.children if child.type == LISTS.get(node.type)), None)
        parts, at = [], node.start_byte
        for place, child in zip(node.children, self._ordered(node), strict=True):
            parts.append(self._data[at : place.start_byte].decode())
            if place == first:
                parts.append(self._key(node))
            parts += [self.text(child), self._remark(node, place)]
            at = place.end_byte
        return "".join([*parts, self._data[at : node.end_byte].decode()])

    def _ordered(self, node: Node) -> list[Node]:
        """The children, those that are named in the opposite order; a spread stays before what it may overwrite."""
        children = list(node.children)
        if not self._ways.reorder or any("splat" in child.type or "spread" in child.type for child in children):
            return children
        named = [place for place, child in enumerate(children) if child.type == LISTS.get(node.type)]
        swapped = dict(zip(named, reversed(named), strict=True))
        return [children[swapped.get(place, place)] for place in range(len(children))]

    def _remark(self, node: Node, child: Node) -> str:
        """What is put behind the bracket that opens a list of arguments or keys."""
        if not self._ways.remarks or node.type not in {*LISTS, "arguments"} or child.type not in {"(", "{"}:
            return ""
        return "  # a remark\n" if self._python else " // a remark\n"

    def _key(self, node: Node) -> str:
        """What is put before the first named thing of a list that begins on the line of a gap."""
        if not self._ways.keys or node.start_point.row + 1 not in self._lines:
            return ""
        return ADDED[node.type]
