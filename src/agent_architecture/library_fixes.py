"""What closes the gap of a rule in the libraries that a project declares: its manifests alone are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from agent_architecture.fixes import plain
from agent_architecture.records import NamedTuple
from agent_architecture.render.rule_help import LibraryFix

if TYPE_CHECKING:
    from pathlib import Path

    from agent_architecture.semantics.packs.packs import Packs
    from agent_architecture.semantics.packs.rows import FixRow

MANIFESTS: Final = ("pyproject.toml", "requirements*.txt", "setup.*", "Pipfile", "package.json", "uv.lock")
"""A folder that has none of these is no project, and nothing is read for it."""
MOST: Final = 4
"""Libraries whose fix is shown."""


class LibraryFixes(NamedTuple):
    """What closes the gap of a rule in a project; nothing where a folder holds none."""

    shown: Sequence[LibraryFix] = ()
    """In the libraries that the project declares."""
    written: Mapping[str, Sequence[str]] = MappingProxyType({})
    """The libraries for which the tool writes it by itself, by `safe` and `unsafe`."""


def library_fixes(key: str, folder: Path) -> LibraryFixes:
    """What closes the gap in the project in the folder."""
    if not _is_project(folder):
        return LibraryFixes()
    from agent_architecture.cache import is_apart
    from agent_architecture.semantics.packs.compiled import shipped_packs

    return fixes_by(shipped_packs(cached=is_apart([folder])), key, folder)


def _is_project(folder: Path) -> bool:
    return any(path.is_file() for name in MANIFESTS for path in folder.glob(name))


def fixes_by(packs: Packs, key: str, folder: Path) -> LibraryFixes:
    """The same, for packs that were read before."""
    if not _is_project(folder):
        return LibraryFixes()
    from agent_architecture.semantics.manifests.versions import read_versions
    from agent_architecture.semantics.topics.fixes.known_fixes import admits
    from agent_architecture.sources.walk import WalkOptions, walk

    manifests = walk([folder], WalkOptions(include=("/nothing but manifests",))).manifests
    versions = read_versions(manifests, packs.newest, packs.known)
    declared = versions.dependencies()
    installed = {(found.ecosystem, found.name) for found in declared}
    owners = {
        (pack.id, package.ecosystem)
        for pack in packs.packs.values()
        for package in pack.packages
        if (package.ecosystem, package.name) in installed
    }

    def fits(row: FixRow) -> bool:
        """Whether a version of its library that the project has is among the row's."""
        main = packs.main_package(row.where.pack, row.ecosystem)
        paths = [found.path or "" for found in declared if (found.ecosystem, found.name) == (row.ecosystem, main)]
        return any(admits(row, versions.of(row.ecosystem, main, path).version) for path in paths or [""])

    rows = [row for row in packs.fixes if row.detector == key and (row.where.pack, row.ecosystem) in owners]
    shown = [LibraryFix(row.where.pack, row.ecosystem, plain(row.text)) for row in rows if fits(row)][:MOST]
    return LibraryFixes(shown, written_fixes(packs, key))


def written_fixes(packs: Packs, key: str) -> Mapping[str, Sequence[str]]:
    """The libraries of the packs for which the tool writes what closes the gap, by `safe` and `unsafe`."""
    found: dict[str, list[str]] = {}
    for row in packs.fixes:
        if row.detector == key and row.edit is not None:
            found.setdefault("safe" if row.edit.way.safe else "unsafe", []).append(row.where.pack)
    return {kind: sorted(set(names)) for kind, names in found.items()}
