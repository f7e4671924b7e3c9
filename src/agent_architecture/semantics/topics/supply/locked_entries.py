"""What lock files hold of some packages: the line of each, and whether a hash or commit goes with the version.

Read line by line: lock files have megabytes. Must not know which packages matter, nor ranges.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.supply import Pin
from agent_architecture.regexes import regex
from agent_architecture.semantics.manifests.declared_lines import Entry, line_span, requirements_entries
from agent_architecture.semantics.manifests.ranges import NPM, PYPI, normalise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from agent_architecture.sources.source import SourceFile

_HASHED: Final = regex(
    r"sha(?:1|256|384|512)[-:=]|(?:hash|hashes|checksum)\s*[=:]|integrity|"
    r"[#@/=]\s*[0-9a-f]{40}\b|\b(?:revision|resolved_reference|commit[-_]id|commit|ref)\"?\s*[=:]\s*\"[0-9a-f]{40}\""
)
_LOCAL: Final = regex(
    r"\b(?:editable|virtual|directory)\s*=\s*\"|type\s*=\s*\"directory\"|\"link\":\s*true|\"(?:path|editable)\":|"
    r"resolution:\s*\{directory:|@workspace:|^\s*\"?version\"?:? \"?0\.0\.0-use\.local",
    re.MULTILINE,
)
_TOML: Final = regex(r"\[\[packages?\]\]\s*")
_TOML_NAME: Final = regex(r"name\s*=\s*\"([^\"]+)\"")
_NPM_KEY: Final = regex(r"\s*\"(?:[^\"]*node_modules/)?((?:@[^/\"]+/)?[^/\"@]+)\":\s*\{")
_VERSION: Final = '"version"'
"""What every package of npm's lock file has, in all its versions."""
_PIP_KEY: Final = regex(r"\s*\"([^\"]+)\":\s*\{")
_BUN_KEY: Final = regex(r"\s*\"((?:@[^/\"]+/)?[^/\"]+)\":\s*\[")
_PNPM_KEY: Final = regex(r" {2}['\"]?/?((?:@[^/@\s]+/)?[^/@\s('\"]+)[@/]\d[^:]*:\s*$")
_YARN_KEY: Final = regex(r"\"?((?:@[^/@\s]+/)?[^@\s\"]+)@[^\n]*:\s*$")
_MAX_BLOCK: Final = 400
"""Lines of one package that are searched for its hash; the files of a wheel on all platforms are fewer."""

KEYS: Final[Mapping[str, tuple[str, re.Pattern[str]]]] = {
    "pipfile.lock": (PYPI, _PIP_KEY),
    "package-lock.json": (NPM, _NPM_KEY),
    "npm-shrinkwrap.json": (NPM, _NPM_KEY),
    "bun.lock": (NPM, _BUN_KEY),
    "pnpm-lock.yaml": (NPM, _PNPM_KEY),
    "yarn.lock": (NPM, _YARN_KEY),
}
"""By file name: the ecosystem, and the line with which a package begins. The others are TOML."""


def locked_entries(file: SourceFile, wanted: Callable[[str], bool]) -> Iterator[Entry]:
    """The entries of a lock file for the packages that are wanted (by normalised name), in the order of the file.

    A package that the project holds itself (a workspace, a path) is none.
    """
    name = file.path.rpartition("/")[2].lower()
    if name.endswith((".txt", ".in")) or (name.endswith(".lock") and "require" in name):
        yield from (entry for entry in requirements_entries(file) if wanted(entry.name))
        return
    lines = file.data.decode("utf-8", "replace").split("\n")
    if "snapshots:" in lines:  # pnpm 9 lists every package once more, without its hash
        lines = lines[: lines.index("snapshots:")]
    ecosystem, key = KEYS.get(name, (PYPI, _TOML))
    starts = list(_starts(lines, key))
    older = _older_hashes(lines) if key is _TOML else frozenset()
    for number, (at, found) in enumerate(starts):
        package = normalise(ecosystem, found)
        if not wanted(package):
            continue
        end = starts[number + 1][0] if number + 1 < len(starts) else len(lines)
        block = "\n".join(_own(lines[at : min(end, at + _MAX_BLOCK)]))
        is_entry = key is not _NPM_KEY or _VERSION in block  # `peerDependenciesMeta` names packages, too
        if is_entry and not _LOCAL.search(block):
            pin = Pin.DIGEST if _HASHED.search(block) or package in older else Pin.EXACT
            place = at + 1 if key is _TOML else at
            yield Entry(ecosystem, package, pin, line_span(file.path, place + 1, lines[place]))


def _own(block: list[str]) -> Iterator[str]:
    """The lines of one package: up to the end of its entry, without what it depends on."""
    for number, line in enumerate(block):
        if number and line and line.startswith("[") and not line.startswith(("[package.", "[[package.")):
            return
        yield line


def _starts(lines: list[str], key: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """The line (from 0) and the name of each package."""
    for number, line in enumerate(lines):
        if len(line) > 1_000 and key is not _BUN_KEY:  # noqa: PLR2004 - no line that begins a package
            continue
        found = key.match(line)
        if not found:
            continue
        if key is not _TOML:
            yield number, found[1]
        elif number + 1 < len(lines) and (named := _TOML_NAME.match(lines[number + 1])):
            yield number, named[1]


def _older_hashes(lines: list[str]) -> frozenset[str]:
    """The packages whose hashes Poetry before 1.3 and PDM before 2.8 keep in a table at the end of the file."""
    if not any(line.startswith("[metadata.files]") for line in lines):
        return frozenset()
    after = lines[[line.startswith("[metadata.files]") for line in lines].index(True) :]
    found: set[str] = set()
    for line, following in zip(after, (*after[1:], ""), strict=True):
        named = re.match(r"\"?([\w.-]+)(?: [^\"]*)?\"?\s*=\s*\[\s*$", line)
        if named and "hash" in following:
            found.add(normalise(PYPI, named[1]))
    return frozenset(found)
