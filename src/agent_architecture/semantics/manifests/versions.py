"""Which version of a library a piece of code runs with.

From strong to weak: the lock file, the newest known version that a
manifest's
range admits, the newest known version. Files nearer to the code come before those above. It must not know what
versions mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from agent_architecture.model.system import Dependency
from agent_architecture.semantics.manifests.lockfiles import Lock, is_lock, read_lock
from agent_architecture.semantics.manifests.manifests import Manifest, folders_above, read_manifests
from agent_architecture.semantics.manifests.npm_locks import yarn_range
from agent_architecture.semantics.manifests.ranges import NPM, choose, newest_of, normalise, satisfies
from agent_architecture.semantics.manifests.requirement import Requirement
from agent_architecture.sources.source import Notice, Role, SourceFile

LOCKED: Final = "lock"
"""The origin of a version that a lock file names."""
Package = tuple[str, str]
"""Ecosystem (`pypi`, `npm`) and package."""

# What these declare is not what the project depends on: recorded data, other people's packages.
_FOREIGN: Final = frozenset({Role.TEST, Role.GENERATED, Role.VENDORED})


def read_versions(
    manifests: Sequence[SourceFile],
    newest: Mapping[Package, str],
    known: Mapping[Package, tuple[str, ...]] = MappingProxyType({}),
) -> Versions:
    """Read all manifests and lock files of a project.

    Args:
        manifests: the files (`Walked.manifests`), in any order.
        newest: the newest version of each package that the packs know.
        known: the versions of each package that the packs know: those that a range is resolved to.
    """
    locks: list[Lock] = []
    notices: list[Notice] = []
    files = sorted(manifests, key=lambda file: file.path)
    for file in files:
        lock, problems = read_lock(file)
        notices += problems
        if lock:
            locks.append(lock)
    declared = read_manifests([file for file in files if not is_lock(file.path)])
    notices += declared.notices
    return Versions(declared.manifests, (*locks, *declared.compiled), notices, newest, known, files)


class Versions:
    """The versions of a project's libraries. Answers are remembered."""

    def __init__(  # noqa: PLR0913, PLR0917 - what was read of one project
        self,
        manifests: Iterable[Manifest],
        locks: Iterable[Lock],
        notices: Iterable[Notice],
        newest: Mapping[Package, str],
        known: Mapping[Package, tuple[str, ...]],
        files: Sequence[SourceFile] = (),
    ) -> None:
        self.files: Final = tuple(files)
        """The manifests and lock files themselves, by path."""
        self.notices: Final = tuple(sorted(set(notices), key=lambda n: (n.path, n.line or 0, n.message)))
        """What could not be read, and where."""
        self._manifests: dict[tuple[str, str], list[Manifest]] = {}
        self._locks: dict[tuple[str, str], list[Lock]] = {}
        for manifest in sorted(manifests, key=lambda manifest: manifest.path):
            self._manifests.setdefault((manifest.ecosystem, manifest.folder), []).append(manifest)
        for lock in sorted(locks, key=lambda lock: (lock.preference, lock.path)):
            self._locks.setdefault((lock.ecosystem, lock.folder), []).append(lock)
        self._newest = {(e, normalise(e, name)): version for (e, name), version in newest.items()}
        self._known = {(e, normalise(e, name)): versions for (e, name), versions in known.items()}
        self._answers: dict[tuple[str, str, str], Dependency] = {}

    def of(self, ecosystem: str, package: str, path: str) -> Dependency:
        """The version of `package` for the file at `path` (relative to the root); "" where nobody knows one.

        `Dependency.path` is the file that says so. A lock file above a nearer manifest counts only when it keeps to
        the range
        of that manifest: it serves the packages of its workspace, and nobody else.
        """
        name = normalise(ecosystem, package)
        folder = path.rpartition("/")[0]
        key = (ecosystem, name, folder)
        if key not in self._answers:
            self._answers[key] = self._find(ecosystem, name, folder)
        return self._answers[key]

    def dependencies(self) -> tuple[Dependency, ...]:
        """All direct dependencies that the project's manifests declare, sorted.

        Those of test data and vendored code are left out. What a program pinned in a requirements file counts as
        declared when no other manifest stands beside it.
        """
        found = {
            self.of(manifest.ecosystem, requirement.name, f"{manifest.folder}/." if manifest.folder else ".")
            for manifests in self._manifests.values()
            for manifest in manifests
            for requirement in manifest.requirements
            if manifest.role not in _FOREIGN
        }
        found |= {
            self.of(lock.ecosystem, name, f"{lock.folder}/." if lock.folder else ".")
            for locks in self._locks.values()
            for lock in locks
            for name in lock.content.versions
            if lock.is_compiled and (lock.ecosystem, lock.folder) not in self._manifests and lock.role not in _FOREIGN
        }
        return tuple(sorted(found, key=lambda d: (d.name, d.ecosystem, d.path or "", d.version)))

    def _find(self, ecosystem: str, name: str, folder: str) -> Dependency:
        declared: list[tuple[Manifest, Requirement]] = []
        for above in folders_above(folder):
            declared = declared or _declared(self._manifests.get((ecosystem, above), ()), name)
            for lock in self._locks.get((ecosystem, above), ()):
                version = _locked(lock, name, folder, declared)
                if version:
                    return Dependency(name, ecosystem, version, LOCKED, lock.path)
        newest = self._newest.get((ecosystem, name), "")
        if not declared:
            return Dependency(name, ecosystem, newest, "newest", None)
        candidates = {*self._known.get((ecosystem, name), ()), newest} - {""}
        version = choose(ecosystem, [requirement.ranges for _, requirement in declared], sorted(candidates))
        return Dependency(name, ecosystem, version or newest, "manifest", declared[0][0].path)


