"""What CodeQL's tests of API graphs expect, read from the comments of their files.

`#$ use=moduleImport("a").getMember("b").getReturn()` says that something on this line is what a call of `a.b` returns;
`def=…getParameter(0)` that something on it is what `a.b` is given first. What stands after `MISSING:` CodeQL itself
does not find and what stands after `SPURIOUS:` is not so: neither is an expectation of others.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SUFFIXES: Final = (".py", ".js", ".ts")
_COMMENT: Final = {".py": re.compile(r"#\s*\$(.*)"), ".js": re.compile(r"/\*(.*?)\*/|//(.*)")}
_EXPECTED: Final = re.compile(r"(MISSING:|SPURIOUS:)|\b(use|def)=(\w+\([^)]*\)(?:\.\w+\([^)]*\))*)")
_STEP: Final = re.compile(r'(\w+)\((?:"([^"]*)"|(\d+))?\)')


class Step(NamedTuple):
    """One step of a path: `getMember` with "b", `getParameter` with "0", `getReturn` with ""."""

    kind: str
    name: str


class Expectation(NamedTuple):
    """One expectation: its place, whether it is about a use or about what is given, and the path."""

    path: str
    line: int
    is_use: bool
    steps: tuple[Step, ...]
    text: str


def expectations(folder: Path) -> Iterator[Expectation]:
    """Those of every file below a folder, by place."""
    for file in sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES):
        place = file.relative_to(folder).as_posix()
        comments = _COMMENT[".py" if file.suffix == ".py" else ".js"]
        for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
            for comment in comments.finditer(line):
                yield from _in_comment(comment[0], place, number)


def _in_comment(comment: str, path: str, line: int) -> Iterator[Expectation]:
    for found in _EXPECTED.finditer(comment):
        if found[1]:
            return
        steps = tuple(Step(kind, name or number) for kind, name, number in _STEP.findall(found[3]))
        yield Expectation(path, line, found[2] == "use", steps, f"{found[2]}={found[3]}")
