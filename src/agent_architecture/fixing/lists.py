"""An item more between brackets: of a call, an object, a list, an import; and in which lines it is written.

What stands there already keeps its place, its commas and its comments. Knows commas and lines; it must not know what
an item says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

BLANK: Final = b" \t"
SPACED: Final = frozenset({"object", "named_imports"})
"""Brackets with a space inside of them, as formatters of their languages write them."""


class Change(NamedTuple):
    """Put `text` in the place of the bytes from `start` to `end`."""

    start: int
    end: int
    text: bytes


def items_of(brackets: Node) -> list[Node]:
    """What stands between brackets, without comments."""
    return _items(brackets.children)


def added(data: bytes, brackets: Node, item: bytes) -> Change:
    """An item more behind those between the brackets that a node begins and ends with."""
    space = b" " if brackets.type in SPACED else b""
    return added_between(data, brackets.children, item, space)


def added_between(data: bytes, children: Sequence[Node], item: bytes, space: bytes = b"") -> Change:
    """The same, for nodes of which the first and the last are the brackets."""
    items, opening, closing = _items(children), children[0], children[-1]
    if not items:
        is_empty = not data[opening.end_byte : closing.start_byte].strip(BLANK)
        end = closing.start_byte if is_empty else opening.end_byte
        return Change(opening.end_byte, end, space + item + space)
    last = items[-1]
    comma = next((node for node in children if node.type == "," and node.start_byte >= last.end_byte), None)
    line = _own_line(data, last, opening, closing)
    end = _line_end(data, (comma or last).end_byte)
    if line is None or any(node.start_byte < end < node.end_byte for node in children[:-1]):
        return Change(last.end_byte, last.end_byte, b", " + item)
    before = data[last.end_byte : comma.start_byte] if comma is not None else b""
    rest = before + data[(comma or last).end_byte : end]
    return Change(last.end_byte, end, b"," + rest + line + item + (b"," if comma is not None else b""))


def _items(children: Sequence[Node]) -> list[Node]:
    return [node for node in children[1:-1] if node.is_named and node.type != "comment"]


def _own_line(data: bytes, last: Node, opening: Node, closing: Node) -> bytes | None:
    """The line break and indentation of the last item, where it begins a line and the closing bracket another."""
    begin = data.rfind(b"\n", 0, last.start_byte) + 1
    indent = data[begin : last.start_byte]
    is_alone = begin > opening.start_byte and not indent.strip(BLANK)
    if not is_alone or closing.start_point[0] == last.end_point[0]:
        return None
    return (b"\r\n" if data[begin - 2 : begin] == b"\r\n" else b"\n") + indent


def _line_end(data: bytes, at: int) -> int:
    end = data.find(b"\n", at)
    end = len(data) if end < 0 else end
    return end - 1 if data[end - 1 : end] == b"\r" and end - 1 >= at else end
