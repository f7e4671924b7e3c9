"""Which classes of a project derive from which: told apart before the first value is asked (`Program.tell_apart`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.memoized import Once

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.syntax import ir


def subclasses(program: Program, cls: ir.Class) -> tuple[ir.Class, ...]:
    """The classes that name `cls` among their bases, directly or through others, nearest first."""
    if program.derived is None:
        program.tell_apart()
    found: dict[ir.Class, None] = {}
    queue = [cls]
    for current in queue:
        program.rests.read |= program.rests.named("base", current.name)
        program.reads(current)
        for candidate in (program.derived or {}).get(current, ()):
            if candidate not in found:
                found[candidate] = None
                queue.append(candidate)
    return tuple(found)


def derived(program: Program) -> dict[ir.Class, tuple[ir.Class, ...]]:
    """For each class those that name it as a base. What the open questions depend on must not shape this table, and
    what functions are handed names no base.
    """
    from agent_architecture.names.classes import project_bases

    memory, program.memory, program.derived, program.is_naming = program.memory, program.naming, {}, True
    answers, program.answers = program.answers, Once(program)
    table: dict[ir.Class, list[ir.Class]] = {}
    try:
        for module in program.parsed:
            for candidate in module.index.classes:
                for base in project_bases(program, candidate):
                    table.setdefault(base, []).append(candidate)
    finally:
        program.memory, program.answers, program.is_naming = memory, answers, False
        program.answers.forget()
    return {base: tuple(found) for base, found in table.items()}
