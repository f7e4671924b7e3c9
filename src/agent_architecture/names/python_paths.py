"""Which file a Python import means: relative levels, packages, namespace packages, import roots.

Import roots (the entries of `sys.path`) are inferred from the files, because the scanned project is never run. Rules:
the import system of Python, https://docs.python.org/3/reference/import.html.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Final

from agent_architecture.names.import_targets import (
    InFolder,
    InProject,
    Missing,
    Outside,
    ancestors,
    join,
    nearness,
    parent,
)
from agent_architecture.sources.operator_scripts import is_among
from agent_architecture.sources.source import Language, Role

if TYPE_CHECKING:
    from agent_architecture.names.import_targets import Target
    from agent_architecture.names.modules import ModuleTable
    from agent_architecture.sources.source import Role, SourceFile

_ROOT_MARKERS: Final = ("pyproject.toml", "setup.py")
"""Files that stand in the folder that a build tool puts on the path."""

_ROOT_NAMES: Final = frozenset({"src", "lib", "python"})
"""Folders that build tools put on the path by convention."""

_FORMS: Final = ("/__init__.py", ".py", "/__init__.pyi", ".pyi")
"""A package wins over a module of the same name; a stub is read only where the code is not there."""


class PythonPaths:
    """The Python files of a scan, by the dotted names that they can be imported under."""

    __slots__ = ("_folders", "_roots", "_table")

    def __init__(self, table: ModuleTable) -> None:
        self._table = table
        self._folders: dict[str, set[Role]] = {}
        roots: dict[str, set[str]] = {}
        for file in table.files():
            if file.language is Language.PYTHON:
                _add_names(file, roots, self._folders)
        self._roots = {name: tuple(sorted(folders)) for name, folders in roots.items()}

    def at(self, path: str) -> InProject | InFolder | None:
        """The module at a path without extension: a package, a module, a namespace package, or nothing."""
        for form in _FORMS if path else _FORMS[::2]:
            file = path + form if path else form[1:]
            if file in self._table.paths:
                return InProject(file)
        return InFolder(path) if path in self._folders else None

    def submodule(self, module: InProject | InFolder, name: str) -> InProject | InFolder | None:
        """The submodule `name` of a package; None for a plain module or when there is none."""
        folder = module.path
        if isinstance(module, InProject):
            folder, _, file = folder.rpartition("/")
            if not file.startswith("__init__."):
                return None
        return self.at(join(folder, name))

    def relative(self, importer: str, dotted: str, level: int) -> tuple[Target, ...]:
        """What `from ..a.b import …` means in the file `importer`."""
        folders = ancestors(parent(importer))
        written = "." * level + dotted
        if level > len(folders):
            return (Missing(f"the relative import {written} leads out of the scanned folder"),)
        found = self.at(join(folders[level - 1], dotted.replace(".", "/")))
        if found is None and not dotted:
            return (InFolder(folders[level - 1]),)
        return (found or Missing(f"no module for the relative import {written}"),)

    def absolute(self, importer: str, dotted: str, *, whole: bool) -> tuple[Target, ...]:
        """What `import a.b` (`whole`) or `from a.b import …` can mean, most likely first, the library last.

        A regular package or module wins over a namespace package wherever on the path it stands (PEP 420), so a bare
        folder never hides a library that is imported as a whole.
        """
        outside = Outside(f"py:{dotted}")
        top, _, rest = dotted.partition(".")
        if top not in self._roots or (whole and not rest and top in sys.stdlib_module_names):
            scanned = self._in_scanned(importer, top, rest) or self._in_part(importer, dotted)
            return (outside,) if scanned is None else (scanned, outside)
        found = [
            self.at(join(root, dotted.replace(".", "/")))
            for root in self._ranked_roots(importer, top, nested=bool(rest))
        ]
        files = [
            target
            for target in found
            if isinstance(target, InProject)
            and target.path != importer
            and (rest or not self._wraps_library(target.path, top))
            and not (whole and not rest and self._is_around(target.path, importer))
        ]
        folders = [target for target in found if isinstance(target, InFolder)]
        return (*files, outside, *folders) if whole and not rest else (*files, *folders, outside)

    def _in_scanned(self, importer: str, top: str, rest: str) -> InProject | None:
        """The module inside of the scanned folder, where that is the package of this name, or the file puts the folder
        above on its path.
        """
        if top != self._table.name:
            return None
        file = self._table.file(importer)
        above = file is not None and b"sys.path" in file.data
        found = self.at(rest.replace(".", "/")) if above or "__init__.py" in self._table.paths else None
        return found if isinstance(found, InProject) and found.path != importer else None

    def _in_part(self, importer: str, dotted: str) -> InProject | None:
        """The module inside of the scanned folder where that is part of a package: `shop.desk.tools` in `shop/desk`."""
        names = tuple(dotted.split("."))
        for at in range(1, min(len(names) - 1, len(self._table.above)) + 1):
            if names[at] == self._table.name and names[:at] == tuple(self._table.above[-at:]):
                found = self.at("/".join(names[at + 1 :])) if "__init__.py" in self._table.paths else None
                return found if isinstance(found, InProject) and found.path != importer else None
        return None

    def _is_around(self, path: str, importer: str) -> bool:
        """Whether a module is a package inside a package, and the importing file is part of it: who imports the whole
        of its name means a library (`retrievers/arxiv/arxiv.py` with `import arxiv`).
        """
        folder = parent(path)
        return path.endswith("/__init__.py") and importer.startswith(folder + "/") and self._is_package(parent(folder))

    def _wraps_library(self, path: str, top: str) -> bool:
        """Whether a module imports its own name: then its folder is not on the path, and the name is a library's."""
        file = self._table.file(path) if path.rpartition("/")[2] == f"{top}.py" else None
        return (
            file is not None
            and re.search(rb"(?m)^[ \t]*(?:import|from)[ \t]+%s\b" % top.encode(), file.data) is not None
        )

    def _ranked_roots(self, importer: str, top: str, *, nested: bool) -> list[str]:
        """The folders that hold the top-level name: those around the importing file, outside its package first."""
        home = parent(importer)
        around = ancestors(home)
        holders = self._roots[top]
        inside = [root for root in around if root in holders]
        inside.sort(key=self._is_package)
        if top in sys.stdlib_module_names:
            return [root for root in inside if not self._is_package(root)]
        others = [
            root for root in holders if root not in inside and self._is_plausible(importer, root, top, nested=nested)
        ]
        others.sort(key=lambda root: (-nearness(home, root), root.count("/"), root))
        return inside + others

    def _is_package(self, folder: str) -> bool:
        return join(folder, "__init__.py") in self._table.paths

    def _is_plausible(self, importer: str, root: str, top: str, *, nested: bool) -> bool:
        """Whether a folder beside the importing file can be on its path.

        It is marked or named as a source folder, the file edits its path, or a dotted name fits code of the same role
        (a script beside the application imports that, whatever its own role). A package is on the path only where the
        file names its folder, or where a build tool's folder for sources was made one by mistake.
        """
        name = root.rpartition("/")[2]
        if self._is_package(root):
            return self._is_put_on_path(importer, name) or (
                nested and name in _ROOT_NAMES and self._is_built(parent(root))
            )
        if name in _ROOT_NAMES or self._is_built(root):
            return True
        file = self._table.file(importer)
        if file is None:
            return False
        roles = {file.role, Role.APP} if is_among(importer) else {file.role}
        return b"sys.path" in file.data or (nested and any(self._has_role(join(root, top), role) for role in roles))

    def _is_built(self, folder: str) -> bool:
        """Whether a build tool's file stands in a folder."""
        return any(join(folder, marker) in self._table.paths for marker in _ROOT_MARKERS)

    def _is_put_on_path(self, importer: str, folder: str) -> bool:
        """Whether a file edits its path and names a folder: `sys.path.insert(0, os.path.join(ROOT, "agents"))`, or
        `source = ROOT / "src"` above.
        """
        file = self._table.file(importer)
        named = rb"[\"'/]%s[\"'/]" % re.escape(folder).encode()
        return file is not None and b"sys.path" in file.data and re.search(named, file.data) is not None

    def _has_role(self, path: str, role: Role) -> bool:
        """Whether the module or package here has a file of the role: an application does not import its examples."""
        module = self._table.file(f"{path}.py")
        return role in self._folders.get(path, ()) or (module is not None and module.role is role)


def _add_names(file: SourceFile, roots: dict[str, set[str]], folders: dict[str, set[Role]]) -> None:
    """Record a file under the top-level names that reach it: its own in its folder, each folder's in the one above."""
    folder, _, name = file.path.rpartition("/")
    roots.setdefault(name.partition(".")[0], set()).add(folder)
    while folder and file.role not in folders.setdefault(folder, set()):
        folders[folder].add(file.role)
        above, _, name = folder.rpartition("/")
        roots.setdefault(name, set()).add(above)
        folder = above
