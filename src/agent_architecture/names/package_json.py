"""The npm packages of a project: which folder has which name, and which source file an entry point stands for.

Rules: https://nodejs.org/api/packages.html (`exports`, `imports`, conditions, subpath patterns). A scan reads sources,
not builds, so an entry that points into a build folder is mapped back to the source that it was built from.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from agent_architecture.names.json_documents import map_of, text_of
from agent_architecture.names.targets import ancestors, join, nearness, parent, within

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agent_architecture.names.json_documents import JsonDocuments
    from agent_architecture.names.modules import ModuleTable

_BUILD_FOLDERS: Final = frozenset({"dist", "build", "lib", "out", "es", "esm", "cjs", "output", "types"})
_BUILD_FORMATS: Final = frozenset({"esm", "cjs", "es", "node", "browser", "types", "src", "development", "production"})
_BUILT: Final = re.compile(r"(\.d)?\.(?:[mc]?[jt]s|[jt]sx)$")
_ENTRY_FIELDS: Final = ("source", "module", "main", "types", "typings")
_DEPTH: Final = 8
"""Conditions nest this deep at most; real packages nest three."""


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
        return tuple(_matches(map_of(self._document(folder).get("imports")), specifier))

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
            yield from _matches(map_of(exports), f"./{subpath}" if subpath else ".")
        elif not subpath:
            yield from _conditions(exports)
        if not subpath:
            yield from (text_of(document[field]) for field in _ENTRY_FIELDS if text_of(document.get(field)))

    def _document(self, folder: str) -> dict[str, Any]:
        return self._documents.read(join(folder, "package.json"))


def _is_subpath_map(exports: object) -> bool:
    return isinstance(exports, dict) and all(key.startswith(".") for key in exports)


def _matches(table: dict[str, Any], wanted: str) -> Iterator[str]:
    """The paths under the key that fits: the exact one, else the pattern with the longest text before its `*`."""
    if wanted in table:
        yield from _conditions(table[wanted])
        return
    for pattern in sorted((key for key in table if "*" in key), key=lambda key: (-key.index("*"), key)):
        star = star_of(pattern, wanted)
        if star is not None:
            yield from (path.replace("*", star) for path in _conditions(table[pattern]))
            return


def star_of(pattern: str, text: str) -> str | None:
    """What the single `*` of a pattern stands for in a text; None if they do not fit."""
    before, star, after = pattern.partition("*")
    if not star:
        return "" if pattern == text else None
    if len(text) < len(before) + len(after) or not text.startswith(before) or not text.endswith(after):
        return None
    return text[len(before) : len(text) - len(after)]


def _conditions(value: object, depth: int = 0) -> Iterator[str]:
    """Every path under a conditional export, sources first, declarations last, else in the order written."""
    if isinstance(value, str):
        yield value
    elif depth < _DEPTH and isinstance(value, list):
        for item in value:
            yield from _conditions(item, depth + 1)
    elif depth < _DEPTH and isinstance(value, dict):
        for key in sorted(value, key=lambda key: {"source": 0, "types": 2}.get(key, 1)):
            yield from _conditions(value[key], depth + 1)
