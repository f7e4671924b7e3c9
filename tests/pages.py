"""Pages that are tests: Markdown whose fenced code blocks are small projects, with what must be found in them.

Reads the form of a page; it knows nothing of analysing, nor of what any detector or pack looks for.

A section is a `##` or `###` heading; its blocks are one project, each block one file. A line `` `name`: `` before a
block names the file; otherwise the language of the fence does (`FILE_NAMES`). Blocks of other languages need a name.

Expectations of detector pages are comments (`#` or `//`) on the line of the subject, or on lines of their own before
it, several separated by `;`:

    gap: key             a verdict of risk 1           gap(0.3): key   a verdict of this risk
    ok: key              seen, and fine                unknown: key    seen, and not readable
    MISSING gap: key     should be there, is not: fails once it is
    SPURIOUS gap: key    should not be there, is: fails once it is gone

No line may have a verdict of the page's detector that it does not name.

Blocks of the language `model` (pages of packs) say what the model must hold: see model_text.py. Blocks of the language
`diff` say what `--fix --unsafe-fixes` writes: see fixing/test_pack_fixes.py. Neither is a file of the project.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

FILE_NAMES: Final = {
    "python": "main.py",
    "typescript": "main.ts",
    "tsx": "main.tsx",
    "javascript": "main.js",
    "jsx": "main.jsx",
}
NO_FILES: Final = frozenset({"model", "diff"})
"""Languages of blocks that say what is expected."""
_HEADING: Final = re.compile(r"^(#{1,3}) +(.+?) *$")
_FENCE: Final = re.compile(r"^(`{3,})(\w*) *$")
_NAMED: Final = re.compile(r"^`([^`]+)`: *$")
_COMMENT: Final = re.compile(r"(?:#|//)\s*((?:(?:MISSING|SPURIOUS)\s+)?(?:gap|ok|unknown)\b\s*[(:].*)$")
_EXPECTATION: Final = re.compile(
    r"^(?:(?P<mark>MISSING|SPURIOUS) )?(?P<what>gap|ok|unknown)(?:\((?P<risk>[0-9.]+)\))?: (?P<key>\w+)$"
)


class PageError(Exception):
    """A page breaks the form; the message names page and line."""


class Block(NamedTuple):
    """One file of a section's project. `line` is that of the page where its text begins."""

    language: str
    name: str
    text: str
    line: int


class Section(NamedTuple):
    """A heading, with the `##` heading above it if it is a `###`, and its blocks."""

    name: str
    blocks: tuple[Block, ...]

    @property
    def chapter(self) -> str:
        """The `##` heading that it stands under, or is."""
        return self.name.split(" / ")[0]


class Page(NamedTuple):
    """A page: its title, the text before the first heading, and all of its sections."""

    path: Path
    title: str
    intro: str
    text: str
    sections: tuple[Section, ...]


class Found(NamedTuple):
    """What a page expects or a detector said: `risk` is None for `unknown`."""

    path: str
    line: int
    outcome: str
    risk: float | None

    def __str__(self) -> str:
        said = f"gap({self.risk:g})" if self.outcome == "gap" else self.outcome
        return f"{self.path}:{self.line} {said}"


class Expectation(NamedTuple):
    """One expectation: `mark` is MISSING, SPURIOUS or nothing; `page_line` is where it stands."""

    found: Found
    key: str
    mark: str
    page_line: int


def read_page(path: Path) -> Page:
    """The page at `path`.

    Raises:
        PageError: a fence that is not closed, a block without a name, or two blocks of one section with the same name.
    """
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    title, intro = "", list[str]()
    parts: list[tuple[str, list[Block]]] = []
    chapter, at = "", 0
    while at < len(lines):
        heading, fence = _HEADING.match(lines[at]), _FENCE.match(lines[at])
        if heading and heading[1] == "#":
            title = heading[2]
        elif heading:
            chapter = heading[2] if heading[1] == "##" else chapter
            parts.append((heading[2] if heading[1] == "##" else f"{chapter} / {heading[2]}", []))
        elif fence and parts:
            end = _closing(path, lines, at, fence[1])
            parts[-1][1].append(_block(path, lines, at, end, fence[2]))
            at = end
        elif not parts:
            intro.append(lines[at])
        at += 1
    sections = tuple(Section(name, tuple(blocks)) for name, blocks in parts)
    _check_names(path, sections)
    return Page(path, title, "\n".join(intro).strip(), text, sections)


def _closing(path: Path, lines: list[str], start: int, fence: str) -> int:
    for at in range(start + 1, len(lines)):
        if lines[at].rstrip() == fence:
            return at
    raise PageError(f"{path.name}:{start + 1}: this block is not closed")


def _block(path: Path, lines: list[str], start: int, end: int, language: str) -> Block:
    before = [line for line in lines[max(0, start - 2) : start] if line.strip()]
    named = _NAMED.match(before[-1]) if before else None
    name = named[1] if named else FILE_NAMES.get(language, "")
    if not name and language not in NO_FILES:
        raise PageError(
            f"{path.name}:{start + 1}: a block of {language or 'no language'} needs a line `name`: before it"
        )
    return Block(language, name, "\n".join([*lines[start + 1 : end], ""]), start + 2)


def _check_names(path: Path, sections: tuple[Section, ...]) -> None:
    for section in sections:
        seen: set[str] = set()
        for block in section.blocks:
            if block.name in seen:
                raise PageError(
                    f"{path.name}:{block.line - 1}: {section.name} has two blocks for {block.name or 'the model'}"
                )
            seen.add(block.name)


def expectations(page: Page, section: Section) -> tuple[Expectation, ...]:
    """What a section's comments expect.

    Raises:
        PageError: a comment that begins like an expectation and is none.
    """
    return tuple(found for block in section.blocks for found in _of_block(page, block))


def _of_block(page: Page, block: Block) -> Iterator[Expectation]:
    waiting: list[tuple[str, int]] = []
    for number, line in enumerate(block.text.split("\n"), start=1):
        comment = _COMMENT.search(line)
        if comment:
            waiting.extend((part.strip(), number) for part in comment[1].split(";"))
        if line[: comment.start() if comment else None].strip().strip("#/"):
            for text, written in waiting:
                yield _expectation(page, block, text, number, block.line + written - 1)
            waiting = []
    if waiting:
        raise PageError(f"{page.path.name}:{block.line + waiting[0][1] - 1}: no line of code follows this expectation")


def _expectation(page: Page, block: Block, text: str, line: int, page_line: int) -> Expectation:
    parsed = _EXPECTATION.match(text)
    if parsed is None or (parsed["risk"] and (parsed["what"] != "gap" or not 0 < float(parsed["risk"]) < 1)):
        raise PageError(f"{page.path.name}:{page_line}: not an expectation: {text!r}")
    risk = {"ok": 0.0, "unknown": None, "gap": float(parsed["risk"] or 1)}[parsed["what"]]
    return Expectation(Found(block.name, line, parsed["what"], risk), parsed["key"], parsed["mark"] or "", page_line)


def pages_in(folder: Path, pattern: str) -> tuple[Page, ...]:
    """The pages under `folder` whose path matches, by path."""
    return tuple(read_page(path) for path in sorted(folder.glob(pattern)))
