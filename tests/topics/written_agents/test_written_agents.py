"""Agents that are written by hand: pages of small projects (agents/*.md) on whose lines stands what is an agent, and
where one passes work to another.

A comment `agent: NAME` (`#` or `//`) on a line says that an agent stands there, `handoff: FROM → TO` that an edge does.
Every other line has none, a library's own agents apart.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from page_checks import understand, write
from pages import Page, Section, pages_in

PAGES: Final = pages_in(Path(__file__).parent, "*.md")
SECTIONS: Final = [(page, section) for page in PAGES for section in page.sections if section.blocks]
COMMENT: Final = re.compile(r"(?:agent|handoff): (?P<what>.+?)(?=, (?:agent|handoff): |\s*$)")
TRAPS: Final = "What is no agent"


@pytest.mark.parametrize(("page", "section"), SECTIONS, ids=[f"{p.path.stem}: {s.name}" for p, s in SECTIONS])
def test_a_project_has_the_agents_and_edges_that_its_page_marks(page: Page, section: Section, tmp_path: Path) -> None:
    write(section, tmp_path)
    system, notices = understand(tmp_path)
    assert not notices
    found = [(f"{one.span.path}:{one.span.line}", one.symbol) for one in system.agents if not one.framework]
    found += [(f"{one.span.path}:{one.span.line}", one.symbol) for one in system.handoffs if not one.framework]
    assert sorted(found) == sorted(marked(section))
    assert bool(found) != (page.title == TRAPS)


def marked(section: Section) -> list[tuple[str, str]]:
    """Place and name of everything that a section marks."""
    return [
        (f"{block.name}:{number}", match["what"])
        for block in section.blocks
        for number, line in enumerate(block.text.splitlines(), 1)
        for comment in re.findall(r"(?:#|//) ((?:agent|handoff): .+)$", line)
        for match in COMMENT.finditer(comment)
    ]
