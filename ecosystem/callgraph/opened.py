"""A folder of code as the name layer sees it, with all of its files parsed and libraries that nobody knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.exports import Exports
from agent_architecture.names.modules import ModuleTable
from agent_architecture.names.program import Program
from agent_architecture.names.specifiers import Specifiers
from agent_architecture.sources.walk import walk
from agent_architecture.syntax.parse import parse

if TYPE_CHECKING:
    from pathlib import Path

    from agent_architecture.syntax import ir

HANDED: Final = "<handed>"
"""The step of an access path from a library's call to what it hands to a function that it is given."""
_MOST: Final = 4


class AnyLibrary:
    """Libraries as they are where no pack says more: one name for each thing, new results, and what a call hands to the
    functions that it is given is something of its own, told apart by position (`lib.on.<handed>.0`).
    """

    def canonical(self, path: str) -> str:
        """The path itself."""
        return path

    def passes(self, path: str) -> tuple[tuple[str, ...], ...]:
        """What a call returns is new, but for a function that is only made to return a promise."""
        return (("0",),) if path.endswith("promisify") else ()

    def makes(self, path: str) -> str | None:
        """Nothing of the project's own."""
        del path
        return None

    def tells_apart(self, path: str, call: ir.Call) -> tuple[tuple[str, ...], ...]:
        """Nothing is told apart by who had it made."""
        del path, call
        return ()

    def holds(self, path: str) -> int | None:
        """Nothing is generic."""
        del path
        return None

    def hands(self, path: str) -> tuple[str, ...]:
        """What a pack's rows would name, for each position; of the languages' own functions nothing."""
        if path.startswith(("py:builtins.", "npm:globalThis:")):
            return ()
        return tuple(f"{path}.{HANDED}.{position}" for position in range(_MOST))

    def runs(self, path: str) -> str:
        """No method runs another one."""
        del path
        return ""

    def runs_given(self, path: str) -> tuple[str, ...]:
        """No method runs what the object was made of."""
        del path
        return ()

    def answering(self, name: str) -> frozenset[str]:
        """No decorator puts a library's thing in the place of a function."""
        del name
        return frozenset()

    def runners(self, path: str) -> frozenset[str]:
        """No method runs another one."""
        del path
        return frozenset()


def opened(folder: Path) -> Program:
    """The program of a folder. Raises `UsageError` where there is none."""
    files = walk([folder]).files
    table = ModuleTable(files, parse, folder.name)
    for file in files:
        table.get(file.path)
    return Program(table, Exports(Specifiers(table)), AnyLibrary())
