"""Which file, folder or library an import means. The one place that other modules ask.

Knows both languages' rules by their two path modules; must not know which names a module offers (`exports` does).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.import_targets import InFolder, InProject, Missing, Outside, Target, parent
from agent_architecture.names.json_documents import JsonDocuments
from agent_architecture.names.python_paths import PythonPaths
from agent_architecture.sources.source import Language

if TYPE_CHECKING:
    from agent_architecture.names.javascript_paths import JavaScriptPaths
    from agent_architecture.names.modules import ModuleTable
    from agent_architecture.sources.source import Notice
    from agent_architecture.syntax.ir import Import, Module

__all__ = ["InFolder", "InProject", "Missing", "Outside", "Specifiers", "Target"]

_PYTHON = frozenset({Language.PYTHON, Language.NOTEBOOK})


class Specifiers:
    """Resolves imports against the files of one scan, and remembers."""

    __slots__ = ("_documents", "_javascript", "_known", "imports", "python", "table")

    def __init__(self, table: ModuleTable) -> None:
        self.table = table
        self.python = PythonPaths(table)
        self._documents = JsonDocuments(table)
        self._javascript: JavaScriptPaths | None = None
        self._known: dict[tuple[str, str, int, bool], tuple[Target, ...]] = {}
        self.imports: dict[str, frozenset[str]] = {}
        """The project files that a module imports: the memory of `select`."""

    def targets(self, module: Module, imp: Import) -> tuple[Target, ...]:
        """What an import of this module can mean: candidates, most likely first, never none.

        The first candidate that has the wanted name is meant. A library always counts as having it and comes last; only
        where `import a` could mean no more than a bare folder `a` of the project does the library come first.
        """
        return self.resolve(module.path, module.language, imp.module, imp.level, whole=not imp.names)

    def bound(self, module: Module, imp: Import) -> tuple[Target, ...]:
        """What the alias of a whole-module import is bound to: the module; the package `a` for `import a.b`."""
        targets = self.targets(module, imp)
        if not imp.binds_root or "." not in imp.module:
            return targets
        depth = imp.module.count(".")
        return tuple(dict.fromkeys(self._package_above(target, depth) for target in targets))

    def resolve(
        self, path: str, language: Language, specifier: str, level: int = 0, *, whole: bool = False
    ) -> tuple[Target, ...]:
        """The same for a specifier as written in the file `path`; `whole` when the module itself is wanted."""
        key = (path, specifier, level, whole)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._resolve(path, language, specifier, level, whole=whole)
        return known

    def notices(self) -> tuple[Notice, ...]:
        """Configuration that could not be read, so that imports were resolved without it."""
        return tuple(sorted(self._documents.notices, key=lambda notice: (notice.path, notice.line or 0)))

    def _resolve(self, path: str, language: Language, specifier: str, level: int, *, whole: bool) -> tuple[Target, ...]:
        if language in _PYTHON:
            if level:
                return self.python.relative(path, specifier, level)
            return self.python.absolute(path, specifier, whole=whole)
        if self._javascript is None:
            from agent_architecture.names.javascript_paths import JavaScriptPaths

            self._javascript = JavaScriptPaths(self.table, self._documents)
        return (self._javascript.resolve(path, specifier),)

    def _package_above(self, target: Target, depth: int) -> Target:
        """The package `depth` levels above a Python module."""
        if isinstance(target, Outside):
            return Outside(target.path.rsplit(".", depth)[0])
        if isinstance(target, Missing):
            return target
        folder = target.path
        if isinstance(target, InProject):
            package, _, name = target.path.rpartition("/")
            folder = package if name.startswith("__init__.") else target.path.rpartition(".")[0]
        for _ in range(depth):
            folder = parent(folder)
        return self.python.at(folder) or InFolder(folder)
