"""Which file a JavaScript or TypeScript specifier means: relative paths, aliases, packages of the project, libraries.

Rules: TypeScript's `bundler` resolution (https://www.typescriptlang.org/docs/handbook/modules/reference.html), which is
the most permissive of the real ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.import_targets import InProject, Missing, Outside, ancestors, join, parent, within
from agent_architecture.names.package_json import Packages
from agent_architecture.names.tsconfig import TsConfigs
from agent_architecture.regexes import regex

if TYPE_CHECKING:
    from agent_architecture.names.import_targets import Target
    from agent_architecture.names.json_documents import JsonDocuments
    from agent_architecture.names.modules import ModuleTable

_EXTENSIONS: Final = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", ".json")
"""In the order tried. Code comes before a declaration file, which says nothing about behaviour."""

_SOURCES: Final = {
    ".js": (".ts", ".tsx", ".js", ".jsx", ".d.ts"),
    ".jsx": (".tsx", ".jsx"),
    ".mjs": (".mts", ".mjs", ".d.mts"),
    ".cjs": (".cts", ".cjs", ".d.cts"),
}
"""A specifier names the file that the compiler will write; the source is preferred."""

_ROOT_ALIASES: Final = ("@/", "~/")
"""Prefixes that no npm name can have; bundlers and servers map them to the source folder of the package, some in a
configuration that is only generated (Nitro's `srcDir`): then one of the folders around the importer is meant.
"""

_URL_LIKE: Final = regex(r"(?:npm|jsr):/?((?:@[^/@]+/)?[^/@]+)(?:@[^/]*)?(/.*)?$")
"""A Deno specifier: registry, name, version, subpath (https://docs.deno.com/runtime/fundamentals/modules/)."""

_ALIAS_DEPTH: Final = 4


class JavaScriptPaths:
    """The JavaScript, TypeScript and JSON files of a scan, by the specifiers that reach them."""

    __slots__ = ("_configs", "_packages", "_table")

    def __init__(self, table: ModuleTable, documents: JsonDocuments) -> None:
        self._table = table
        self._packages = Packages(table, documents, self.guess)
        self._configs = TsConfigs(table, documents, self._packages)

    def resolve(self, importer: str, specifier: str, depth: int = 0) -> Target:
        """What a specifier means in the file `importer`. A `?query` of a bundler is ignored."""
        home = parent(importer)
        plain = specifier.partition("?")[0]
        if plain.startswith(("./", "../", "/")) or plain in {".", ".."}:
            return self._relative(home, plain)
        if plain.startswith("#") and depth < _ALIAS_DEPTH and (mapped := self._package_import(importer, plain, depth)):
            return mapped
        found = self._alias(home, plain) or self._workspace(home, plain)
        return InProject(found) if found else Outside(f"npm:{_library(plain)}:")

    def guess(self, path: str) -> str | None:
        """The module file for a path that may lack its extension, name its compiled form, or be a folder."""
        paths = self._table.paths
        for built, sources in _SOURCES.items():
            if path.endswith(built):
                bare = path.removesuffix(built)
                found = next((bare + source for source in sources if bare + source in paths), None)
                if found:
                    return found
        if path in paths:
            return path
        forms = [path + extension for extension in _EXTENSIONS] if path else []
        forms += [join(path, f"index{extension}") for extension in _EXTENSIONS]
        return next((form for form in forms if form in paths), None)

    def _relative(self, home: str, specifier: str) -> Target:
        path = within(home, specifier)
        if path is None:
            return Missing(f'"{specifier}" leads out of the scanned folder')
        found = self.guess(path)
        return InProject(found) if found else Missing(f'no file for "{specifier}"')

    def _alias(self, home: str, specifier: str) -> str | None:
        """The file behind a `paths` pattern or `baseUrl`, or behind `@/` where no configuration maps it."""
        for path in self._configs.nearest(home).candidates(specifier):
            if found := self.guess(path):
                return found
        if not specifier.startswith(_ROOT_ALIASES):
            return None
        folder = self._packages.nearest(home) or ""
        above = (
            each for each in ancestors(home) if each != folder and f"{each}/".startswith(f"{folder}/" if folder else "")
        )
        forms = (join(each, specifier[2:]) for each in (join(folder, "src"), folder, *above))
        return next((found for form in forms if (found := self.guess(form))), None)

    def _workspace(self, home: str, specifier: str) -> str | None:
        package = self._packages.folder_of(specifier, home)
        return self._packages.file_of(*package) if package else None

    def _package_import(self, importer: str, specifier: str, depth: int) -> Target | None:
        folder = self._packages.nearest(parent(importer))
        if folder is None:
            return None
        for mapped in self._packages.mapped_import(folder, specifier):
            if not mapped.startswith("."):
                return self.resolve(importer, mapped, depth + 1)
            if found := self._packages.source_of(folder, mapped):
                return InProject(found)
        return None


def _library(specifier: str) -> str:
    """The canonical spelling of a library's specifier: no `node:`, no Deno prefix and version, no closing slash."""
    if match := _URL_LIKE.match(specifier):
        specifier = match[1] + (match[2] or "")
    return specifier.removeprefix("node:").rstrip("/")
