"""The imports that the bytes of a file mention, found without parsing it.

A superset: an import in a comment or text is found, too, and none that the parser would find is missed (a specifier
with escapes excepted). Every repetition in the patterns is bounded or linear, because the files may be hostile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.sources.byte_answers import told
from agent_architecture.sources.languages import is_notebook
from agent_architecture.sources.source import Language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.sources.source import SourceFile


class Mention(NamedTuple):
    """One import as it is written: the module without leading dots, their number, the names imported from it.

    Without names, the module itself is imported.
    """

    specifier: str
    level: int = 0
    names: tuple[str, ...] = ()


_WORD: Final = rb"[\w\x80-\xff]++"
_GAP: Final = rb"(?:[ \t\f]++|\\\r?\n)*+"
_ORIGIN: Final = (
    _GAP
    + rb"(?:\."
    + _GAP
    + rb"){0,30}+(?:(?!(?:from|import)\b)"
    + _WORD
    + _GAP
    + rb"(?:\."
    + _GAP
    + _WORD
    + _GAP
    + rb"){0,30}+)?+"
)
_PYTHON: Final = regex(
    rb"\bfrom(?P<origin>"
    + _ORIGIN
    + rb")\bimport\b"
    + _GAP
    + rb"(?P<names>\((?:[^)#]++|#[^\n]*+)*+|(?:[^\n;#\\(]++|\\\r?\n)*+)"
    rb"|\bimport\b(?P<modules>(?:[\w\x80-\xff.,]++|[ \t\f]++|\\\r?\n)++)"
    rb"|\b(?:import_module|__import__)\s*+\(\s*+(?P<dynamic>[\"'][^\"'\n]++)"
)
_WORDS: Final = regex(_WORD)
_DOTTED: Final = regex(rb"[.\w\x80-\xff]+")
_BETWEEN: Final = rb"(?:\s++|/\*(?:[^*]|\*(?!/)){0,400}+\*/|//[^\n]{0,400}+\n){0,9}+"
_SCRIPT: Final = regex(
    rb"\b(?:from|import|require)" + _BETWEEN + rb"\(?+" + _BETWEEN + rb"(?:\"([^\"\n]++)|'([^'\n]++)|`([^`\n]++))"
)


def mentions(file: SourceFile) -> frozenset[Mention]:
    """Every import that a code file may contain."""
    if file.language is Language.PYTHON:
        return told(file, _of_python)
    if file.language is Language.NOTEBOOK:
        return told(file, _of_notebook)
    return told(file, _of_script_notebook if is_notebook(file.path) else _of_script)


def _of_python(data: bytes) -> frozenset[Mention]:
    return frozenset(_python(data))


def _of_notebook(data: bytes) -> frozenset[Mention]:
    return frozenset(_python(_unescaped(data)))


def _of_script(data: bytes) -> frozenset[Mention]:
    specifiers = (match[1] or match[2] or match[3] for match in _SCRIPT.finditer(data))
    return frozenset(Mention(specifier.decode("utf-8", "replace")) for specifier in specifiers)


def _of_script_notebook(data: bytes) -> frozenset[Mention]:
    return _of_script(_unescaped(data))


def _unescaped(data: bytes) -> bytes:
    """The lines of a notebook's cells as their code has them."""
    return data.replace(b"\\n", b"\n").replace(b'\\"', b'"')


def _python(data: bytes) -> Iterator[Mention]:
    for match in _PYTHON.finditer(data):
        if (origin := match["origin"]) is not None:
            names = tuple(sorted({word.decode("utf-8", "replace") for word in _WORDS.findall(match["names"])}))
            yield _dotted(b"".join(_DOTTED.findall(origin)), names or ("*",))
        elif (modules := match["modules"]) is not None:
            for part in modules.split(b","):
                if dotted := _DOTTED.search(part):
                    yield _dotted(dotted[0], ())
        else:
            yield _dotted(match["dynamic"][1:], ())


def _dotted(written: bytes, names: tuple[str, ...]) -> Mention:
    text = written.decode("utf-8", "replace")
    bare = text.lstrip(".")
    return Mention(bare, len(text) - len(bare), names)
