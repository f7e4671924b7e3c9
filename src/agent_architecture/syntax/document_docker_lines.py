"""The logical lines of a Dockerfile: continued lines joined, comments left out, heredocs set apart.

Knows lines, not what the instructions mean.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.syntax.document_text import Document

_DIRECTIVE = regex(r"#\s*(\w+)\s*=\s*(\S+)\s*\Z")
_HEREDOC = regex(r"(?<![<\w])<<(-?)([\"']?)([A-Za-z_]\w*)\2")
_WITH_HEREDOC = regex(r"\s*(?:ONBUILD\s+)?(?:RUN|COPY|ADD)\s", re.IGNORECASE)


class Heredoc(NamedTuple):
    """The body of a heredoc: where it stands, and its text (without leading tabs for `<<-`)."""

    start: int
    end: int
    text: str


class Line:
    """One instruction: its text on one line, and where each character of it stands in the file."""

    __slots__ = ("_joints", "_offsets", "end", "heredocs", "text")

    def __init__(self, pieces: list[tuple[int, str]]) -> None:
        """`pieces` are the parts of the text, each with its offset in the file."""
        self.text = "".join(text for _, text in pieces)
        self._offsets = [offset for offset, _ in pieces]
        self._joints: list[int] = []
        length = 0
        for _, text in pieces:
            self._joints.append(length)
            length += len(text)
        self.end = self.at(max(len(self.text.rstrip()) - 1, 0)) + 1
        self.heredocs: list[Heredoc] = []

    def at(self, index: int) -> int:
        """The offset in the file of the character at `index` of the text."""
        piece = bisect_right(self._joints, index) - 1
        return self._offsets[piece] + index - self._joints[piece]

    def places(self, start: int, end: int) -> tuple[int, int]:
        """The offsets in the file of a part of the text."""
        return self.at(start), self.at(end - 1) + 1 if end > start else self.at(start)


def logical_lines(document: Document) -> Iterator[Line]:
    """The instructions of the file, in source order."""
    physical = [(found.start(), found[0].rstrip("\r")) for found in re.finditer(r"[^\n]+|(?<=\n)(?=\n)", document.text)]
    escape, at = _escape(physical)
    while at < len(physical):
        if _is_blank(physical[at][1]):
            at += 1
            continue
        pieces, at = _continued(physical, at, escape)
        line = Line(pieces)
        at = _read_heredocs(document, line, physical, at)
        yield line


def _escape(physical: list[tuple[int, str]]) -> tuple[str, int]:
    """The character that continues a line, and the number of lines of directives (they come first, or not at all)."""
    escape = "\\"
    for at, (_, text) in enumerate(physical):
        found = _DIRECTIVE.match(text.lstrip("\ufeff").strip())
        if not found:
            return escape, at
        if found[1].lower() == "escape" and found[2] in {"\\", "`"}:
            escape = found[2]
    return escape, len(physical)


def _is_blank(text: str) -> bool:
    stripped = text.strip().lstrip("\ufeff")
    return not stripped or stripped.startswith("#")


def _continued(physical: list[tuple[int, str]], at: int, escape: str) -> tuple[list[tuple[int, str]], int]:
    """The pieces of one instruction, and the number of the line after it; comments and blank lines do not end it."""
    pieces: list[tuple[int, str]] = []
    while at < len(physical):
        offset, text = physical[at]
        at += 1
        if pieces and _is_blank(text):
            continue
        stripped = text.rstrip()
        if not stripped.endswith(escape):
            pieces.append((offset, text))
            break
        pieces.append((offset, stripped[:-1]))
    return pieces, at


def _read_heredocs(document: Document, line: Line, physical: list[tuple[int, str]], at: int) -> int:
    if not _WITH_HEREDOC.match(line.text):
        return at
    for found in _HEREDOC.finditer(line.text):
        strip_tabs, first = bool(found[1]), at
        while at < len(physical) and (physical[at][1].lstrip("\t") if strip_tabs else physical[at][1]) != found[3]:
            at += 1
        body = physical[first:at]
        if at == len(physical):
            document.remark(line.at(found.start()), f"the heredoc {found[3][:40]} does not end")
        line.heredocs.append(_body(body, line.end, strip_tabs=strip_tabs))
        if at < len(physical):
            line.end = physical[at][0] + len(physical[at][1])
        elif body:
            line.end = line.heredocs[-1].end
        at = min(at + 1, len(physical))
    return at


def _body(body: list[tuple[int, str]], empty_at: int, *, strip_tabs: bool) -> Heredoc:
    text = "".join((line.lstrip("\t") if strip_tabs else line) + "\n" for _, line in body)
    if not body:
        return Heredoc(empty_at, empty_at, text)
    return Heredoc(body[0][0], body[-1][0] + len(body[-1][1]), text)
