"""The files of a scan as modules, each parsed when it is first asked for, and once.

Knows paths and the parser it is given; must not know what an import means.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from agent_architecture.names.file_facts import Kept

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from agent_architecture.sources.source import Notice, SourceFile
    from agent_architecture.syntax.ir import Module


class ModuleTable:
    """Every file of a scan by its path, as bytes and, on demand, as a module."""

    __slots__ = ("_files", "_modules", "_parse", "above", "kept", "name", "paths")

    def __init__(
        self,
        files: Sequence[SourceFile],
        parse: Callable[[SourceFile], Module],
        name: str = "",
        kept: Kept | None = None,
        known: Mapping[str, Module] = MappingProxyType({}),
    ) -> None:
        """`parse` must not raise: what it cannot read is a notice of the module that it returns. `name` is that of the
        scanned folder, with those of the folders that it is in (`work/shop/desk`): it may be a package itself, or part
        of one. `kept` is what earlier scans of these files left; the modules that are `known` are not parsed.
        """
        *self.above, self.name = name.split("/")
        self.kept = Kept() if kept is None else kept
        self._files = {file.path: file for file in files}
        self._parse = parse
        self._modules: dict[str, Module] = dict(known)
        self.paths = frozenset(self._files)

    def file(self, path: str) -> SourceFile | None:
        """The file as it was read, or None if the scan has no such path."""
        return self._files.get(path)

    def files(self) -> tuple[SourceFile, ...]:
        """Every file, by path."""
        return tuple(self._files[path] for path in sorted(self._files))

    def get(self, path: str) -> Module | None:
        """The module at this path, parsed on first use, for who looks into it; None if the scan has no such path."""
        self.kept.rests.read |= self.kept.rests.of(path)
        return self.at(path)

    def at(self, path: str) -> Module | None:
        """The same for who has something of the module already."""
        module = self._modules.get(path)
        if module is None and (file := self._files.get(path)) is not None:
            module = self._modules[path] = self.kept.module(file, self._parse)
        return module

    def take(self, other: ModuleTable, changed: frozenset[str]) -> None:
        """Have the modules that another table of the same files has parsed, but of those that changed."""
        for path, module in other._modules.items():
            if path not in changed and path not in self._modules:
                self._modules[path] = self.kept.use(self._files[path], module)

    def loaded(self) -> tuple[Module, ...]:
        """The modules that were parsed so far, by path."""
        return tuple(self._modules[path] for path in sorted(self._modules))

    def notices(self) -> tuple[Notice, ...]:
        """What could not be read in the modules that were parsed so far, by path."""
        return tuple(notice for module in self.loaded() for notice in module.notices)
