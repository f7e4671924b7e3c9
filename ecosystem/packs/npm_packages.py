"""Which declaration file an npm specifier means among unpacked packages.

Rules: https://nodejs.org/api/packages.html (`exports`, conditions, subpath patterns) and TypeScript's way to find
types: the condition `types`, the fields `types` and `typings`, `typesVersions`, a `.d.ts` beside the `.js`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from agent_architecture.names.export_maps import conditions, matches
from ecosystem.packs.declarations import Block, read_declarations

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"

_FORMS: Final = ("", ".d.ts", ".ts", ".d.mts", ".d.cts", ".mts", ".cts", "/index.d.ts", "/index.ts", "/index.d.mts")
_PLAIN_FORMS: Final = ("", ".js", ".cjs", ".mjs", "/index.js", "/index.cjs", "/index.mjs")
_BUILT: Final = {
    ".js": (".d.ts", ".ts", ".js"), ".mjs": (".d.mts", ".d.ts", ".mts", ".mjs"), ".cjs": (".d.cts", ".d.ts", ".cjs"),
}  # fmt: skip
_FIRST: Final = {"types": 0, "import": 1, "node": 2}
"""The order of conditions: declarations first."""
NODE: Final = "@types/node"
_NODE_MODULES: Final = frozenset(
    {
        "assert", "async_hooks", "buffer", "child_process", "cluster", "console", "constants", "crypto",
        "dgram", "diagnostics_channel", "dns", "domain", "events", "fs", "http", "http2", "https",
        "inspector", "module", "net", "os", "path", "perf_hooks", "process", "punycode", "querystring",
        "readline", "repl", "sqlite", "stream", "string_decoder", "timers", "tls", "tty", "url", "util", "v8",
        "vm", "wasi", "worker_threads", "zlib",
    }
)  # fmt: skip


class NpmPackages:
    """Unpacked packages by name. `outside` gathers the names of packages that were asked for and are not there."""

    def __init__(self, folders: Mapping[str, Path]) -> None:
        """`folders` hold the unpacked tarballs."""
        self._roots = {name: root_of(folder) for name, folder in folders.items()}
        self._json: dict[Path, dict[str, Json]] = {}
        self._blocks: dict[Path, Block] = {}
        self._ambient: dict[str, dict[str, list[Block]]] = {}
        self.outside: set[str] = set()

    def block(self, file: Path) -> Block:
        """The declarations of a file, read once."""
        if file not in self._blocks:
            self._blocks[file] = read_declarations(file)
        return self._blocks[file]

    def has(self, name: str) -> bool:
        """Whether a package is unpacked."""
        return name in self._roots

    def blocks_of(self, specifier: str, importer: Path | None = None) -> tuple[Block, ...]:
        """The modules that a specifier means: a file, or `declare module` blocks; none when it is not there."""
        if importer is not None and specifier.startswith("."):
            file = _declared_beside(importer.parent / specifier)
            return (self.block(file),) if file is not None else ()
        bare = specifier.removeprefix("node:")
        name, subpath = split(bare)
        if bare.split("/")[0] in _NODE_MODULES and not self.has(name):
            if not self.has(NODE):
                self.outside.add(NODE)
                return ()
            table = self._modules(NODE)
            return tuple(table.get(specifier) or table.get(bare) or table.get(f"node:{bare}") or ())
        if specifier.startswith("#") and importer is not None:
            return self._mapped(specifier, importer)
        types = f"@types/{name.removeprefix('@').replace('/', '__')}"
        for package in (name, types):
            if self.has(package):
                file = self._file(package, subpath)
                if file is not None:
                    block = self.block(file)
                    return (block.modules.get(specifier, block),)
                ambient = self._modules(package).get(specifier)
                if ambient:
                    return tuple(ambient)
        self.outside.add(types if self.has(name) else name)
        if not self.has(types) or not self.has(name):
            return ()
        file = self._plain_file(name, subpath)
        return (self.block(file),) if file is not None else ()

    def plain(self, specifier: str) -> tuple[Block, ...]:
        """The JavaScript behind a specifier, for packages without types."""
        name, subpath = split(specifier)
        file = self._plain_file(name, subpath) if self.has(name) else None
        return (self.block(file),) if file is not None else ()

    def requirement(self, name: str) -> str:
        """The range of another package that one of the unpacked asks for; "" when none does."""
        for root in self._roots.values():
            document = self._document(root)
            for field in ("dependencies", "peerDependencies", "optionalDependencies"):
                entry = document.get(field)
                if isinstance(entry, dict) and isinstance(entry.get(name), str):
                    return str(entry[name])
        return ""

    def _mapped(self, specifier: str, importer: Path) -> tuple[Block, ...]:
        for root in self._roots.values():
            if root in importer.parents:
                table = self._document(root).get("imports")
                for path in matches(table if isinstance(table, dict) else {}, specifier, _rank):
                    file = _declared_beside(root / path)
                    if file is not None:
                        return (self.block(file),)
        return ()

    def _document(self, root: Path) -> dict[str, Json]:
        if root not in self._json:
            try:
                found = json.loads((root / "package.json").read_text("utf-8"))
            except (OSError, ValueError, RecursionError):
                found = {}
            self._json[root] = found if isinstance(found, dict) else {}
        return self._json[root]

    def _file(self, name: str, subpath: str) -> Path | None:
        root = self._roots[name]
        for entry in self._entries(root, subpath):
            file = _declared_beside(root / entry)
            if file is not None and not file.name.endswith((".js", ".mjs", ".cjs")):
                return file
        return None

    def _plain_file(self, name: str, subpath: str) -> Path | None:
        root = self._roots[name]
        for entry in self._entries(root, subpath):
            for form in _PLAIN_FORMS:
                file = root / (entry.removesuffix("/") + form)
                if file.is_file() and file.suffix in {".js", ".mjs", ".cjs"}:
                    return file
        return None

    def _entries(self, root: Path, subpath: str) -> Iterator[str]:
        document = self._document(root)
        exports = document.get("exports")
        wanted = f"./{subpath}" if subpath else "."
        if isinstance(exports, dict) and any(key.startswith(".") for key in exports):
            yield from matches(exports, wanted, _rank)
        elif exports is not None and not subpath:
            yield from conditions(exports, _rank)
        if not subpath:
            for field in ("types", "typings", "module", "main"):
                entry = document.get(field)
                if isinstance(entry, str):
                    yield entry
            yield "index"
            return
        if isinstance(exports, dict):
            return
        versions = document.get("typesVersions")
        for table in versions.values() if isinstance(versions, dict) else ():
            yield from matches(table if isinstance(table, dict) else {}, subpath, _rank)
        yield subpath
        inner = self._document(root / subpath) if (root / subpath / "package.json").is_file() else {}
        for field in ("types", "typings", "main"):
            entry = inner.get(field)
            if isinstance(entry, str):
                yield f"{subpath}/{entry}"

    def _modules(self, name: str) -> dict[str, list[Block]]:
        """The `declare module` blocks of a package by name."""
        if name not in self._ambient:
            table: dict[str, list[Block]] = {}
            for file in sorted(self._roots[name].rglob("*.d.ts")):
                if b"declare module" in file.read_bytes():
                    for specifier, block in self.block(file).modules.items():
                        table.setdefault(specifier, []).append(block)
            self._ambient[name] = table
        return self._ambient[name]


def split(specifier: str) -> tuple[str, str]:
    """The package that a specifier names, and the subpath in it."""
    parts = specifier.split("/")
    count = 2 if specifier.startswith("@") else 1
    return "/".join(parts[:count]), "/".join(parts[count:])


def root_of(folder: Path) -> Path:
    """The one folder in an npm tarball: most often `package`."""
    inner = sorted(path for path in folder.iterdir() if (path / "package.json").is_file())
    return inner[0] if inner else folder


def _declared_beside(path: Path) -> Path | None:
    """The declarations of a module: the file itself, or the one that TypeScript finds for a path of JavaScript."""
    text = str(path).rstrip("/")
    for suffix, forms in _BUILT.items():
        if text.endswith(suffix):
            bare = text.removesuffix(suffix)
            return next((Path(bare + form) for form in forms if Path(bare + form).is_file()), None)
    found = next((Path(text + form) for form in _FORMS if Path(text + form).is_file()), None)
    return found or next((Path(text + form) for form in _PLAIN_FORMS if Path(text + form).is_file()), None)


def _rank(condition: str) -> int:
    return _FIRST.get(condition, 3)
