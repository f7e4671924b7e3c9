"""Lock files of npm, pnpm, Yarn and Bun.

The formats are written by programs. Those of pnpm and Yarn are read line by line: a YAML parser needs seconds for one
of 2 MB.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from agent_architecture.semantics.manifests.locked_versions import Locked, collect, conflict_markers
from agent_architecture.semantics.manifests.plain_data import BrokenFileError, from_json, items, table, text

_MODULES: Final = "node_modules/"


def read_package_lock(data: bytes) -> Locked:
    """Read `package-lock.json` (lockfileVersion 1 to 3) or `npm-shrinkwrap.json`.

    Raises:
        BrokenFileError: it is no JSON object.
    """
    document = _document(data)
    pairs: list[tuple[str, str]] = []
    pinned: dict[str, dict[str, str]] = {}
    for key, entry in table(document.get("packages")).items():
        version = text(table(entry).get("version"))
        place = key.rfind(_MODULES)
        if place < 0 or not version:
            continue
        name, folder = key[place + len(_MODULES) :], key[:place].rstrip("/")
        pairs.append((name, version))
        if _MODULES not in folder + "/":
            pinned.setdefault(folder, {})[name] = version
    if not pairs:
        for name, entry in table(document.get("dependencies")).items():
            version = text(table(entry).get("version"))
            if version and version[:1].isdigit():
                pairs.append((name, version))
                pinned.setdefault("", {})[name] = version
    return Locked(collect(pairs), pinned)


def _document(data: bytes, *, relaxed: bool = False) -> Mapping[str, object]:
    document = from_json(data, relaxed=relaxed)
    if not isinstance(document, dict):
        raise BrokenFileError("is no JSON object", 1)
    return document


def read_bun(data: bytes) -> Locked:
    """Read `bun.lock`: JSON with trailing commas; a package is a list whose first element is `name@version`.

    Raises:
        BrokenFileError: it is no JSON object.
    """
    document = _document(data, relaxed=True)
    workspaces = table(document.get("workspaces"))
    folder_of = {text(table(entry).get("name")): folder for folder, entry in workspaces.items()}
    pairs: list[tuple[str, str]] = []
    pinned: dict[str, dict[str, str]] = {}
    for key, entry in table(document.get("packages")).items():
        resolved = text(next(iter(items(entry)), None)) or ""
        version = resolved[1:].partition("@")[2]
        name = _bun_name(key)
        if not version[:1].isdigit():
            continue
        pairs.append((name, version))
        outer = key[: -len(name)].rstrip("/")
        if not outer or outer in folder_of:
            pinned.setdefault(folder_of.get(outer, "") if outer else "", {})[name] = version
    return Locked(collect(pairs), pinned)


def _bun_name(key: str) -> str:
    """The package at the end of a path of packages: `@scope/app/@other/lib` is about `@other/lib`."""
    parts = key.split("/")
    scoped = len(parts) > 1 and parts[-2].startswith("@")
    return "/".join(parts[-2:] if scoped else parts[-1:])


# pnpm
_PNPM_KINDS: Final = frozenset({"dependencies", "devDependencies", "optionalDependencies"})
_PNPM_LINE: Final = r"""( *)(?:'([^']*)'|"([^"]*)"|([^\s'":#-][^:]*)):(?:[ ](.*))?"""
_PNPM_PACKAGE: Final = r"""^  ['"]?/?((?:@[^/@\s]+/)?[^/@\s('"]+)[@/](\d[^(_'":\s]*)"""


def read_pnpm(data: bytes) -> Locked:
    """Read `pnpm-lock.yaml` (lockfileVersion 5, 6 and 9).

    Raises:
        BrokenFileError: it does not say its version, so it is no lock file of pnpm.
    """
    source = data.decode("utf-8", "replace")
    if not re.search(r"^lockfileVersion:", source, re.MULTILINE):
        raise BrokenFileError("has no lockfileVersion, so it is no lock file of pnpm", 1)
    packages = re.search(r"^packages:", source, re.MULTILINE)
    head = source[: packages.start()] if packages else source
    problems = [*conflict_markers(source)]
    pinned: dict[str, dict[str, str]] = {}
    for folder, name, version in _pnpm_importers(head, problems):
        pinned.setdefault(folder, {})[name] = version
    pairs = [(name, version) for versions in pinned.values() for name, version in versions.items()]
    pairs += re.findall(_PNPM_PACKAGE, source[packages.start() :] if packages else "", re.MULTILINE)
    return Locked(collect(pairs), pinned, problems=tuple(problems))


