"""What manifests ask for, each with its line: requirements files, `pyproject.toml`, `Pipfile`, `setup.cfg`, `setup.py`,
`package.json`, the comment of a script (PEP 723), the file of a server's environment (`fastmcp.json`).

Development groups are left out: they do not reach the agent. Must not know which packages matter, nor lock files.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from agent_architecture.model.supply import Pin
from agent_architecture.names.program import callee_name
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.manifests.pins import npm_pin, poetry_pin, python_pin, url_pin
from agent_architecture.semantics.manifests.ranges import NPM, PYPI, normalise
from agent_architecture.semantics.manifests.requirements import parse_requirement
from agent_architecture.sources.byte_answers import told
from agent_architecture.sources.source import Language, SourceFile, Span
from agent_architecture.syntax import ir
from agent_architecture.syntax.parse import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_LINES: Final = 100_000
SETUP: Final = "setup.py"
"""Code, of which only what stands there is read."""
SERVED: Final = regex(r"(?:^|[./])fastmcp\.json$")
"""The file that says in which environment a server is run: `fastmcp.json`, `orders.fastmcp.json`."""
_SCRIPT: Final = regex(rb"(?m)^# /// script$\s(?P<content>(?:^#(?:| .*)$\s)+)^# ///$")
"""The comment in which a script says what it needs (PEP 723, the expression is its own)."""
_ALONE: Final = regex(r"\s+--hash=\S+")
_OPTION: Final = regex(r"\s--?[A-Za-z].*")
_SECTIONS: Final = ("dependencies", "optionalDependencies")


class Entry(NamedTuple):
    """One package of a file: its normalised name, how it is pinned, where that stands, and the version that a lock file
    of the project has of it ("" where none has, or nobody looked).
    """

    ecosystem: str
    name: str
    pin: Pin
    span: Span
    locked: str = ""


def line_span(path: str, line: int, text: str) -> Span:
    """The text of one line, without the space around it."""
    start = len(text) - len(text.lstrip()) + 1
    return Span(path, line, start, line, max(start, len(text.rstrip()) + 1))


def requirements_entries(file: SourceFile) -> Iterator[Entry]:
    """A file of pip: one package a line (continued with a backslash); hashes count for the whole of it."""
    parts: list[str] = []
    start, first = 1, ""
    for number, physical in enumerate(file.data.decode("utf-8", "replace").split("\n")[:MAX_LINES], 1):
        line = re.sub(r"(?:^|\s)#.*", "", physical.rstrip("\r"))
        if not parts:
            start, first = number, physical.rstrip("\r")
        parts.append(line.rstrip().removesuffix("\\"))
        if line.rstrip().endswith("\\"):
            continue
        text, parts = " ".join(parts).strip(), []
        found = _requirement(text) if text and not text.startswith("-") else None
        if found:
            yield Entry(PYPI, *found, line_span(file.path, start, first))


def _requirement(text: str) -> tuple[str, Pin] | None:
    """A PEP 508 requirement with pip's options: its name and pin; None where it has no name."""
    hashed = bool(_ALONE.search(text))
    plain = _OPTION.sub("", _ALONE.sub("", text)).strip()
    parsed = parse_requirement(plain)
    if not parsed:
        named = re.search(r"#egg=([\w.-]+)", text)
        return (normalise(PYPI, named[1]), url_pin(text)) if named else None
    if re.match(r"[\w.-]+\s*(?:\[[^\]]*\])?\s*@", plain):
        return None if "file:" in plain else (parsed[0], url_pin(plain.partition("@")[2]))
    return parsed[0], Pin.DIGEST if hashed else python_pin(parsed[1])


def manifest_entries(file: SourceFile) -> Iterator[Entry]:
    """What any manifest asks for; nothing for a file that is none or cannot be read."""
    name = file.path.rpartition("/")[2].lower()
    if name == "package.json":
        yield from _package_json(file)
    elif name == "pyproject.toml":
        yield from _pyproject(file)
    elif name == "pipfile":
        yield from _poetry(at(_document(file), "packages"))
    elif name == "setup.cfg":
        yield from _setup_cfg(file)
    elif name == SETUP:
        yield from _setup_py(file)
    elif SERVED.search(name):
        yield from _requirements(at(_document(file), "environment", "dependencies"))
    elif name.endswith(".py"):
        yield from _script(file)
    elif name.endswith((".txt", ".in")):
        yield from requirements_entries(file)


