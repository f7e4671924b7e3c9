"""What an npm project declares: `package.json`, and the catalogs of pnpm, Yarn and Bun.

It knows these formats; it must not know versions or lock files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from agent_architecture.semantics.manifests.plain_data import BrokenFileError, from_json, table, texts, yaml
from agent_architecture.semantics.manifests.requirement import DEV, MAIN, OPTIONAL, PEER, Requirement
from agent_architecture.sources.source import Language, SourceFile

_SECTIONS: Final = (
    ("dependencies", MAIN),
    ("optionalDependencies", OPTIONAL),
    ("devDependencies", DEV),
    ("peerDependencies", PEER),
)

Catalogs = Mapping[str, Mapping[str, str]]
"""Ranges by catalog and package; the default catalog is `default`."""

LookUp = Callable[[str, str], str | None]
"""The range that the catalog (first argument) gives a package (second); None when no catalog in reach does."""


def read_package(file: SourceFile, catalog: LookUp) -> tuple[Requirement, ...]:
    """The requirements of a `package.json`, `catalog:` ranges looked up.

    Raises:
        BrokenFileError: the file is no JSON object.
    """
    document = _object(file)
    return tuple(
        Requirement(name, (plain_range(name, written, catalog),), rank)
        for section, rank in _SECTIONS
        for name, written in texts(document.get(section)).items()
    )


def plain_range(name: str, written: str, catalog: LookUp) -> str:
    """The npm range behind what a `package.json` says of `name`; "" for what leaves the version open.

    `workspace:^1.2` and `npm:other@^1.2` mean `^1.2`; `workspace:*` is whatever stands in the workspace.
    """
    if written.startswith("catalog:"):
        return catalog(written.removeprefix("catalog:").strip() or "default", name) or ""
    if written.startswith("workspace:"):
        inner = written.removeprefix("workspace:")
        return "" if inner in {"*", "^", "~"} else inner
    if written.startswith("npm:"):
        inner = written.removeprefix("npm:")
        return inner.rpartition("@")[2] if "@" in inner[1:] else "" if inner[:1].isalpha() else inner
    return written


def read_catalogs(file: SourceFile) -> Catalogs:
    """The catalogs in `pnpm-workspace.yaml` (pnpm 9.5), `.yarnrc.yml` (Yarn 4.10) or a `package.json` (Bun 1.3).

    Raises:
        BrokenFileError: the file cannot be read.
    """
    if file.language is Language.YAML:
        document = table(yaml(file.data))
        return _catalogs(document)
    document = _object(file)
    return {**_catalogs(document), **_catalogs(table(document.get("workspaces")))}


def _catalogs(document: Mapping[str, object]) -> dict[str, Mapping[str, str]]:
    named = {name: texts(entries) for name, entries in table(document.get("catalogs")).items()}
    default = texts(document.get("catalog"))
    return {**named, "default": {**named.get("default", {}), **default}} if default else dict(named)


def _object(file: SourceFile) -> Mapping[str, object]:
    document = from_json(file.data)
    if not isinstance(document, dict):
        raise BrokenFileError("is no JSON object", 1)
    return document