def _pnpm_importers(head: str, problems: list[tuple[int, str]]) -> Iterator[tuple[str, str, str]]:
    """Folder, package and version of every direct dependency; the first line that is no entry joins `problems`."""
    line_of = re.compile(_PNPM_LINE)
    path: list[tuple[int, str]] = []
    broken = False
    for number, line in enumerate(head.split("\n"), 1):
        found = line_of.fullmatch(line.rstrip())
        if not found:
            if not broken and line.strip() and not line.lstrip().startswith(("#", "-", "<<<", "===", ">>>", "|||")):
                problems.append((number, f"{line[:80]!r} is no entry of a lock file of pnpm"))
                broken = True
            continue
        indent = len(found[1])
        while path and path[-1][0] >= indent:
            path.pop()
        path.append((indent, found[2] or found[3] or found[4] or ""))
        entry = _pnpm_entry([key for _, key in path], found[5] or "")
        if entry:
            yield entry


def _pnpm_entry(path: list[str], value: str) -> tuple[str, str, str] | None:
    """What one line says: `importers: <folder>: dependencies: <name>: version: <version>`, or a shorter form of it."""
    folder, rest = (path[1], path[2:]) if path[0] == "importers" and len(path) > 1 else (".", path)
    if len(rest) < 2 or rest[0] not in _PNPM_KINDS or not value:  # noqa: PLR2004 - kind and name
        return None
    if len(rest) > 2 and rest[2:] != ["version"]:  # noqa: PLR2004
        return None
    version = _pnpm_version(value.strip("'\" "))
    return ("" if folder == "." else folder, rest[1], version) if version else None


def _pnpm_version(value: str) -> str | None:
    """`1.2.3` from `1.2.3(react@18.0.0)`, `1.2.3_react@18`, `/other/1.2.3`, `other@1.2.3`; None for links."""
    if value.startswith(("link:", "file:", "http", "git")):
        return None
    plain = re.split(r"[(_]", value, maxsplit=1)[0]
    version = re.split(r"[@/]", plain)[-1]
    return version if version[:1].isdigit() else None


# Yarn
_YARN_BLOCK: Final = r"^(?P<head>[^\s#][^\n]*):[ \t]*\r?\n[ \t]+version:?[ \t]+\"?(?P<version>[^\"\s]+)"
_YARN_ODD: Final = r"^(?![\s#]|<<<<<<< |=======|>>>>>>> |\|\|\|\|\|\|\| )[^\n]*[^:\s][ \t\r]*$"


def read_yarn(data: bytes) -> Locked:
    """Read `yarn.lock` of Yarn 1 and of Yarn 2 and later.

    Raises:
        BrokenFileError: it has text but no entry.
    """
    source = data.decode("utf-8", "replace")
    problems = list(conflict_markers(source))
    pairs: list[tuple[str, str]] = []
    ranges: dict[tuple[str, str], str] = {}
    for found in re.finditer(_YARN_BLOCK, source, re.MULTILINE):
        version = found["version"]
        if found["head"] == "__metadata" or version.endswith("-use.local"):
            continue
        for descriptor in found["head"].replace('"', "").split(", "):
            at = descriptor.find("@", 1)
            if at > 0:
                pairs.append((descriptor[:at], version))
                ranges[descriptor[:at], yarn_range(descriptor[at + 1 :])] = version
    odd = re.search(_YARN_ODD, source, re.MULTILINE)
    if odd:
        line = source.count("\n", 0, odd.start()) + 1
        if not pairs:
            raise BrokenFileError(f"{odd[0][:80]!r} is no entry of a lock file of Yarn", line)
        problems.append((line, f"{odd[0][:80]!r} is no entry of a lock file of Yarn"))
    return Locked(collect(pairs), ranges=ranges, problems=tuple(problems))


def yarn_range(written: str) -> str:
    """A range in the form that both a manifest and a lock file have: Yarn 2 adds `npm:`."""
    return written.removeprefix("npm:")
