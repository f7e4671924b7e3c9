"""What the manifests of a project declare, each for the folder that it stands in.

It puts together what `python_manifests`, `npm_manifests` and `requirements` read: includes, constraints, catalogs. It
must not
know lock files of package managers; a requirements file that a program pinned is one, and comes out as such.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from agent_architecture.records import NamedTuple
from agent_architecture.semantics.manifests.locked_versions import Locked, collect
from agent_architecture.semantics.manifests.lockfiles import COMPILED, Lock
from agent_architecture.semantics.manifests.npm_manifests import Catalogs, read_catalogs, read_package
from agent_architecture.semantics.manifests.plain_data import BrokenFileError
from agent_architecture.semantics.manifests.python_manifests import read_python
from agent_architecture.semantics.manifests.ranges import NPM, PYPI
from agent_architecture.semantics.manifests.requirement import MAIN, Requirement
from agent_architecture.semantics.manifests.requirements import Demand, RequirementsFile, read_requirements
from agent_architecture.sources.source import Notice, Role, SourceFile

_CATALOGS: Final = frozenset({"pnpm-workspace.yaml", ".yarnrc.yml", "package.json"})
_PYTHON: Final = frozenset({"pyproject.toml", "pipfile", "setup.cfg"})

# `requirements/base.txt` belongs to the project that has the folder, not to the folder.
_REQUIREMENT_FOLDERS: Final = frozenset({"requirements", "constraints"})
AROUND: Final = frozenset({
    "docker", ".docker", ".container", "deploy", "deployment", "build", "infra", "compose", "k8s",
    "kubernetes", "manifests",
})  # fmt: skip
"""Names of folders with what builds and starts the project around them."""


class Manifest(NamedTuple):
    """What one file declares for the programs in and below `folder` ("" for the root)."""

    path: str
    folder: str
    ecosystem: str
    role: Role
    requirements: tuple[Requirement, ...]


class Manifests(NamedTuple):
    """All that is declared. `compiled` are the requirements files that a program pinned."""

    manifests: tuple[Manifest, ...]
    compiled: tuple[Lock, ...]
    notices: tuple[Notice, ...]


def read_manifests(files: Iterable[SourceFile]) -> Manifests:
    """Read every manifest among `files`, which are no lock files of package managers; what is broken gives a notice."""
    by_name: dict[str, list[SourceFile]] = {}
    for file in sorted(files, key=lambda file: file.path):
        by_name.setdefault(file.path.rpartition("/")[2].lower(), []).append(file)
    known = _PYTHON | _CATALOGS
    reader = _Reader()
    reader.read_catalogs([file for name in sorted(_CATALOGS) for file in by_name.get(name, ())])
    for file in by_name.get("package.json", ()):
        reader.read_package(file)
    for name in sorted(_PYTHON):
        for file in by_name.get(name, ()):
            reader.read_python(file)
    reader.read_requirements([file for name, found in by_name.items() if name not in known for file in found])
    order = sorted(reader.manifests, key=lambda manifest: manifest.path)
    return Manifests(tuple(order), tuple(reader.compiled), tuple(reader.notices))


def folders_above(folder: str) -> Iterator[str]:
    """`folder` and the folders above it, up to the root ""."""
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]
    yield ""


class _Reader:
    """The state of one reading."""

    def __init__(self) -> None:
        self.manifests: list[Manifest] = []
        self.compiled: list[Lock] = []
        self.notices: list[Notice] = []
        self.catalogs: dict[str, list[Catalogs]] = {}

    def _broken(self, file: SourceFile, error: BrokenFileError) -> None:
        self.notices.append(Notice(file.path, error.line, f"{error}: not read"))

    def _declare(self, file: SourceFile, folder: str, ecosystem: str, requirements: Sequence[Requirement]) -> None:
        self.manifests.append(Manifest(file.path, folder, ecosystem, file.role, tuple(requirements)))

    def read_catalogs(self, files: Iterable[SourceFile]) -> None:
        for file in files:
            try:
                found = read_catalogs(file)
            except BrokenFileError as error:
                if not file.path.endswith("package.json"):  # which is read once more, and then complained of
                    self._broken(file, error)
                continue
            self.catalogs.setdefault(file.path.rpartition("/")[0], []).append(found)

    def read_package(self, file: SourceFile) -> None:
        folder = file.path.rpartition("/")[0]

        def look_up(catalog: str, package: str) -> str | None:
            reach = (found for above in folders_above(folder) for found in self.catalogs.get(above, ()))
            return next((found[catalog][package] for found in reach if package in found.get(catalog, ())), None)

        try:
            self._declare(file, folder, NPM, read_package(file, look_up))
        except BrokenFileError as error:
            self._broken(file, error)

    def read_python(self, file: SourceFile) -> None:
        try:
            requirements, notices = read_python(file)
        except BrokenFileError as error:
            self._broken(file, error)
            return
        self.notices += notices
        self._declare(file, file.path.rpartition("/")[0], PYPI, requirements)

    def read_requirements(self, files: Sequence[SourceFile]) -> None:
        read = {file.path: read_requirements(file) for file in files}
        for file in files:
            found = read[file.path]
            self.notices += found.notices
            folder, name = _project_folder(file.path)
            if found.compiled:
                versions = collect((demand.name, demand.range.removeprefix("==")) for demand in found.demands)
                self.compiled.append(Lock(file.path, folder, PYPI, COMPILED, file.role, Locked(versions)))
            elif "constraints" not in name:
                self._declare(file, folder, PYPI, self._expanded(found, read))

    def _expanded(self, start: RequirementsFile, read: Mapping[str, RequirementsFile]) -> list[Requirement]:
        """The demands of a file and of those that it includes, each narrowed by the constraints that it names."""
        demands: list[Demand] = []
        constraints: dict[str, list[str]] = {}
        seen = {start.path}
        stack = [(start, False)]
        while stack:
            file, constrains = stack.pop()
            for demand in file.demands:
                if constrains:
                    constraints.setdefault(demand.name, []).append(demand.range)
                else:
                    demands.append(demand)
            for include in file.includes:
                target = posixpath.normpath(posixpath.join(posixpath.dirname(file.path), include.target))
                if target in read and target not in seen:
                    seen.add(target)
                    stack.append((read[target], constrains or include.constrains))
                elif target not in read and file is start:
                    message = f"includes {include.target[:80]!r}, which is not among the files read"
                    self.notices.append(Notice(file.path, include.line, message))
        return _alternatives(demands, constraints)


def _alternatives(demands: Iterable[Demand], constraints: Mapping[str, Sequence[str]]) -> list[Requirement]:
    """One requirement a package: several lines for it are alternatives (they differ by their markers)."""
    ranges: dict[str, dict[str, None]] = {}
    for demand in demands:
        narrowed = ",".join(filter(None, (demand.range, *constraints.get(demand.name, ()))))
        ranges.setdefault(demand.name, {})[narrowed] = None
    return [Requirement(name, tuple(sorted(found)), MAIN) for name, found in ranges.items()]


def _project_folder(path: str) -> tuple[str, str]:
    """The folder that a requirements file speaks for, and the file's name."""
    folder, _, name = path.rpartition("/")
    outer, _, last = folder.rpartition("/")
    return (outer if last.lower() in _REQUIREMENT_FOLDERS else folder), name.lower()
