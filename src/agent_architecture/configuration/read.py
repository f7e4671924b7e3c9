"""A configuration file as plain data, with the line and column of every key and value.

It knows YAML and TOML, through the readers of scanned documents: these bound depth and cut aliases that multiply. It
must not know which keys there are.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from agent_architecture.errors import ConfigurationError
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.sources.decode import decode
from agent_architecture.sources.read import read
from agent_architecture.sources.source import Language, Role, SourceFile

if TYPE_CHECKING:
    from agent_architecture.sources.source import Span
    from agent_architecture.syntax.ir import Constant, Entry, Expr, Module

PYPROJECT: Final = "pyproject.toml"
SECTION: Final = ("tool", "agent-architecture")
"""Where the configuration stands in a `pyproject.toml`."""
LARGEST: Final = 1_000_000
"""Bytes: a configuration that people write has some thousand."""

_TOML_PLACE: Final = regex(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_UNQUOTED: Final = regex(r"\s*+-?\s*+\{?.*\bop:\s*[><!]")


class Scalar(NamedTuple):
    """One text, number, truth value or nothing, and where it stands."""

    value: Constant
    line: int
    column: int


class Items(NamedTuple):
    """A list."""

    items: tuple[Value, ...]
    line: int
    column: int


class Member(NamedTuple):
    """One key of a section, where it stands, and its value."""

    name: str
    value: Value
    line: int
    column: int


class Section(NamedTuple):
    """A mapping; every name occurs once."""

    members: tuple[Member, ...]
    line: int
    column: int

    def get(self, name: str) -> Value | None:
        """The value of a key, None where it is not written."""
        return next((member.value for member in self.members if member.name == name), None)


Value: TypeAlias = Scalar | Items | Section


class ConfigFile(NamedTuple):
    """One configuration file as it was read. `shown` is how sentences name it."""

    path: Path
    shown: str
    root: Section


def read_file(path: Path, shown: str) -> ConfigFile | None:
    """The configuration in a file; None for a `pyproject.toml` without our section, or that nobody can read.

    Raises:
        ConfigurationError: the file cannot be read as what its name says; the sentence names file and line.
    """
    content = read(str(path.resolve()), shown, LARGEST)
    if content.data is None and path.name == PYPROJECT:
        return None
    if content.data is None:
        raise ConfigurationError(f"{shown}: {content.notice.message if content.notice else 'cannot be read'}")
    decoded = decode(shown, content.data)
    if path.name == PYPROJECT and (decoded.data is None or SECTION[-1].encode() not in decoded.data):
        return None
    if decoded.data is None or decoded.notice is not None:
        raise ConfigurationError(f"{shown}: {decoded.notice.message if decoded.notice else 'is no text'}")
    root = _root(path.name, shown, decoded.data)
    return None if root is None else ConfigFile(path, shown, root)


def _root(name: str, shown: str, data: bytes) -> Section | None:
    from agent_architecture.syntax.documents import lower_document

    language = Language.TOML if name.lower().endswith(".toml") else Language.YAML
    module = lower_document(SourceFile(shown, language, Role.CONFIG, data))
    if name != PYPROJECT:
        _refuse_broken(module, shown, data)
        return _document(module, shown)
    value: Section | None = None
    found = _below(module)
    if found is not None:
        _refuse_broken(module, shown, data)
        converted = _value(found, shown)
        if not isinstance(converted, Section):
            raise _error(shown, found.span, f"{'.'.join(SECTION)} is a table, not one value")
        value = converted
    return value


def _below(module: Module) -> Expr | None:
    """The value of our section in a `pyproject.toml`, read as far as it can be."""
    from agent_architecture.syntax.ir import Literal, Map

    value: Expr | None = next((node for node in module.body if isinstance(node, Map)), None)
    for name in SECTION:
        entries = value.entries if isinstance(value, Map) else ()
        value = next(
            (entry.value for entry in entries if isinstance(entry.key, Literal) and entry.key.value == name), None
        )
    return value


def _refuse_broken(module: Module, shown: str, data: bytes) -> None:
    """Raise for the first thing that the reader of scanned documents would only have remarked."""
    if module.notices:
        notice = module.notices[0]
        raise ConfigurationError(f"{shown}:{notice.line or 1}: {notice.message}{_hint(data, notice.line or 0)}")
    if module.language is not Language.TOML:
        return
    import tomllib

    try:
        tomllib.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:  # also a number of more than 4300 digits
        text = str(error)
        place = _TOML_PLACE.search(text)
        line = place[1] if place and place[1] else str(data.count(b"\n") + 1)
        raise ConfigurationError(f"{shown}:{line}: TOML: {_TOML_PLACE.sub('', text)}") from None


def _hint(data: bytes, number: int) -> str:
    """The operators of invariants begin with characters that mean something in YAML."""
    lines = data.decode("utf-8", "replace").split("\n")
    near = lines[max(0, number - 2) : number]
    return " (an operator needs quotes: op: '<=')" if any(map(_UNQUOTED.match, near)) else ""


def _document(module: Module, shown: str) -> Section:
    from agent_architecture.syntax.ir import Literal, Map

    if not module.body:
        return Section((), 1, 1)
    if len(module.body) > 1:
        raise _error(shown, module.body[1].span, "a second document begins here; a configuration is one")
    top = module.body[0]
    if isinstance(top, Literal) and top.value is None:
        return Section((), 1, 1)
    if not isinstance(top, Map):
        raise _error(
            shown, top.span, "a configuration is a mapping of sections (data, metrics, policy, report, ignore)"
        )
    return _section(top.entries, top.span, shown)


# --------------------------------------------------------------------------------------------------- from IR to values
def _value(node: Expr, shown: str) -> Value:
    from agent_architecture.syntax.ir import List, Literal, Map

    if isinstance(node, Map):
        return _section(node.entries, node.span, shown)
    if isinstance(node, List):
        return Items(tuple(_value(item, shown) for item in node.items), node.span.line, node.span.col)
    if isinstance(node, Literal):
        return Scalar(node.value, node.span.line, node.span.col)
    raise _error(shown, node.span, "this value cannot be read")


def _section(entries: tuple[Entry, ...], span: Span, shown: str) -> Section:
    from agent_architecture.syntax.ir import Literal

    members: dict[str, Member] = {}
    for entry in entries:
        key = entry.key
        if key is None:
            raise _error(shown, entry.value.span, "merge keys (<<) are not read here; write the keys out")
        if not isinstance(key, Literal) or not isinstance(key.value, str):
            raise _error(shown, key.span, "a key is a word")
        if key.value in members:
            raise _error(shown, key.span, f"{key.value} stands here twice (first in line {members[key.value].line})")
        members[key.value] = Member(key.value, _value(entry.value, shown), key.span.line, key.span.col)
    return Section(tuple(members.values()), span.line, span.col)


def _error(shown: str, span: Span, message: str) -> ConfigurationError:
    return ConfigurationError(f"{shown}:{span.line}: {message}")
