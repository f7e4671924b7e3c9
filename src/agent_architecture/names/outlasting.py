"""Which answers about a program outlast an edit: those that rest on nothing that changed (`rests`).

Asks of two programs of one project, one after the other, which files differ, and which names the indexes of the whole
program have more or fewer of; then hands on what was remembered. Where there are other files, or others of them are
parsed, nothing is handed on, for that decides what imports mean and whose calls are known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from agent_architecture.names.application_state import kept_on_application
from agent_architecture.names.callers import passed_names
from agent_architecture.names.flow_paths import Ways
from agent_architecture.names.outside_writes import assigned, put_into
from agent_architecture.names.text_indexes import names_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from agent_architecture.names.program import Program
    from agent_architecture.syntax import ir

OWN: Final = __name__.rpartition(".")[0]
"""The package whose functions note what they read."""

GROWTH: Final = 2
"""Times as many answers as a program had that was worked out from nothing: with more, one is worked out so again."""

FEW: Final = 5000
"""Answers that are no burden."""

CONFIGURES: Final = ".json"
"""What configures which files imports mean ends so (`package.json`, `tsconfig.json`, and what these extend)."""


class Outlasting:
    """What a program takes over of the one before, once it is known which classes derive from which."""

    __slots__ = ("_before", "_changed", "_dead", "_program")

    def __init__(self, program: Program, before: Program, changed: frozenset[str]) -> None:
        self._program = program
        self._before = before
        self._changed = changed
        self._dead = _dead(program, before, changed)

    def take_structure(self) -> None:
        """What is known of single modules, and what was made for answers that last."""
        program, before, changed = self._program, self._before, self._changed
        program.known_at_first = before.known_at_first or len(before.memory.final)
        program.table.take(before.table, changed)
        program.exports.folders.update(before.exports.folders)
        _fill(program.exports.known, before.exports.known, self._dead, 1)
        program.made = before.made.without(changed)
        program.decorations = {
            key: site for key, site in before.decorations.items() if site.call.span.path not in changed
        }
        program.unquoted = {node: part for node, part in before.unquoted.items() if node.span.path not in changed}
        program.changes = {key: found for key, found in before.changes.items() if key[0].span.path not in changed}
        program.growing = {module: found for module, found in before.growing.items() if module.path not in changed}
        program.class_attributes = {
            cls: found for cls, found in before.class_attributes.items() if cls.span.path not in changed
        }
        _fill(program.naming.final, before.naming.final, self._dead, 2)

    def take(self) -> None:
        """The answers that hold."""
        program, before = self._program, self._before
        dead = self._dead | _of_bases(program, before) | _of_handed(program, self._changed)
        _fill(program.memory.final, before.memory.final, dead, 2)
        _fill(program.sites.told, before.sites.told, dead, 2)
        _fill(program.by_types.known_methods, before.by_types.known_methods, dead, 2)
        _fill(program.by_types.known_sorts, before.by_types.known_sorts, dead, 2)
        for question, answers in before.answers.answers.items():
            if question.__module__.startswith(OWN) or question in before.answers.lasting:
                _fill(program.answers.answers.setdefault(question, {}), answers, dead, 1)
        program.ways = before.ways
        program.ways.forget(self._changed, dead)


def outlasting(program: Program, before: Program | None) -> Outlasting | None:
    """What a program may take over of the one before; None where it has to be worked out from nothing."""
    if before is None or before.is_supplied or before.memory.is_cut or before.naming.is_cut or before.derived is None:
        return None
    if len(before.memory.final) > GROWTH * (before.known_at_first or len(before.memory.final)) + FEW:
        return None
    changed = _changed(program, before)
    if changed is None or [module.path for module in program.parsed] != [module.path for module in before.parsed]:
        return None
    found = Outlasting(program, before, changed)
    found.take_structure()
    return found


def forget(program: Program) -> None:
    """What was taken over does not know of what a library is said to add now."""
    program.memory.final.clear()
    program.sites.told.clear()
    program.by_types.known_methods.clear()
    program.by_types.known_sorts.clear()
    program.answers.forget()
    program.ways = Ways()


def _changed(program: Program, before: Program) -> frozenset[str] | None:
    """The files that hold something else; None where others are there, or others than code decide what imports mean."""
    old, new = before.table, program.table
    if old.paths != new.paths:
        return None
    changed: set[str] = set()
    for path in new.paths:
        one, other = old.file(path), new.file(path)
        if one is other or one is None or other is None:  # another object is another module
            continue
        if one[:3] != other[:3] or path.endswith(CONFIGURES):
            return None
        changed.add(path)
    parsed = {module.path for module in before.parsed}
    beside = (module for module in old.loaded() if module.path not in parsed)
    return None if any(module.notices for module in beside) else frozenset(changed)


def _dead(program: Program, before: Program, changed: frozenset[str]) -> int:
    """The bits of the files that changed, and of the names of which they give indexes something else."""
    rests, dead = program.rests, program.rests.everything
    old, new = _modules(before, changed), _modules(program, changed)
    for path in changed:
        dead |= rests.of(path)
        if path in old and path in new:
            for index, names in INDEXES.items():
                for name in names(old[path]) ^ names(new[path]):
                    dead |= rests.named(index, name if isinstance(name, str) else name[0])
            for find in TEXTS:
                for name in names_in(before.table.file(path), find) ^ names_in(program.table.file(path), find):
                    dead |= rests.named(find.__name__, name)
    return dead


def _modules(program: Program, paths: frozenset[str]) -> dict[str, ir.Module]:
    return {module.path: module for module in program.parsed if module.path in paths}


def _methods(module: ir.Module) -> frozenset[str]:
    from agent_architecture.syntax import ir

    return frozenset(one.name for one in module.index.functions if isinstance(one.outer, ir.Class))


def _aliases(module: ir.Module) -> frozenset[tuple[str, str]]:
    from agent_architecture.names.imported import renamings

    return frozenset(renamings(module))


def _imports(module: ir.Module) -> frozenset[str]:
    return frozenset(name.name for _, node in module.index.imports for name in node.names)


INDEXES: Final[Mapping[str, Callable[[ir.Module], frozenset[Any]]]] = {
    "call": lambda module: frozenset(module.index.calls),
    "method": _methods,
    "alias": _aliases,
    "import": _imports,
}
"""The names under which each index of a program has something of a module."""
TEXTS: Final = (assigned, kept_on_application, put_into)
"""The same of indexes that are made of texts alone (`text_indexes`)."""


def _of_bases(program: Program, before: Program) -> int:
    """The bits of the classes from which others derive than before."""
    old, new = before.derived or {}, program.derived or {}
    dead = 0
    for cls in old.keys() | new.keys():
        if old.get(cls, ()) != new.get(cls, ()):
            dead |= program.rests.named("base", cls.name)
    return dead


def _of_handed(program: Program, changed: frozenset[str]) -> int:
    """The bits of what the changed modules now hand to the languages' own runners."""
    dead = 0
    for module in program.parsed:
        if module.path in changed:
            for name in passed_names(program, module):
                dead |= program.rests.named("handed", name)
    return dead


def _fill(into: dict[Any, Any], known: Mapping[Any, Any], dead: int, at: int) -> None:
    """The answers that rest on nothing of this; what each rests on stands at this position."""
    into.update(_alive(known, dead, at))


def _alive(known: Mapping[Any, Any], dead: int, at: int) -> Iterator[tuple[Any, Any]]:
    said: dict[int, bool] = {}
    for key, answer in known.items():
        rests = answer[at]
        lasts = said.get(id(rests))
        if lasts is None:
            lasts = said[id(rests)] = not rests & dead
        if lasts:
            yield key, answer
