"""The packages of one pack at certain versions, unpacked, with the further packages that their names lead to."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from agent_architecture.semantics.packs.packs import Packs
from ecosystem.packs.answers import Answer, State, unreadable
from ecosystem.packs.installed import Site, requirements_of, site_of
from ecosystem.packs.npm_packages import NODE, NpmPackages, split
from ecosystem.packs.problems import PackageError
from ecosystem.packs.python_names import PythonNames
from ecosystem.packs.registry import Registry, Wanted
from ecosystem.packs.script_names import ScriptNames

ROUNDS: Final = 4
"""How often more packages are looked for: a base of a base of a base lives in a fourth package."""
MOST: Final = 12
"""Further packages for one workspace."""
Versions: TypeAlias = "Mapping[tuple[str, str], str]"
"""The version of each (ecosystem, package)."""


class Workspace:
    """Answers whether paths exist in these versions. The first package is the one that is asked about."""

    def __init__(self, versions: Versions, packs: Packs, registry: Registry) -> None:
        self._versions = dict(versions)
        self._packs = packs
        self._registry = registry
        self.problems: dict[tuple[str, str], PackageError] = {}
        self._python: PythonNames | None = None
        self._site: Site | None = None
        self._script: ScriptNames | None = None
        self._folders: dict[tuple[str, str], Path] = {}
        self._parts: dict[tuple[str, str], list[tuple[str, str]]] = {}
        self._looked_for: set[str] = set()
        for package, version in self._versions.items():
            self._add(package, version)

    def folders(self, package: tuple[str, str]) -> tuple[Path, ...]:
        """The unpacked files of a package of the workspace, and of those that it is only a name for."""
        return tuple(self._folders[one] for one in (package, *self._parts.get(package, ())) if one in self._folders)

    def folder_for(self, file: str) -> Path | None:
        """The unpacked files of a further package in which a file stands: its path begins with the package's name."""
        is_python = file.endswith((".py", ".pyi"))
        name = file.partition("/")[0] if is_python else split(file)[0]
        found = self._distribution(name) if is_python else self._npm_package(name)
        if found is None or found[0][0] == "runtime":
            return None
        if found[0] not in self._folders:
            self._add(*found)
        return self._folders.get(found[0])

    def ask(self, paths: Iterable[str]) -> dict[str, Answer]:
        """What is said of each path; further packages are fetched for those that lead to them."""
        answers: dict[str, Answer] = {}
        asked = list(paths)
        for _ in range(ROUNDS):
            answers.update((path, self._answer(path)) for path in asked)
            asked = [path for path in asked if answers[path].state is not State.FOUND]
            if not asked or not self._more():
                break
        return answers

    def _answer(self, path: str) -> Answer:
        try:
            return self._python_names().ask(path) if path.startswith("py:") else self._script_names().ask(path)
        except RecursionError:
            return unreadable("its types lead too deep")

    def _python_names(self) -> PythonNames:
        if self._python is None:
            if self._site is None:
                self._site = site_of(path for (kind, _), path in self._folders.items() if kind == "pypi")
            self._python = PythonNames(self._site)
        return self._python

    def _script_names(self) -> ScriptNames:
        if self._script is None:
            folders = {name: path for (kind, name), path in self._folders.items() if kind == "npm"}
            self._script = ScriptNames(NpmPackages(folders))
        return self._script

    def _add(self, package: tuple[str, str], version: str) -> bool:
        ecosystem, name = package
        try:
            if ecosystem == "runtime":
                self._add_runtime(name, version)
                return True
            self._folders[package] = self._registry.folder(Wanted(ecosystem, name, version))
            self._add_parts(package)
        except PackageError as error:
            if package in self._versions:  # a further package that cannot be had is no problem of this one
                self.problems[package] = error
            return False
        return True

    def _add_parts(self, package: tuple[str, str]) -> None:
        """What a package needs at exactly one version is a part of it: the code of some stands there alone."""
        if package[0] != "pypi" or package not in self._versions:
            return
        for name, span in requirements_of(self._folders[package]):
            part = ("pypi", name)
            if span.startswith("==") and "*" not in span and part not in self._versions:
                self._parts.setdefault(package, []).append(part)
                self._add(part, span.removeprefix("=="))

    def _add_runtime(self, name: str, version: str) -> None:
        if name == "node":
            self._folders["npm", NODE] = self._registry.folder(Wanted("npm", NODE, version))
        elif name == "python":
            self._folders["pypi", "typeshed"] = stubs()

    # ------------------------------------------------------------------------------------------------- more packages
    def _more(self) -> bool:
        """Fetch what was asked for and is not there; whether that brought anything."""
        wanted: list[tuple[tuple[str, str], str]] = []
        if self._python is not None:
            wanted += [found for name in sorted(self._python.outside) if (found := self._distribution(name))]
        if self._script is not None:
            wanted += [found for name in sorted(self._script.outside) if (found := self._npm_package(name))]
        brought = False
        for package, version in dict(wanted).items():
            if len(self._looked_for) < MOST and package not in self._folders and package[1] not in self._looked_for:
                self._looked_for.add(package[1])
                brought = self._add(package, version) or brought
        if brought:
            new = [path for (kind, _), path in self._folders.items() if kind == "pypi"]
            self._site = site_of(new, self._site)
            self._python = self._script = None
        return brought

    def _distribution(self, module: str) -> tuple[tuple[str, str], str] | None:
        """The package that a Python module belongs to: one of the packs, or a requirement that is named like it."""
        top = module.partition(".")[0]
        if top in sys.stdlib_module_names:
            return ("runtime", "python"), ""
        known = self._packs.package_of(f"py:{module}")
        names = {_plain(top), _plain(known[1])} if known is not None else {_plain(top)}
        for (kind, _), folder in tuple(self._folders.items()):
            for name, span in requirements_of(folder) if kind == "pypi" else ():
                if _plain(name) in names:
                    return ("pypi", name), span
        return (known, self._packs.newest[known]) if known is not None and known[0] == "pypi" else None

    def _npm_package(self, name: str) -> tuple[tuple[str, str], str] | None:
        package = ("npm", name)
        span = self._script_names().requirement(name)
        if span and ":" not in span:
            return package, span
        if name.startswith("@types/"):
            return package, ""
        return (package, self._packs.newest[package]) if package in self._packs.newest else None


def stubs() -> Path:
    """The stubs of Python's own library, which the type checker brings."""
    import importlib.util

    spec = importlib.util.find_spec("mypy")
    if spec is None or spec.origin is None:
        raise PackageError("the stubs of Python's library come with mypy, which is not installed")
    return Path(spec.origin).parent / "typeshed" / "stdlib"


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
