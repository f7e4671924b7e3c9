"""What a Python project declares: `pyproject.toml`, `Pipfile`, `setup.cfg`.

It knows these formats (PEP 621, PEP 735, Poetry, PDM, uv, pipenv, setuptools); it must not know versions or lock files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from agent_architecture.semantics.manifests.plain_data import BrokenFileError, items, table, text, toml
from agent_architecture.semantics.manifests.ranges import PYPI, normalise, poetry
from agent_architecture.semantics.manifests.requirement import DEV, MAIN, OPTIONAL, Requirement
from agent_architecture.semantics.manifests.requirements import parse_requirement
from agent_architecture.sources.source import Notice, SourceFile

_MAX_LINE: Final = 2_000
_MAX_SETUP_CFG: Final = 500_000
_PIPFILE_OTHER: Final = frozenset({"source", "requires", "scripts", "pipenv"})
_PIPFILE_RANK: Final = {"packages": MAIN}

Found = Iterator[Requirement | str]
"""What is declared; a text is a requirement that cannot be read."""


def read_python(file: SourceFile) -> tuple[tuple[Requirement, ...], tuple[Notice, ...]]:
    """The requirements in `file`, which has one of the three names.

    Raises:
        BrokenFileError: the file as a whole cannot be read.
    """
    name = file.path.rpartition("/")[2].lower()
    found = (
        _setup_cfg(file.data)
        if name == "setup.cfg"
        else _pipfile(file.data)
        if name == "pipfile"
        else _pyproject(file.data)
    )
    requirements: list[Requirement] = []
    notices: list[Notice] = []
    for one in found:
        if isinstance(one, Requirement):
            requirements.append(one)
        else:
            notices.append(Notice(file.path, _line_of(file.data, one), f"{one[:80]!r} is not a requirement: not read"))
    return tuple(requirements), tuple(notices)


def _line_of(data: bytes, found: str) -> int | None:
    place = data.find(found.split("\n", 1)[0].encode())
    return data.count(b"\n", 0, place) + 1 if place >= 0 else None


def _pyproject(data: bytes) -> Found:
    """All declarations but those of the project itself (`all = ["project[extra]"]`)."""
    document = toml(data)
    own = normalise(PYPI, text(table(document.get("project")).get("name")) or "")
    return (one for one in _declarations(document) if not (isinstance(one, Requirement) and one.name == own))


def _declarations(document: Mapping[str, object]) -> Found:
    project = table(document.get("project"))
    yield from _specifiers(project.get("dependencies"), MAIN)
    yield from _groups(project.get("optional-dependencies"), OPTIONAL)
    yield from _groups(document.get("dependency-groups"), DEV)
    tool = table(document.get("tool"))
    yield from _groups(table(tool.get("pdm")).get("dev-dependencies"), DEV)
    yield from _specifiers(table(tool.get("uv")).get("dev-dependencies"), DEV)
    yield from _specifiers(table(tool.get("rye")).get("dev-dependencies"), DEV)
    own = table(tool.get("poetry"))
    yield from _poetry(own.get("dependencies"), MAIN)
    yield from _poetry(own.get("dev-dependencies"), DEV)
    for group in table(own.get("group")).values():
        yield from _poetry(table(group).get("dependencies"), DEV)


def _groups(value: object, rank: int) -> Found:
    """A table of lists of PEP 508 requirements; a group that a list includes is read where it stands."""
    for group in table(value).values():
        yield from _specifiers(group, rank)


def _specifiers(value: object, rank: int) -> Found:
    for item in items(value):
        written = text(item)
        if written is None:
            continue
        parsed = parse_requirement(written)
        if parsed:
            yield Requirement(parsed[0], (parsed[1],), rank)
        elif parsed is None:
            yield written


def _poetry(value: object, rank: int) -> Found:
    for name, constraint in table(value).items():
        if name.lower() == "python":
            continue
        alternatives = items(constraint) or (constraint,)
        ranges = tuple(part for alternative in alternatives for part in poetry(_version(alternative)))
        optional = bool(table(constraint).get("optional"))
        yield Requirement(normalise(PYPI, name), ranges, OPTIONAL if optional and rank == MAIN else rank)


def _version(constraint: object) -> str:
    """The range of a constraint that is a text or a table; "" for Git, path and URL."""
    return text(constraint) or text(table(constraint).get("version")) or ""


def _pipfile(data: bytes) -> Found:
    for section, packages in toml(data).items():
        if section in _PIPFILE_OTHER:
            continue
        for name, constraint in table(packages).items():
            written = _version(constraint)
            yield Requirement(
                normalise(PYPI, name), ("" if written == "*" else written,), _PIPFILE_RANK.get(section, DEV)
            )


def _setup_cfg(data: bytes) -> Found:
    import configparser

    source = data.decode("utf-8", "replace")
    # configparser splits a line in time quadratic in its spaces.
    long = next((n for n, line in enumerate(source.split("\n"), 1) if len(line) > _MAX_LINE), None)
    if long or len(source) > _MAX_SETUP_CFG:
        raise BrokenFileError("is larger than any setup.cfg that people write", long)
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(source)
    except configparser.MissingSectionHeaderError as error:
        raise BrokenFileError("is not a valid setup.cfg: text before the first section", error.lineno) from error
    except configparser.ParsingError as error:
        raise BrokenFileError("is not a valid setup.cfg", error.errors[0][0] if error.errors else None) from error
    except configparser.Error as error:
        raise BrokenFileError(f"is not a valid setup.cfg: {error.message}") from error
    yield from _lines(parser.get("options", "install_requires", fallback=""), MAIN)
    if parser.has_section("options.extras_require"):
        for _, group in parser.items("options.extras_require"):
            yield from _lines(group, OPTIONAL)


def _lines(value: str, rank: int) -> Found:
    lines = (line.split(" #", 1)[0].strip() for line in value.splitlines())
    yield from _specifiers([line for line in lines if line and not line.startswith(("#", "file:"))], rank)
