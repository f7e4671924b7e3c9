"""What stands around a place, by name: the functions and classes of code, the keys of a document.

It survives what moves lines: comments, formatting, other statements, the order of arguments and keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.scope_of_place import ScopeIndex
from agent_architecture.regexes import regex
from agent_architecture.sources.source import Language
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.sources.source import Span

DOCUMENTS: Final = frozenset({Language.JSON, Language.YAML, Language.TOML})
_PLACE: Final = regex(r"<(\w+):\d+>")
"""A function without a name, called by its line."""


class SymbolPaths:
    """The names around places of one module."""

    __slots__ = ("_module", "_scopes")

    def __init__(self, module: ir.Module) -> None:
        self._module = module
        self._scopes = None if module.language in DOCUMENTS else ScopeIndex(module)

    def at(self, span: Span) -> str:
        """The path of names to what stands at `span`, dotted; "" at the top."""
        if self._scopes is not None:
            return _PLACE.sub(r"<\1>", self._scopes.at(span).qualname)
        return ".".join(_keys(self._module, span))


def _keys(module: ir.Module, span: Span) -> Iterator[str]:
    """The keys that lead to a place of a document; a list leads on without one."""
    inside: list[ir.Node] = [node for node in module.body if node.span.contains(span)]
    while inside:
        node = inside.pop()
        if isinstance(node, ir.Map):
            entry = next((entry for entry in node.entries if _holds(entry, span)), None)
            if entry is not None:
                yield str(entry.key.value) if isinstance(entry.key, ir.Literal) else ""
                inside = [entry.value]
        else:
            inside = [child for child in ir.children(node) if child.span.contains(span)]


def _holds(entry: ir.Entry, span: Span) -> bool:
    """Whether a place lies between the beginning of the key and the end of its value."""
    first, last = (entry.key or entry.value).span, entry.value.span
    begins, ends = (span.line, span.col), (span.end_line, span.end_col)
    return first[1:3] <= begins and ends <= last[3:5]
