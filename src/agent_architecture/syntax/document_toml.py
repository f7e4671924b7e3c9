"""TOML to the IR: tables, dotted keys and arrays of tables become nested maps and lists.

A table's span runs from its first header or key to its last value, wherever its parts stand. Dates stay text: the IR
has no such constant. A broken line loses itself; the rest is read. Source: the TOML 1.0.0 specification.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.syntax.document_text import DEPTH_LIMIT, Offsets, joined
from agent_architecture.syntax.grammars import load_grammar
from agent_architecture.syntax.ir import Entry, List, Literal, Map

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node, Parser

    from agent_architecture.sources.source import Span
    from agent_architecture.syntax.document_text import Document
    from agent_architecture.syntax.ir import Constant, Expr

_KEYS: Final = frozenset({"bare_key", "quoted_key", "dotted_key"})
_VALUES: Final = frozenset(
    [
        "string",
        "integer",
        "float",
        "boolean",
        "offset_date_time",
        "local_date_time",
        "local_date",
        "local_time",
        "array",
        "inline_table",
    ]
)
_DIGITS: Final = 4300
"""Longest integer that Python reads."""
_ESCAPE = regex(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([^\S\n]*\n\s*)|(.))", re.DOTALL)
_ESCAPES: Final = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "e": "\x1b"}


def read_toml(document: Document, start: int = 0, end: int | None = None) -> tuple[Expr, ...]:
    """The one map of the TOML between two offsets. What cannot be read is remarked."""
    stop = len(document.text) if end is None else end
    data = document.text[start:stop].encode("utf-8", "replace")
    return (_Reader(document, data, start).read(document.span(start, stop)),)


class _Table:
    """A table that may still grow: later headers and dotted keys add to it."""

    __slots__ = ("entries", "places", "spans")

    def __init__(self) -> None:
        self.entries: list[tuple[Literal, _Table | list[_Table] | Expr]] = []
        self.places: dict[str, int] = {}
        self.spans: list[Span] = []

    def get(self, name: str) -> _Table | list[_Table] | Expr | None:
        """What was last put under a name."""
        at = self.places.get(name)
        return None if at is None else self.entries[at][1]

    def put(self, key: Literal, value: _Table | list[_Table] | Expr) -> None:
        """Add an entry; of two with one name, the later is the one that is found."""
        self.places[str(key.value)] = len(self.entries)
        self.entries.append((key, value))


class _Reader:
    """Reads one tree. Recursion is bounded by `DEPTH_LIMIT`, keys included."""

    def __init__(self, document: Document, data: bytes, start: int) -> None:
        self._document = document
        self._data = data
        self._offsets = Offsets(data, start)

    def read(self, span: Span) -> Map:
        """The root table."""
        root = _parser().parse(self._data).root_node
        for node in _errors(root):
            self._document.remark(self._offsets.of(node.start_byte), "TOML: this line cannot be read")
        table = _Table()
        orphans = tuple(self._statements(root, table))
        return Map(span, _entries(table) + orphans)

    def _statements(self, root: Node, table: _Table) -> Iterator[Entry]:
        """Fill the root table; yield an entry with an unread key for each table whose header cannot be read."""
        current, depth = table, 0
        for node in root.named_children:
            if node.type in {"table", "table_array_element"}:
                named = self._header(node, table)
                current, depth = named or (_Table(), 1)
                self._pairs(node, current, depth)
                if not named and current.entries:
                    yield Entry(self._unread(node.children[0], "error"), _frozen(current, self._span(node, node)))
            elif node.type == "pair":
                self._pair(node, current, depth)
            elif node.type == "ERROR":
                self._pairs(node, current, depth)

    def _pairs(self, node: Node, table: _Table, depth: int) -> None:
        for child in node.named_children:
            if child.type == "pair":
                self._pair(child, table, depth)

    def _header(self, node: Node, root: _Table) -> tuple[_Table, int] | None:
        """The table that a header names, and how deep it is; None where the header cannot be read."""
        keys = [key for child in node.named_children if child.type in _KEYS for key in self._keys(child)]
        if len(keys) > DEPTH_LIMIT:
            self._document.remark_span(keys[0].span, f"a key nested deeper than {DEPTH_LIMIT} levels")
        outer = self._descend(root, keys[:-1]) if 0 < len(keys) <= DEPTH_LIMIT else None
        if outer is None:
            return None
        is_array = node.type == "table_array_element"
        table = _appended(outer, keys[-1]) if is_array else self._descend(outer, keys[-1:])
        if table is None:
            return None
        bracket = next((child for child in node.children if child.type in {"]", "]]"}), node)
        table.spans.append(self._span(node, bracket))
        return table, len(keys) + is_array

    def _descend(self, table: _Table, keys: list[Literal]) -> _Table | None:
        """The table under these names, made where it is missing. None where a value stands in the way."""
        for key in keys:
            found = table.get(str(key.value))
            if found is None:
                found = _Table()
                table.put(key, found)
            if isinstance(found, list):
                found = found[-1]
            if not isinstance(found, _Table):
                self._document.remark_span(key.span, f"TOML: {str(key.value)[:40]!r} is a value already, not a table")
                return None
            table = found
        return table

    def _pair(self, node: Node, table: _Table, depth: int) -> None:
        parts = node.named_children
        keys = [key for child in parts if child.type in _KEYS for key in self._keys(child)]
        value = next((child for child in parts if child.type in _VALUES), None)
        if not keys or depth + len(keys) > DEPTH_LIMIT:
            self._document.remark(self._offsets.of(node.start_byte), f"a key nested deeper than {DEPTH_LIMIT} levels")
            return
        target = self._descend(table, keys[:-1])
        if target is not None:
            target.put(keys[-1], self._value(value, depth + len(keys)) if value else self._unread(node, "error"))

    def _keys(self, node: Node) -> Iterator[Literal]:
        stack = [node]
        while stack:
            part = stack.pop()
            if part.type == "dotted_key":
                stack.extend(reversed(part.named_children))
            elif part.type in _KEYS:
                text = self._text(part)
                yield self._literal(part, _string(text) if part.type == "quoted_key" else text)

    def _value(self, node: Node, depth: int) -> Expr:
        if depth > DEPTH_LIMIT:
            self._document.remark(
                self._offsets.of(node.start_byte), f"nested deeper than {DEPTH_LIMIT} levels: not read"
            )
            return self._unread(node, "too_deep")
        if node.type == "array":
            items = tuple(self._value(child, depth + 1) for child in node.named_children if child.type in _VALUES)
            return List(self._span(node, node), items)
        if node.type == "inline_table":
            table = _Table()
            self._pairs(node, table, depth)
            return Map(self._span(node, node), _entries(table))
        return self._literal(node, _constant(node.type, self._text(node)))

    def _text(self, node: Node) -> str:
        return self._data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def _literal(self, node: Node, value: Constant) -> Literal:
        return self._document.literal(self._offsets.of(node.start_byte), self._offsets.of(node.end_byte), value)

    def _unread(self, node: Node, kind: str) -> Expr:
        return self._document.unread(self._offsets.of(node.start_byte), self._offsets.of(node.end_byte), kind)

    def _span(self, first: Node, last: Node) -> Span:
        return self._document.span(self._offsets.of(first.start_byte), self._offsets.of(last.end_byte))


def _appended(outer: _Table, key: Literal) -> _Table:
    """A new table at the end of an array of tables, which is made where it is missing."""
    found = outer.get(str(key.value))
    tables = found if isinstance(found, list) else []
    if found is not tables:
        outer.put(key, tables)
    tables.append(_Table())
    return tables[-1]


def _frozen(table: _Table, place: Span) -> Map:
    """The table as a map; its span covers its headers, keys and values, or is `place` if there are none."""
    entries = _entries(table)
    spans = [*table.spans, *(part.span for entry in entries for part in (entry.key, entry.value) if part)]
    return Map(_cover(spans or [place]), entries)


def _entries(table: _Table) -> tuple[Entry, ...]:
    return tuple(Entry(key, _frozen_value(value, key.span)) for key, value in table.entries)


def _frozen_value(value: _Table | list[_Table] | Expr, place: Span) -> Expr:
    if isinstance(value, _Table):
        return _frozen(value, place)
    if isinstance(value, list):
        items = tuple(_frozen(item, place) for item in value)
        return List(_cover([item.span for item in items]), items)
    return value


def _cover(spans: list[Span]) -> Span:
    return joined(min(spans), max(spans, key=lambda span: (span.end_line, span.end_col)))


def _constant(kind: str, text: str) -> Constant:
    if kind == "string":
        return _string(text)
    if kind == "boolean":
        return text == "true"
    if kind not in {"integer", "float"}:
        return text
    digits = text.replace("_", "")
    try:
        return int(digits, 0) if kind == "integer" and len(digits) <= _DIGITS else float(digits)
    except ValueError:
        return text


def _string(text: str) -> str:
    quote = text[:3] if text[:3] in {'"""', "'''"} else text[:1]
    inner = text[len(quote) : -len(quote)]
    if len(quote) > 1:
        inner = inner.removeprefix("\r").removeprefix("\n")
    return _ESCAPE.sub(_escaped, inner) if quote.startswith('"') and "\\" in inner else inner


def _escaped(found: re.Match[str]) -> str:
    code = found[1] or found[2] or found[3]
    if code:
        return chr(min(int(code, 16), 0x10FFFF))
    return "" if found[4] else _ESCAPES.get(found[5], found[5])


def _errors(root: Node) -> Iterator[Node]:
    stack = [root] if root.has_error else []
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            yield node
        else:
            stack.extend(child for child in reversed(node.children) if child.has_error)


@cache
def _parser() -> Parser:
    import tree_sitter

    return tree_sitter.Parser(load_grammar("tree_sitter_toml"))
