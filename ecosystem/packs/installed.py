"""Unpacked Python packages as one tree, as an installation would lay them out, for the project's own name layer.

The layer reads projects, whose import roots it has to guess; an installation has one root.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from agent_architecture.names.exports import Exports
from agent_architecture.names.import_targets import InFolder, InProject, Outside, Target
from agent_architecture.names.modules import ModuleTable
from agent_architecture.names.program import Program
from agent_architecture.names.python_paths import PythonPaths
from agent_architecture.names.specifiers import Specifiers
from agent_architecture.semantics.packs.library import PackLibrary
from agent_architecture.semantics.packs.packs import Packs
from agent_architecture.sources.source import Language, Role, SourceFile
from agent_architecture.syntax import ir
from agent_architecture.syntax.parse import parse

_COMPILED: Final = re.compile(r"(\.[\w-]+)?\.(so|pyd)$")


class InstalledPaths(PythonPaths):
    """The one import root of an installation: an absolute import never means the module beside it."""

    def absolute(self, importer: str, dotted: str, *, whole: bool) -> tuple[Target, ...]:
        """What `import a.b` or `from a.b import …` means: what is unpacked, else something outside."""
        del importer, whole
        found = self.at(dotted.replace(".", "/"))
        outside = Outside(f"py:{dotted}")
        if isinstance(found, InProject):
            return (found, outside)
        return (found, outside) if isinstance(found, InFolder) else (outside,)


class Site:
    """The modules of several unpacked packages, parsed as they are asked for."""

    def __init__(
        self,
        files: Mapping[str, SourceFile],
        compiled: frozenset[str],
        parsed: dict[SourceFile, ir.Module] | None = None,
    ) -> None:
        """`compiled` are the dotted names of the modules that are machine code, `parsed` what was parsed before."""
        self.compiled = compiled
        self._parsed = {} if parsed is None else parsed
        self.table = ModuleTable(tuple(files.values()), self._parse)
        specifiers = Specifiers(self.table)
        specifiers.python = InstalledPaths(self.table)
        self.exports = Exports(specifiers)
        self.program = Program(self.table, self.exports, PackLibrary(Packs(())))  # no packs: a name is what it says
        self.files = files

    def _parse(self, file: SourceFile) -> ir.Module:
        if file not in self._parsed:
            self._parsed[file] = parse(file)
        return self._parsed[file]

    def with_files(self, files: Mapping[str, SourceFile], compiled: frozenset[str]) -> Site:
        """The same with more files; what was parsed stays."""
        return Site({**files, **self.files}, compiled | self.compiled, self._parsed)

    def module(self, dotted: str) -> ir.Module | None:
        """The module or package (also one without `__init__.py`) of a dotted name."""
        target = self.exports.specifiers.python.at(dotted.replace(".", "/"))
        return None if target is None else self.exports.module(target)


def site_of(folders: Iterable[Path], before: Site | None = None) -> Site:
    """The packages that are unpacked in these folders: wheels, and source archives with their root within."""
    files: dict[str, SourceFile] = {}
    compiled: set[str] = set()
    for folder in folders:
        for root in roots_of(folder):
            for path in sorted(root.rglob("*")):
                name = path.relative_to(root).as_posix()
                if before is not None and name in before.files:
                    continue
                if path.suffix in {".py", ".pyi"}:
                    files.setdefault(name, SourceFile(name, Language.PYTHON, Role.APP, path.read_bytes()))
                elif path.suffix in {".so", ".pyd"}:
                    compiled.add(_COMPILED.sub("", name).replace("/", "."))
    if before is not None:
        return before.with_files(files, frozenset(compiled))
    return Site(files, frozenset(compiled))


def roots_of(folder: Path) -> Iterator[Path]:
    """Where the modules of an unpacked archive begin: a wheel's own folder and its data; below the root of an sdist."""
    yield from folder.glob("*.data/*lib")
    inner = [path for path in folder.iterdir() if (path / "PKG-INFO").is_file()]
    for path in inner:
        yield path / "src" if (path / "src").is_dir() else path
    if not inner:
        yield folder


def requirements_of(folder: Path) -> Iterator[tuple[str, str]]:
    """The packages that an unpacked one always needs: name and range."""
    for metadata in (*folder.glob("*.dist-info/METADATA"), *folder.glob("*/PKG-INFO")):
        for line in metadata.read_text("utf-8", "replace").splitlines():
            found = re.match(r"Requires-Dist:\s*([\w.-]+)(?:\[[^\]]*\])?\s*\(?([^;)]*)\)?(.*)$", line)
            if found and "extra" not in found.group(3):
                yield found.group(1), found.group(2).replace(" ", "")