def _setup_cfg(file: SourceFile) -> Iterator[Entry]:
    """The lines of `install_requires` in `[options]`."""
    section = key = ""
    for number, line in enumerate(file.data.decode("utf-8", "replace").split("\n")[:MAX_LINES], 1):
        text = re.sub(r"(?:^|\s)[#;].*", "", line).strip()
        if text.startswith("["):
            section, key = text.strip("[] "), ""
        elif text and not line[:1].isspace():
            key, _, text = (part.strip() for part in text.partition("="))
        found = _requirement(text) if text and (section, key) == ("options", "install_requires") else None
        if found:
            yield Entry(PYPI, *found, line_span(file.path, number, line.rstrip("\r")))


def _setup_py(file: SourceFile) -> Iterator[Entry]:
    """The list that `setup(install_requires=…)` is given, as it is written there or in a variable of the file."""
    nodes = tuple(ir.walk(*parse(file).body))
    named = {n.target.id: n.value for n in nodes if isinstance(n, ir.Assign) and isinstance(n.target, ir.Name)}
    for call in nodes:
        if not (isinstance(call, ir.Call) and callee_name(call.callee) == "setup"):
            continue
        for given in (argument.value for argument in call.args if argument.keyword == "install_requires"):
            listed = named.get(given.id) if isinstance(given, ir.Name) else given
            for literal in words(listed):
                found = _requirement(str(literal.value))
                if found:
                    yield Entry(PYPI, *found, literal.span)


@lru_cache(maxsize=64)
def _document(file: SourceFile) -> ir.Node | None:
    """What a manifest says, remembered: a scan asks it about fifteen things."""
    module = parse(file)
    return module.body[0] if module.body else None


def at(node: ir.Node | None, *keys: str) -> ir.Node | None:
    """The value at a key path of a document; None when there is none."""
    for key in keys:
        entries = node.entries if isinstance(node, ir.Map) else ()
        node = next((e.value for e in entries if isinstance(e.key, ir.Literal) and str(e.key.value) == key), None)
    return node


def pairs(node: ir.Node | None) -> Iterator[tuple[ir.Literal, ir.Expr]]:
    """The entries of a mapping whose keys are written."""
    for entry in node.entries if isinstance(node, ir.Map) else ():
        if isinstance(entry.key, ir.Literal):
            yield entry.key, entry.value


def words(node: ir.Node | None) -> Iterator[ir.Literal]:
    """The texts of a list, or the text itself."""
    for item in node.items if isinstance(node, ir.List) else (node,):
        if isinstance(item, ir.Literal) and isinstance(item.value, str):
            yield item


def _package_json(file: SourceFile) -> Iterator[Entry]:
    document = _document(file)
    for section in _SECTIONS:
        for key, value in pairs(at(document, section)):
            written = value.value if isinstance(value, ir.Literal) else None
            pin = npm_pin(written) if isinstance(written, str) else None
            if pin is not None:
                yield Entry(NPM, normalise(NPM, str(key.value)), pin, key.span)


def package_names(files: Iterable[SourceFile]) -> frozenset[str]:
    """The npm packages that the project's own manifests are of."""
    documents = (_document(file) for file in files if file.path.rpartition("/")[2] == "package.json")
    names = (at(document, "name") for document in documents)
    return frozenset(normalise(NPM, str(name.value)) for name in names if isinstance(name, ir.Literal))


def package_of(file: SourceFile) -> tuple[str, str] | None:
    """The ecosystem and the name of the package that a manifest is of; None for another file, or one without a name."""
    last = file.path.rpartition("/")[2]
    places = {"package.json": (NPM, ("name",)), "pyproject.toml": (PYPI, ("project", "name"))}
    if last not in places:
        return None
    ecosystem, keys = places[last]
    name = at(_document(file), *keys)
    return (ecosystem, normalise(ecosystem, str(name.value))) if isinstance(name, ir.Literal) else None


