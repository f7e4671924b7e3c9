"""What tsconfig.json and jsconfig.json say about imports: `paths`, `baseUrl`, `extends`, `references`.

Rules: https://www.typescriptlang.org/tsconfig/#paths. Only files inside the scanned root are read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.export_maps import star_of
from agent_architecture.names.import_targets import ancestors, join, parent, within
from agent_architecture.names.json_documents import map_of, text_of, texts_of
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.names.json_documents import JsonDocuments
    from agent_architecture.names.modules import ModuleTable
    from agent_architecture.names.package_json import Packages

_NAMES: Final = ("tsconfig.json", "jsconfig.json")
_DEPTH: Final = 16
"""Configurations extend each other this deep at most."""


class Mapping(NamedTuple):
    """One row of `paths`: a pattern, and the project paths (with `*`) that it is tried as."""

    pattern: str
    paths: tuple[str, ...]


class TsConfig(NamedTuple):
    """What counts for imports in one configuration. `base` is the folder of `baseUrl`; None when it is not set."""

    base: str | None = None
    mappings: tuple[Mapping, ...] = ()

    def candidates(self, specifier: str) -> tuple[str, ...]:
        """The project paths (without certain extension) that a bare specifier is tried as, in order."""
        fitting = [
            (mapping, star) for mapping in self.mappings if (star := star_of(mapping.pattern, specifier)) is not None
        ]
        fitting.sort(key=lambda match: ("*" in match[0].pattern, -match[0].pattern.find("*")))
        paths = tuple(path.replace("*", fitting[0][1]) for path in fitting[0][0].paths) if fitting else ()
        return paths if self.base is None else (*paths, join(self.base, specifier))


class TsConfigs:
    """The configuration that counts for each folder: the nearest one above it."""

    __slots__ = ("_by_folder", "_by_path", "_documents", "_packages", "_table")

    def __init__(self, table: ModuleTable, documents: JsonDocuments, packages: Packages) -> None:
        self._table = table
        self._documents = documents
        self._packages = packages
        self._by_folder: dict[str, TsConfig] = {}
        self._by_path: dict[str, TsConfig] = {}

    def nearest(self, folder: str) -> TsConfig:
        """The configuration for files in this folder; an empty one if there is none."""
        if folder not in self._by_folder:
            paths = (join(above, name) for above in ancestors(folder) for name in _NAMES)
            found = next((path for path in paths if path in self._table.paths), None)
            self._by_folder[folder] = self._with_references(found) if found else TsConfig()
        return self._by_folder[folder]

    def _with_references(self, path: str) -> TsConfig:
        """A configuration; one that only refers to others counts as the first of them that maps something."""
        own = self._load(path, 0)
        if own != TsConfig():
            return own
        references = self._documents.read(path).get("references")
        for reference in references if isinstance(references, list) else ():
            target = self._file(parent(path), text_of(map_of(reference).get("path")))
            if target and (config := self._load(target, 0)) != TsConfig():
                return config
        return own

    def _load(self, path: str, depth: int) -> TsConfig:
        """The configuration at a path over those that it extends, later ones first; a cycle ends by depth."""
        if path not in self._by_path:
            config = self._own(path)
            document = self._documents.read(path)
            for name in reversed(texts_of(document.get("extends"))):
                target = self._file(parent(path), name)
                if target and target != path and depth < _DEPTH:
                    inherited = self._load(target, depth + 1)
                    base = inherited.base if config.base is None else config.base
                    config = TsConfig(base, config.mappings or inherited.mappings)
            self._by_path[path] = config
        return self._by_path[path]

    def _own(self, path: str) -> TsConfig:
        options = map_of(self._documents.read(path).get("compilerOptions"))
        folder = parent(path)
        written = options.get("baseUrl")
        base = _inside(folder, written) if isinstance(written, str) else None
        root = folder if base is None else base
        mappings = [
            Mapping(
                pattern, tuple(found for text in texts_of(texts) if (found := _inside(root, text, folder)) is not None)
            )
            for pattern, texts in map_of(options.get("paths")).items()
        ]
        return TsConfig(base, tuple(mappings))

    def _file(self, folder: str, name: str) -> str | None:
        """The configuration file that `extends` or `references` names: a path, a folder, a package of the project."""
        if not name.startswith("."):
            package = self._packages.folder_of(name, folder)
            if package is None:
                return None
            folder, name = package
        path = within(folder, name)
        if path is None:
            return None
        forms = (path, f"{path}.json", join(path, "tsconfig.json"))
        return next((form for form in forms if form in self._table.paths), None)


def _inside(folder: str, text: str, config_folder: str = "") -> str | None:
    if text.startswith("${configDir}"):
        return within(config_folder or folder, "." + text.removeprefix("${configDir}"))
    return within(folder, text)
