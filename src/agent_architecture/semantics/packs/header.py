"""The head of a pack: its id, the words of files that use it, and its packages.

Knows the grammar of these tables; must not know rows, nor which libraries there are.
"""

from __future__ import annotations

from typing import Final

from agent_architecture.errors import PackError
from agent_architecture.semantics.packs.rows import Pack, Package
from agent_architecture.semantics.packs.toml_values import Table, known_keys, text, texts

ECOSYSTEMS: Final = ("npm", "pypi", "runtime")


def tables(document: Table, kind: str, file: str) -> list[Table]:
    """All tables of one kind of row."""
    value = document.get(kind, [])
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise PackError(f"{file}: {kind!r} is written as [[{kind}]]")
    return value


def read_header(file: str, document: Table) -> Pack:
    """The pack itself. Raises `PackError`."""
    header = document.get("framework")
    if not isinstance(header, dict):
        raise PackError(f"{file}: the table [framework] is missing")
    known_keys(header, ("id", "words"), f"{file}: [framework]: ")
    name = header.get("id")
    if not isinstance(name, str) or not name:
        raise PackError(f"{file}: [framework] needs an id")
    packages: list[Package] = []
    for number, table in enumerate(tables(document, "package", file), 1):
        try:
            packages.append(_package(table))
        except PackError as error:
            raise PackError(f"{file}: package row {number}: {error}") from None
    if not packages:
        raise PackError(f"{file}: a [[package]] with its verified version is missing")
    words = texts(header, "words") if "words" in header else _words(packages)
    return Pack(name, file, tuple(packages), words)


def _package(table: Table) -> Package:
    known_keys(table, (*ECOSYSTEMS, "verified", "modules"))
    named = [key for key in ECOSYSTEMS if key in table]
    if len(named) != 1:
        raise PackError("one of npm, pypi and runtime names the package")
    name = text(table, named[0])
    if "verified" not in table:
        raise PackError(f"the verified version of {name} is missing")
    modules = texts(table, "modules") or ((name.replace("-", "_"),) if named[0] == "pypi" else (name,))
    return Package(named[0], name, text(table, "verified"), modules)


def _words(packages: list[Package]) -> tuple[str, ...]:
    """How an import of one of these packages begins: of a Python module's first name, of a quoted npm specifier."""
    words: set[str] = set()
    for package in packages:
        for module in package.modules:
            first = module.partition(".")[0]
            is_npm = package.ecosystem == "npm"
            words |= {f'"{module}', f"'{module}"} if is_npm else {f"from {first}", f"import {first}"}
    return tuple(sorted(words))


def order_of(version: str) -> tuple[tuple[int, str], ...]:
    """Sort key: numbers as numbers. Ranges and pre-releases are the business of `versions`."""
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in version.split("."))
