"""Programs as they are wired: pages of small projects on whose lines stands what `explain FILE:LINE` says of them.

A comment `shows: TEXT` (`#` or `//`; several separated by ` | `) says that the explanation of its line has this text:
which function a call runs, what an expression is, what reaches an argument, who runs a function. `hides: TEXT` says
that it has not; `MISSING shows: TEXT` and `SPURIOUS hides: TEXT` are known to be wrong, and fail once they are right.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from agent_architecture.seen import seen_at
from page_checks import write
from pages import Page, Section, pages_in

PAGES: Final = pages_in(Path(__file__).parent, "*.md")
SECTIONS: Final = [(page, section) for page in PAGES for section in page.sections if section.blocks]
COMMENT: Final = re.compile(r"(?:#|//) ((?:MISSING |SPURIOUS )?(?:shows|hides): .+)$")
CLAIM: Final = re.compile(r"(?P<mark>MISSING |SPURIOUS )?(?P<what>shows|hides): (?P<text>.+)")


@pytest.mark.parametrize(("page", "section"), SECTIONS, ids=[f"{p.path.stem}: {s.name}" for p, s in SECTIONS])
def test_a_line_is_explained_as_its_page_says(page: Page, section: Section, tmp_path: Path) -> None:
    write(section, tmp_path)
    claims = list(_claims(section))
    assert claims, f"{page.path.name} says nothing of {section.name}"
    said = {(name, line): _explained(tmp_path / name, line, tmp_path) for name, line, _ in claims}
    wrong = [
        f"{name}:{line} {claim}\n  " + "\n  ".join(said[name, line])
        for name, line, claim in claims
        if not _holds(claim, said[name, line])
    ]
    assert not wrong, "\n".join(wrong)


def _claims(section: Section) -> list[tuple[str, int, str]]:
    return [
        (block.name, number, claim.strip())
        for block in section.blocks
        for number, line in enumerate(block.text.splitlines(), 1)
        if (match := COMMENT.search(line))
        for claim in match[1].split(" | ")
    ]


def _explained(file: Path, line: int, root: Path) -> list[str]:
    """What is seen at the line, then its calls, then what else is known of it."""
    seen = seen_at(root, file, line)
    parts = [f"{part.kind} {part.name}" for part in seen.parts]
    return [*parts, *seen.calls, *(text for _, texts in seen.facts for text in texts)]


def _holds(claim: str, said: list[str]) -> bool:
    match = CLAIM.fullmatch(claim)
    assert match is not None, claim
    is_shown = any(match["text"] in text for text in said)
    return is_shown == ((match["what"] == "shows") is not bool(match["mark"]))
