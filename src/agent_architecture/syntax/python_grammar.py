"""The Python grammar: its parser, made once, and tables by the numbers of its node kinds.

Knows the names of its kinds and fields; the lowerings know what they mean.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, TypeVar

from agent_architecture.syntax.grammars import load_grammar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tree_sitter import Language, Parser


_T = TypeVar("_T")

EXTRAS: Final = frozenset({"comment", "line_continuation"})
"""Named nodes that can stand anywhere and mean nothing."""


def _language() -> Language:
    return load_grammar("tree_sitter_python")


@cache
def parser() -> Parser:
    """The parser. It keeps no state between two files."""
    import tree_sitter

    return tree_sitter.Parser(_language())


@cache
def _numbers() -> Mapping[str, tuple[int, ...]]:
    language = _language()
    numbers: dict[str, tuple[int, ...]] = {}
    for number in range(language.node_kind_count):
        if language.node_kind_is_named(number) and (name := language.node_kind_for_id(number)):
            numbers[name] = (*numbers.get(name, ()), number)
    return numbers


def table(by_kind: Mapping[str, _T]) -> dict[int, _T]:
    """The same mapping by kind number: a kind can have several. An unknown kind is a `KeyError`."""
    return {number: value for kind, value in by_kind.items() for number in _numbers()[kind]}


def numbers(kinds: Iterable[str]) -> frozenset[int]:
    """The numbers of these kinds."""
    return frozenset(number for kind in kinds for number in _numbers()[kind])


def field(name: str) -> int:
    """The number of a field."""
    number = _language().field_id_for_name(name)
    if number is None:
        raise KeyError(name)
    return number
