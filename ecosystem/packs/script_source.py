"""The value of a symbol in a file of JavaScript or TypeScript: a constant, a field, the default of a parameter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import Scalar
from agent_architecture.syntax.grammars import load_grammar
from ecosystem.packs.declarations import text_of

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_NUMBER: Final = re.compile(r"-?(\d[\d_]*\.?\d*(?:e\d+)?|\.\d+)")
_NAMED: Final = ("name", "key", "left", "pattern", "alias")
_FALLING_BACK: Final = frozenset({"??", "||"})


@cache
def _parser(function: str) -> Parser:
    import tree_sitter

    return tree_sitter.Parser(load_grammar("tree_sitter_typescript", function))


class ScriptSource:
    """One file."""

    def __init__(self, file: Path) -> None:
        self._data = file.read_bytes()
        is_typed = file.suffix in {".ts", ".mts", ".cts"}
        self._root = _parser("language_typescript" if is_typed else "language_tsx").parse(self._data).root_node

    def has(self, symbol: str) -> bool:
        """Whether the file has the symbol: each part is declared, or a member, inside the one before it."""
        return bool(self._found(symbol))

    def literals(self, symbol: str, names: tuple[str, ...]) -> list[Scalar]:
        """What the symbol itself is set to where that is a literal; of a function, its parameters called one of
        `names`.
        """
        found: list[Scalar] = []
        for node in self._found(symbol):
            found += _value(node)
            if not found:
                for inner in _named(node.child_by_field_name("parameters"), names):
                    found += _value(inner)
        return found

    def _found(self, symbol: str) -> list[Node]:
        current = [self._root]
        whole = [one for one in _assigned(self._root) if text_of(one.child_by_field_name("left")) == symbol]
        if whole:
            return whole
        for part in symbol.removesuffix("()").split("."):
            if part.encode() not in self._data:
                return []
            inside = [inner for one in current for inner in _named(one, (part,), below=one)]
            # Bundlers rename classes (`var Tool = class _Tool {…}`): then the part stands elsewhere in the file.
            current = inside or ((_named(self._root, (part,)) or _read(self._root, part)) if current else [])
        return current


def _assigned(root: Node) -> Iterator[Node]:
    """The statements of a file that set something: `Class.LIMIT = 10` stands for a static field."""
    for statement in root.named_children:
        for one in statement.named_children if statement.type == "expression_statement" else ():
            if one.type == "assignment_expression":
                yield one


def _named(node: Node | None, names: tuple[str, ...], *, below: Node | None = None) -> list[Node]:
    """The outermost nodes in a tree that bind or name one of `names`."""
    found: list[Node] = []
    queue = [node] if node is not None else []
    while queue:
        one = queue.pop()
        if one != below and any(_is_name(one.child_by_field_name(field), names) for field in _NAMED):
            found.append(one)
            if one.child_by_field_name("body") is not None or one.child_by_field_name("value") is not None:
                continue
        elif text_of(one) in names and _is_bare(one):
            found.append(one)
        queue.extend(reversed(one.named_children))
    return found


def _read(root: Node, name: str) -> list[Node]:
    """Where a property is only read: `options.limit`."""
    found: list[Node] = []
    queue = [root]
    while queue and not found:
        one = queue.pop()
        if one.type == "property_identifier" and text_of(one) == name:
            found.append(one)
        queue.extend(reversed(one.named_children))
    return found


def _is_bare(node: Node) -> bool:
    """Whether a node is a name that is bound by standing where it does: a parameter, a part of a pattern."""
    if node.type == "identifier":
        return node.parent is not None and node.parent.type == "formal_parameters"
    return node.type in {"shorthand_property_identifier_pattern", "shorthand_property_identifier"}


def _is_name(node: Node | None, names: tuple[str, ...]) -> bool:
    if node is None:
        return False
    if node.type == "member_expression":
        return text_of(node.child_by_field_name("property")) in names
    return text_of(node).lstrip("#") in names


def _value(node: Node) -> Iterator[Scalar]:
    """The literal that a node gives its name."""
    for field in ("value", "right"):
        value = node.child_by_field_name(field)
        if value is not None:
            yield from literal(value)
            return


def literal(node: Node) -> Iterator[Scalar]:
    """The value of a literal, of arithmetic of literals, or of what stands behind `??`."""
    written = text_of(node)
    match node.type:
        case "number" if _NUMBER.fullmatch(written):
            number = float(written.replace("_", ""))
            yield int(number) if number.is_integer() else number
        case "string":
            yield written
        case "true" | "false":
            yield node.type == "true"
        case "null" | "undefined":
            yield None
        case "identifier" if written == "Infinity":
            yield float("inf")
        case "binary_expression":
            yield from _computed(node)
        case "parenthesized_expression" | "as_expression" | "satisfies_expression":
            yield from literal(node.named_children[0])
        case _:
            pass


def _computed(node: Node) -> Iterator[Scalar]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = text_of(node.child_by_field_name("operator"))
    if left is None or right is None:
        return
    if operator in _FALLING_BACK:
        yield from literal(right)
        return
    for one in literal(left):
        for other in literal(right):
            if isinstance(one, (int, float)) and isinstance(other, (int, float)) and operator == "*":
                yield one * other
