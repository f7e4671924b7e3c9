"""Agent call sites: pages of small projects (sites/*.md) on whose lines stands what is a site, and how it is limited.

A comment `site: KIND` (`#` or `//`) on a line says that an agent call site stands there; `site: KIND, LIMIT` says its
effective step limit too, in the words of labels (`ecosystem/labels.py`). No other line may have a site.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from ecosystem.found import found_in

from page_checks import understand, write
from pages import Page, Section, pages_in

PAGES: Final = pages_in(Path(__file__).parent / "sites", "*.md")
SECTIONS: Final = [(page, section) for page in PAGES for section in page.sections if section.blocks]
COMMENT: Final = re.compile(r"(?:#|//) site: (?P<kind>\w+)(?:, (?P<limit>.+?))?\s*$")


@pytest.mark.parametrize(("page", "section"), SECTIONS, ids=[f"{p.path.stem}: {s.name}" for p, s in SECTIONS])
def test_a_project_has_the_sites_that_its_page_marks(page: Page, section: Section, tmp_path: Path) -> None:
    write(section, tmp_path)
    system, notices = understand(tmp_path)
    assert not notices
    sites = [one for one in found_in(system) if one.kind in {"site", "server"}]
    marked = expected(section)
    found = {str(one.place): (one.what.partition(" ")[0], one.limit) for one in sites}
    assert {place: (kind, limit or found.get(place, ("", ""))[1]) for place, (kind, limit) in marked.items()} == found
    assert marked or page.title == "What is no site"


def expected(section: Section) -> dict[str, tuple[str, str]]:
    """Kind and limit ("" where the page leaves it open) by place."""
    return {
        f"{block.name}:{number}": (match["kind"], match["limit"] or "")
        for block in section.blocks
        for number, line in enumerate(block.text.splitlines(), 1)
        if (match := COMMENT.search(line))
    }
