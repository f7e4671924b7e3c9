"""Tools that a module keeps under a private name which nothing says again: they are made, and nobody is given them.

What is made may register itself, so only what does nothing else than describe is looked at: a table or list of tools,
or one that a call makes which is called after tools. A name that a module keeps for itself is in its own file alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agent_architecture.names.code_words import CodeWords
    from agent_architecture.sources.source import SourceFile, Span

MAKING: Final = regex(r"^(?!.*(?:regist|add|bind|install)).*tool$", re.IGNORECASE)
"""What a call is called that makes a tool, and puts it nowhere."""
PRIVATE: Final = "_"


class PrivateTables:
    """Tells which places stand in such tables."""

    def __init__(self, files: Mapping[str, SourceFile], words: CodeWords) -> None:
        self._files = files
        self._words = words
        self._left: dict[str, tuple[Span, ...]] = {}

    def holds(self, module: ir.Module, span: Span) -> bool:
        """Whether a place stands in what a module makes under a private name that nothing says."""
        left = self._left.get(module.path)
        if left is None:
            left = self._left[module.path] = tuple(self._left_in(module))
        return any(each.contains(span) for each in left)

    def _left_in(self, module: ir.Module) -> Iterator[Span]:
        file = self._files.get(module.path)
        is_module = is_python(module.path) or module.index.imports or module.index.exports
        for node in module.body if file is not None and is_module else ():
            if isinstance(node, ir.Assign) and isinstance(node.target, ir.Name) and _only_makes(node.value):
                name = node.target.id
                if _is_private(module, name) and file is not None and len([*self._words.places(file, name)]) == 1:
                    yield node.span


def _is_private(module: ir.Module, name: str) -> bool:
    """Whether no other module can ask for a name; one of Python says so by its form."""
    if is_python(module.path):
        return name.startswith(PRIVATE)
    return not any(name in {each.local, each.exported} for each in module.index.exports)


def _only_makes(value: ir.Expr | None) -> bool:
    """Whether an expression makes tools, and nothing else."""
    match value:
        case ir.Map(entries=entries):
            parts = tuple(entry.value for entry in entries)
        case ir.List(items=items):
            parts = tuple(items)
        case _:
            parts = (value,) if value is not None else ()
    return any(map(_makes, parts)) and all(_makes(each) or isinstance(each, (ir.Name, ir.Spread)) for each in parts)


def _makes(expr: ir.Expr) -> bool:
    """Whether a call makes a tool: `tool(…)`, `StructuredTool.from_function(…)`, and not `server.tool(…)`."""
    match expr:
        case ir.Call(callee=ir.Name(id=name)):
            return MAKING.match(name) is not None
        case ir.Call(callee=ir.Member(name=name, target=ir.Name(id=of))):
            return of[:1].isupper() and MAKING.match(of) is not None and name.startswith("from")
        case _:
            return False
