"""Which modules' texts have something under a name, told by their bytes alone: whoever asks rests on the name, and on
the modules that have it, and not on all files.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.sources.byte_answers import told

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import SourceFile
    from agent_architecture.syntax import ir

    Find = Callable[[bytes], frozenset[bytes]]


def modules_with(program: Program, find: Find, name: str) -> tuple[ir.Module, ...]:
    """The modules in whose text `find` finds a name, in order."""
    before = program.rests.read
    found = program.once(_index, find).get(name, ())
    program.rests.read = before | program.rests.named(find.__name__, name)
    program.reads(*found)
    return found


def names_in(file: SourceFile | None, find: Find) -> frozenset[str]:
    """The names that a file has by such a question."""
    return frozenset(name.decode("utf-8", "replace") for name in told(file, find)) if file is not None else frozenset()


def _index(program: Program, find: Find) -> Mapping[str, tuple[ir.Module, ...]]:
    found: dict[str, list[ir.Module]] = {}
    for module in program.modules:
        for name in names_in(program.table.file(module.path), find):
            found.setdefault(name, []).append(module)
    return {name: tuple(modules) for name, modules in found.items()}
