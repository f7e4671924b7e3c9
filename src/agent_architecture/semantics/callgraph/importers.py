"""Which files load a module by importing it, and which folders are packages whose files are imported one by one."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from agent_architecture.names.import_targets import InProject
from agent_architecture.names.select import imports_of, imports_when_run
from agent_architecture.sources.languages import is_python
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agent_architecture.names.program import Program

FACES: Final = frozenset({"__init__", "index"})
"""Names of the files that stand for their folder."""
FEW: Final = 2
"""Files of a folder that others import until its files are known to be taken by imports."""


class Importers:
    """Answers for the modules of one program."""

    def __init__(self, program: Program, modules: Mapping[str, ir.Module]) -> None:
        self._program = program
        self._modules = modules

    def of(self, path: str) -> tuple[str, ...]:
        """The files that import a module; what is imported of a package loads what stands above it."""
        return self._importers.get(path, ())

    def is_for_types(self, path: str) -> bool:
        """Whether others import a module for a type checker alone."""
        return path in self._typed and not self.of(path)

    def takes_from(self, folder: str) -> bool:
        """Whether the application takes the files of a folder by importing them: some, and not only from each other."""
        return self._taken.get(folder, 0) >= FEW

    def takes_near(self, folder: str) -> bool:
        """Whether it takes so the files of a folder, of the one around it, or of one beside it."""
        around = folder.rpartition("/")[0]
        return self.takes_from(folder) or bool(
            around and any(self.takes_from(each) for each in self._taken if around in {each, each.rpartition("/")[0]})
        )

    @cached_property
    def _importers(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, set[str]] = {}
        specifiers = self._program.exports.specifiers
        for module in self._modules.values():
            for target in imports_when_run(specifiers, module) - self._hidden(module):
                found.setdefault(target, set()).add(module.path)
            if module.path.endswith(".py"):
                for package in _packages(module.path):
                    found.setdefault(package, set()).add(module.path)
        return {target: tuple(sorted(paths - {target})) for target, paths in found.items()}

    @cached_property
    def _typed(self) -> frozenset[str]:
        specifiers = self._program.exports.specifiers
        every = (imports_of(specifiers, each) - imports_when_run(specifiers, each) for each in self._modules.values())
        return frozenset().union(*every)

    def _hidden(self, module: ir.Module) -> frozenset[str]:
        """The files that a module's imports do not load: those of which a package gives something else by their name
        (`from agents import plan`, where `agents/__init__.py` has `from .planner import plan`).
        """
        hidden: set[str] = set()
        loaded: set[str] = set()
        for _, node in module.index.imports if is_python(module.path) else ():
            for target in self._program.exports.specifiers.targets(module, node):
                if not isinstance(target, InProject):
                    continue
                loaded.add(target.path)
                for name in node.names:
                    below = self._program.exports.specifiers.python.submodule(target, name.name)
                    if isinstance(below, InProject):
                        is_given = target.path != module.path and self._gives(target.path, name.name)
                        (hidden if is_given else loaded).add(below.path)
        return frozenset(hidden - loaded)

    def _gives(self, path: str, name: str) -> bool:
        """Whether loading a package always binds a name in it."""
        package = self._modules.get(path)
        return package is not None and any(_binds(node, name) for node in package.body)

    @cached_property
    def _taken(self) -> Mapping[str, int]:
        found: dict[str, int] = {}
        outside: set[str] = set()
        for target, paths in self._importers.items():
            folder, name = _parted(target)
            taking = [path for path in paths if self._modules[path].role is Role.APP]
            if name in FACES or not taking:
                continue
            found[folder] = found.get(folder, 0) + 1
            if any(_is_outside(path, folder) for path in taking):
                outside.add(folder)
        return {folder: count for folder, count in found.items() if folder in outside}


def _is_outside(path: str, folder: str) -> bool:
    """Whether a file stands outside of a folder, or stands for it."""
    around, name = _parted(path)
    return around != folder or name in FACES


def _binds(statement: ir.Node, name: str) -> bool:
    if isinstance(statement, ir.Import):
        return any(one.alias == name for one in statement.names)
    return isinstance(statement, (ir.Function, ir.Class)) and statement.name == name


def _parted(path: str) -> tuple[str, str]:
    """The folder of a file, and its name without what follows a point."""
    folder, _, name = path.rpartition("/")
    return folder, name.partition(".")[0]


def _packages(path: str) -> Iterator[str]:
    """The packages around a Python module."""
    folder = path.rpartition("/")[0]
    while folder:
        if f"{folder}/__init__.py" != path:
            yield f"{folder}/__init__.py"
        folder = folder.rpartition("/")[0]