def _declared(manifests: Iterable[Manifest], name: str) -> list[tuple[Manifest, Requirement]]:
    """What the manifests of one folder say of `name`, one requirement a file; one that restricts it comes first."""
    found = [(manifest, best) for manifest in manifests if (best := _best(manifest.requirements, name))]
    return sorted(found, key=lambda pair: (not any(pair[1].ranges), pair[1].rank, pair[0].path))


def _best(requirements: Iterable[Requirement], name: str) -> Requirement | None:
    """The requirement of the lowest rank; several of that rank are alternatives."""
    named = [requirement for requirement in requirements if requirement.name == name]
    if not named:
        return None
    rank = min(requirement.rank for requirement in named)
    ranges = {text: None for requirement in named if requirement.rank == rank for text in requirement.ranges}
    return Requirement(name, tuple(ranges), rank)


def _locked(lock: Lock, name: str, folder: str, declared: Sequence[tuple[Manifest, Requirement]]) -> str | None:
    """The version that `lock` gives a program in `folder`; None when it does not speak of it."""
    demands = [requirement.ranges for _, requirement in declared]
    nearest = declared[0][0].folder if declared else None
    for inner in _inner_folders(lock.folder, folder):
        version = lock.content.pinned.get(inner, {}).get(name)
        # What the lock file says of the manifest's own folder holds in any case: overrides may leave the range.
        if version and (_join(lock.folder, inner) == nearest or satisfies(lock.ecosystem, demands, version)):
            return version
    if lock.ecosystem == NPM:
        for text in (text for demand in demands for text in demand):
            resolved = lock.content.ranges.get((name, yarn_range(text)))
            if resolved:
                return resolved
    admitted = [v for v in lock.content.versions.get(name, ()) if satisfies(lock.ecosystem, demands, v)]
    return newest_of(lock.ecosystem, admitted) or next(iter(admitted), None)


def _inner_folders(base: str, folder: str) -> Iterator[str]:
    """`folder` and those above it down from `base`, relative to `base`."""
    relative = folder.removeprefix(base).strip("/")
    return folders_above(relative)


def _join(base: str, inner: str) -> str:
    return "/".join(filter(None, (base, inner)))
