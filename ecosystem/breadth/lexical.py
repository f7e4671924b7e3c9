"""The count by words: every place of a project that looks like a tool, an agent or a request to a model.

It reads bytes and knows nothing of the analysis that it is held against. Comments, texts in triple quotes, tests,
generated, installed and vendored code are passed over by rough rules of its own.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from ecosystem.breadth.forms import EVERY, FORMS, PYTHON

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST: Final = 1_000_000
"""Bytes; a larger file of code was not written by hand."""
LONGEST_LINE: Final = 5_000
"""Bytes; a file with a longer line is packed."""

_PASSED_OVER: Final = re.compile(
    r"^(?:\..*|node_modules|site-packages|venv|env|dist|build|out|target|coverage|__pycache__|vendor|vendored"
    r"|third_party|generated|tests?|__tests__|__mocks__|testing|e2e|spec|specs|fixtures|evals?|docs?)$"
)
_TEST_FILE: Final = re.compile(r"^(?:test_.*|.*_test|conftest)\.py$|\.(?:test|spec|e2e|d|min|bundle|generated)\.\w+$")
_QUOTED: Final = re.compile(rb"(\"\"\"|''')[\s\S]*?\1")
_PYTHON_COMMENT: Final = re.compile(rb"^[ \t]*#[^\n]*", re.MULTILINE)
_SCRIPT_COMMENT: Final = re.compile(rb"/\*[\s\S]*?\*/|^[ \t]*//[^\n]*", re.MULTILINE)
_NOT_A_LINE_END: Final = re.compile(rb"[^\n]")


class Sighting(NamedTuple):
    """A place that looks like something. An entity between `line` and `last` is the same thing."""

    what: str
    kind: str
    path: str
    line: int
    last: int
    name: str
    """What it is called; "" where no word says it."""
    text: str


def sightings(root: Path) -> tuple[Sighting, ...]:
    """Every sighting in the project at `root`, by place; of two of one kind on a line the first form counts."""
    found: dict[tuple[str, int, str], Sighting] = {}
    for file in files(root):
        for one in in_text(file.relative_to(root).as_posix(), _read(file)):
            found.setdefault((one.path, one.line, one.kind), one)
    return tuple(sorted(found.values(), key=lambda one: (one.path, one.line, one.kind)))


def files(root: Path) -> Iterator[Path]:
    """The files of code that are read, in an order of their own; links are not followed."""
    for folder, below, names in os.walk(root):
        below[:] = sorted(name for name in below if not _PASSED_OVER.match(name))
        for name in sorted(names):
            path = Path(folder, name)
            if path.suffix in EVERY and not _TEST_FILE.search(name) and path.is_file() and not path.is_symlink():
                yield path


def _read(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            data = opened.read(LARGEST + 1)
    except OSError:
        return b""
    packed = len(data) > LARGEST or any(len(line) > LONGEST_LINE for line in data.split(b"\n"))
    return b"" if packed else data


def in_text(path: str, data: bytes) -> Iterator[Sighting]:
    """The sightings in the bytes of one file."""
    suffix = Path(path).suffix
    code = _without_remarks(data, python=suffix in PYTHON)
    lines = data.split(b"\n")
    for form in FORMS:
        if suffix not in form.suffixes:
            continue
        for match in form.pattern.finditer(code):
            begin = match.start() + len(match[0]) - len(match[0].lstrip())
            line = code.count(b"\n", 0, begin) + 1
            last = code.count(b"\n", 0, match.end()) + 1 + form.reach
            name = match["name"].decode("utf-8", "replace") if "name" in form.pattern.groupindex else ""
            text = lines[line - 1].decode("utf-8", "replace").strip()[:120]
            yield Sighting(form.what, form.kind, path, line, last, name, text)


def _without_remarks(data: bytes, *, python: bool) -> bytes:
    """The same bytes with comments (of Python: and texts in triple quotes) blank; every line keeps its number."""
    for remark in (_QUOTED, _PYTHON_COMMENT) if python else (_SCRIPT_COMMENT,):
        data = remark.sub(lambda match: _NOT_A_LINE_END.sub(b" ", match[0]), data)
    return data
