"""Writes comments that hide findings, on their lines, and only where the language says that they are comments.

A change to a file is tried in memory first: it counts when its comment is read as one, for the right line, and the file
has no more syntax errors than before. It must not know what a finding is about.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from agent_architecture.contract import short
from agent_architecture.errors import UsageError
from agent_architecture.findings import every_evidence
from agent_architecture.records import NamedTuple
from agent_architecture.report import Report
from agent_architecture.sources.languages import language_of, script_language
from agent_architecture.sources.read import read
from agent_architecture.sources.source import Language, Role, SourceFile
from agent_architecture.suppressions.marks import WORD
from agent_architecture.syntax.comments import LINE_COMMENT, comments
from agent_architecture.syntax.parse import parse

LONGEST: Final = 200
"""Characters of a reason: it stands on a line of code."""
NO_COMMENTS: Final = "its language has no comments that are read: use `ignore` in the configuration"
NO_PLACE: Final = "no comment fits on this line or above it"


class Change(NamedTuple):
    """What is to be written to one file, and how many places that hides."""

    file: Path
    data: bytes
    places: int


class Left(NamedTuple):
    """A place that stays as it is, and why. `line` 0: the whole file."""

    path: str
    line: int
    why: str


def changes(report: Report, root: Path, reason: str, limit: int) -> Iterator[Change | Left]:
    """The new content of each file with findings, and the places where nothing can be written."""
    wanted: defaultdict[str, defaultdict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for finding in report.findings:
        for evidence in every_evidence(finding):
            if evidence.span is not None:
                wanted[evidence.span.path][max(evidence.span.line, 0)].add(short(finding.key))
    for path, lines in sorted(wanted.items()):
        yield from _of_file(path, root, {line: sorted(keys) for line, keys in lines.items()}, reason, limit)


def _of_file(path: str, root: Path, lines: dict[int, list[str]], reason: str, limit: int) -> Iterator[Change | Left]:
    file = root / path
    content = read(str(file), path, limit)
    language = language_of(file.name, file.parent.name) or script_language(content.data or b"")
    if content.data is None:
        yield Left(path, 0, content.notice.message if content.notice else "cannot be read")
    elif language not in LINE_COMMENT:
        yield Left(path, 0, NO_COMMENTS)
    elif not _is_utf8(content.data):
        yield Left(path, 0, "is not in UTF-8")
    else:
        data, written = content.data, 0
        for line, keys in sorted(lines.items(), reverse=True):  # from the end: lines above keep their numbers
            file_now = SourceFile(path, language, Role.APP, data)
            changed = with_comment(file_now, line, comment_of(keys, reason)) if line else None
            if changed is None:
                yield Left(path, line, NO_PLACE)
            else:
                data, written = changed, written + 1
        if written:
            yield Change(file, data, written)


def comment_of(keys: Iterable[str], reason: str) -> str:
    """What a comment says that hides findings of these rules; without a reason it hides nothing yet."""
    return f"{WORD} ignore[{', '.join(keys)}] {reason}".rstrip()


def checked_reason(reason: str, name: str = "a reason") -> str:
    """A reason that can stand in a comment on a line of code; `name` is what it is called in complaints.

    Raises:
        UsageError: it says nothing, is too long, or would end the comment.
    """
    said = reason.strip()
    if not re.search(r"\w", said):
        raise UsageError(f"{name} says why the findings are acceptable")
    if len(said) > LONGEST or not said.isprintable() or "*/" in said or WORD in said:
        raise UsageError(f"{name} is one line of at most {LONGEST} characters, and closes no comment")
    return said


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def with_comment(file: SourceFile, line: int, comment: str) -> bytes | None:
    """The bytes of a file with a comment beside a line, or above it; None where neither is read as a comment."""
    rows = file.data.split(b"\n")
    if line > len(rows):
        return None
    errors = len(parse(file).notices)
    before = {(found.line, found.text) for found in comments(file, WORD)}
    for above, text in _candidates(rows[line - 1], comment, file.language):
        changed = [*rows[: line - 1], text, *rows[line - 1 if above else line :]]
        tried = file._replace(data=b"\n".join(changed))
        found = [one for one in comments(tried, WORD) if one.text == comment and (one.line, one.text) not in before]
        if any(one.about == line + above for one in found) and len(parse(tried).notices) <= errors:
            return tried.data
    return None


def _candidates(row: bytes, comment: str, language: Language) -> Iterator[tuple[bool, bytes]]:
    """Ways to write the comment: whether it is a line of its own above, and that line or the changed one."""
    mark = LINE_COMMENT[language]
    end = b"\r" if row.endswith(b"\r") else b""
    code = row.removesuffix(b"\r")
    indent = code[: len(code) - len(code.lstrip())]
    yield False, code.rstrip() + f"  {mark} {comment}".encode() + end
    yield True, indent + f"{mark} {comment}".encode() + end
    if mark == "//":
        yield True, indent + f"{{/* {comment} */}}".encode() + end
