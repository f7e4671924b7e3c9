"""The classes that a class inherits from, all of them, and what of its bases cannot be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from agent_architecture.names.values import Api, ClassValue
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program

MAX_CLASSES: Final = 300
_NOTHING: Final = ("py:builtins.", "py:typing.", "py:typing_extensions.", "py:abc.", "py:enum.", "py:collections.")
"""Bases of Python's own library that give a class nothing that packs speak of."""


class Lineage(NamedTuple):
    """A class with its bases, nearest first; the modules of bases elsewhere; the text of one that cannot be read."""

    classes: tuple[ir.Class, ...]
    outside: tuple[str, ...]
    unreadable: str


class Classes:
    """Lineages, remembered."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[ir.Class, Lineage] = {}

    def lineage(self, cls: ir.Class) -> Lineage:
        """The class and everything that it inherits from."""
        if cls not in self._known:
            self._known[cls] = self._find(cls)
        return self._known[cls]

    def _find(self, cls: ir.Class) -> Lineage:
        found = {cls: None}
        queue = [cls]
        outside: dict[str, None] = {}
        hidden = ""
        for current in queue:
            for base in current.bases:
                values = self._program.value_of(_plain(base))
                for value in values:
                    if isinstance(value, ClassValue) and value.cls not in found and len(found) < MAX_CLASSES:
                        found[value.cls] = None
                        queue.append(value.cls)
                    elif isinstance(value, Api) and not value.path.startswith(_NOTHING):
                        outside[value.path.removeprefix("py:").partition("(")[0]] = None
                if not any(isinstance(value, (ClassValue, Api)) for value in values):
                    hidden = f"{_name(base)} (a base of {current.name})"
        return Lineage(tuple(found), tuple(outside), hidden)


def _plain(base: ir.Expr) -> ir.Expr:
    """`Base[T]` is `Base`."""
    return base.target if isinstance(base, ir.Index) else base


def _name(base: ir.Expr) -> str:
    match base:
        case ir.Name(id=name) | ir.Member(name=name):
            return name
        case ir.Call(callee=callee):
            return f"{_name(callee)}()"
        case ir.Index(target=target):
            return _name(target)
        case _:
            return "an expression"
