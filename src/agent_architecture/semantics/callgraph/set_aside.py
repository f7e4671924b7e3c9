"""Files of a program that stand for nothing of their own: copies of others that the same code could import as well,
and what was put into an archive from which nobody takes it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from agent_architecture.names.import_targets import nearness, parent
from agent_architecture.regexes import regex

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_architecture.semantics.callgraph.importers import Importers
    from agent_architecture.sources.source import SourceFile

ARCHIVE: Final = regex(r"_?archived?")
"""Folders into which people put what they use no more."""


class SetAside:
    """Answers for one program; `files` are its code."""

    def __init__(self, files: Mapping[str, SourceFile], importers: Importers) -> None:
        self._files = files
        self._importers = importers
        self._known: dict[str, bool] = {}

    def holds(self, path: str) -> bool:
        """Whether a file is such a copy, or archived."""
        known = self._known.get(path)
        if known is None:
            known = self._known[path] = self._is_archived(path) or self._is_copy(path)
        return known

    def _is_archived(self, path: str) -> bool:
        parts = path.split("/")[:-1]
        depth = next((n for n, part in enumerate(parts, 1) if ARCHIVE.fullmatch(part.lower())), None)
        if depth is None:
            return False
        folder = "/".join(parts[:depth]) + "/"
        inside = (each for each in self._files if each.startswith(folder))
        return not any(not by.startswith(folder) for each in inside for by in self._importers.of(each))

    def _is_copy(self, path: str) -> bool:
        """Whether all that may import a file finds the same file nearer by."""
        by = self._importers.of(path)
        return bool(by) and any(
            set(by) <= set(self._importers.of(other)) and all(self._is_nearer(each, other, path) for each in by)
            for other in self._same.get(self._files[path].data, ())
            if other != path
        )

    def _is_nearer(self, importer: str, one: str, other: str) -> bool:
        folder = parent(importer)
        return nearness(folder, parent(one)) > nearness(folder, parent(other))

    @cached_property
    def _same(self) -> Mapping[bytes, tuple[str, ...]]:
        """The files of each content that several have."""
        found: dict[bytes, list[str]] = {}
        for path, file in self._files.items():
            found.setdefault(file.data, []).append(path)
        return {data: tuple(paths) for data, paths in found.items() if data and len(paths) > 1}
