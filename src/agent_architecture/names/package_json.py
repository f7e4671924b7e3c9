"""The npm packages of a project: which folder has which name, and which source file an entry point stands for.

Rules: https://nodejs.org/api/packages.html (`exports`, `imports`, conditions, subpath patterns). A scan reads sources,
not builds, so an entry that points into a build folder is mapped back to the source that it was built from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from agent_architecture.names.export_maps import conditions, matches
from agent_architecture.names.import_targets import ancestors, join, nearness, parent, within
from agent_architecture.names.json_documents import map_of, text_of
from agent_architecture.regexes import regex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agent_architecture.names.json_documents import JsonDocuments
    from agent_architecture.names.modules import ModuleTable

_BUILD_FOLDERS: Final = frozenset({"dist", "build", "lib", "out", "es", "esm", "cjs", "output", "types"})
_BUILD_FORMATS: Final = frozenset({"esm", "cjs", "es", "node", "browser", "types", "src", "development", "production"})
_BUILT: Final = regex(r"(\.d)?\.(?:[mc]?[jt]s|[jt]sx)$")
_ENTRY_FIELDS: Final = ("source", "module", "main", "types", "typings")
_FIRST: Final = {"source": 0, "types": 2}
"""The order of conditions: a scan wants sources, and declarations last."""


class Packages:
    """Every package.json of a scan."""

    __slots__ = ("_by_name", "_documents", "_folders", "_guess")

    def __init__(self, table: ModuleTable, documents: JsonDocuments, guess: Callable[[str], str | None]) -> None:
        """`guess` finds the module file for a path that may lack its extension."""
        self._documents = documents
        self._guess = guess
        self._folders = frozenset(parent(path) for path in table.paths if path.rpartition("/")[2] == "package.json")
        self._by_name: dict[str, list[str]] = {}
        for folder in sorted(self._folders):
            if name := text_of(self._document(folder).get("name")):
                self._by_name.setdefault(name, []).append(folder)

    def nearest(self, folder: str) -> str | None:
        """The folder of the package that a folder belongs to."""
        return next((above for above in ancestors(folder) if above in self._folders), None)

    def folder_of(self, specifier: str, home: str) -> tuple[str, str] | None:
        """The folder of the project's package that a bare specifier names, and the subpath in it ("" for its entry).

        Of several packages of one name, the one nearest to the folder `home` is meant.
        """
        parts = specifier.split("/")
        count = 2 if specifier.startswith("@") else 1
        folders = self._by_name.get("/".join(parts[:count]))
        if not folders:
            return None
        nearest = min(folders, key=lambda folder: (-nearness(home, folder), folder))
        return nearest, "/".join(parts[count:])

    def file_of(self, folder: str, subpath: str) -> str | None:
        """The source file behind a package's entry point or subpath."""
        for entry in self._entries(folder, subpath):
            if found := self.source_of(folder, entry):
                return found
        inner = subpath or "index"
        return self._guess(join(folder, f"src/{inner}")) or self._guess(join(folder, inner))

    def mapped_import(self, folder: str, specifier: str) -> tuple[str, ...]:
        """What a `#name` specifier maps to in the package's `imports`: relative files or other packages' specifiers."""
        return tuple(matches(map_of(self._document(folder).get("imports")), specifier, _rank))

    def source_of(self, folder: str, entry: str) -> str | None:
        """The file that an entry (`./dist/index.js`) stands for: its source if there is one, else the file itself."""
        parts = [part for part in entry.split("/") if part != "."]
        path = within(folder, entry)
        if path is None or not parts:
            return None
        if parts[0] not in _BUILD_FOLDERS:
            return self._guess(path)
        inner = parts[1:]
        while len(inner) > 1 and inner[0] in _BUILD_FORMATS:
            inner = inner[1:]
        bare = _BUILT.sub("", "/".join(inner))
        return self._guess(join(folder, f"src/{bare}")) or self._guess(path) or self._guess(join(folder, bare))

    def _entries(self, folder: str, subpath: str) -> Iterator[str]:
        document = self._document(folder)
        exports = document.get("exports")
        if not subpath and (source := text_of(document.get("source"))):
            yield source
        if _is_subpath_map(exports):
            yield from matches(map_of(exports), f"./{subpath}" if subpath else ".", _rank)
        elif not subpath:
            yield from conditions(exports, _rank)
        if not subpath:
            yield from (text_of(document[field]) for field in _ENTRY_FIELDS if text_of(document.get(field)))

    def _document(self, folder: str) -> dict[str, Any]:
        return self._documents.read(join(folder, "package.json"))


def _is_subpath_map(exports: object) -> bool:
    return isinstance(exports, dict) and all(key.startswith(".") for key in exports)


def _rank(condition: str) -> int:
    return _FIRST.get(condition, 1)