def project_names(files: Iterable[SourceFile]) -> frozenset[str]:
    """What the manifests of a project call it and its parts, without the scope."""
    files = tuple(files)
    manifests = [file for file in files if file.path.rpartition("/")[2] == "pyproject.toml"]
    tables = [
        at(_document(file), *keys) for file in manifests for keys in (("project", "name"), ("tool", "poetry", "name"))
    ]
    named = {normalise(PYPI, str(name.value)) for name in tables if isinstance(name, ir.Literal)}
    return frozenset(name.rpartition("/")[2] for name in {*named, *package_names(files)}) - {""}


def workspace_packages(files: Iterable[SourceFile]) -> frozenset[str]:
    """The npm packages that the project holds itself, where one of its manifests says that it is a workspace."""
    documents = [_document(file) for file in files if file.path.rpartition("/")[2] == "package.json"]
    if not any(at(document, "workspaces") is not None for document in documents):
        return frozenset()
    names = (at(document, "name") for document in documents)
    return frozenset(normalise(NPM, str(name.value)) for name in names if isinstance(name, ir.Literal))


def is_workspace(file: SourceFile) -> bool:
    """Whether a manifest says that others belong to it."""
    document = _document(file)
    return at(document, "workspaces") is not None or at(document, "tool", "uv", "workspace") is not None


def _pyproject(file: SourceFile) -> Iterator[Entry]:
    document = _document(file)
    own = package_of(file)
    lists = [at(document, "project", "dependencies")]
    lists += [value for _, value in pairs(at(document, "project", "optional-dependencies"))]
    for listed in lists:
        found = _requirements(listed, document)
        yield from (entry for entry in found if (PYPI, entry.name) != own)  # `own[extra]`: the project's own extras
    yield from _poetry(at(document, "tool", "poetry", "dependencies"))


def says_of_itself(file: SourceFile) -> bool:
    """Whether a file that is no manifest lists what has to be installed for it."""
    if file.language is Language.PYTHON:
        return file.path.rpartition("/")[2] == SETUP or told(file, _has_script)
    return SERVED.search(file.path) is not None


def _has_script(data: bytes) -> bool:
    return b"# /// script" in data


def _script(file: SourceFile) -> Iterator[Entry]:
    """The comment of a script: what is around it and the signs of the comment are blank, so that lines stay."""
    found = _SCRIPT.search(file.data.replace(b"\r\n", b"\n"))
    if found is None:
        return
    above = b"\n" * found.string[: found.start("content")].count(b"\n")
    content = re.sub(rb"(?m)^#", b" ", found["content"])
    document = _document(file._replace(language=Language.TOML, data=above + content))
    yield from _requirements(at(document, "dependencies"), document)


def _requirements(listed: ir.Node | None, document: ir.Node | None = None) -> Iterator[Entry]:
    """A list of PEP 508 requirements; `document` says where uv takes some of them from."""
    sources = {normalise(PYPI, str(key.value)): value for key, value in pairs(at(document, "tool", "uv", "sources"))}
    for literal in words(listed):
        found = _requirement(str(literal.value))
        pin = _sourced(found[1], sources.get(found[0])) if found else None
        if found and pin is not None:
            yield Entry(PYPI, found[0], pin, literal.span)


def _sourced(pin: Pin, source: ir.Node | None) -> Pin | None:
    """The pin of a package that uv takes from elsewhere; None for the project's own."""
    if at(source, "workspace") is not None or at(source, "path") is not None:
        return None
    return _git(source) if at(source, "git") is not None else pin


def _git(table: ir.Node | None) -> Pin:
    revision = at(table, "rev") or at(table, "ref")
    written = revision.value if isinstance(revision, ir.Literal) else ""
    return Pin.DIGEST if re.fullmatch(r"[0-9a-f]{40}", str(written)) else Pin.FLOATING


def _poetry(table: ir.Node | None) -> Iterator[Entry]:
    """Poetry's and pipenv's tables: a text, or a table with a version or a place."""
    for key, value in pairs(table):
        name = str(key.value)
        if name.lower() == "python" or at(value, "path") is not None:
            continue
        version = at(value, "version") if isinstance(value, ir.Map) else value
        written = version.value if isinstance(version, ir.Literal) else "*"
        pin = _git(value) if at(value, "git") is not None else poetry_pin(str(written))
        yield Entry(PYPI, normalise(PYPI, name), pin, key.span)
