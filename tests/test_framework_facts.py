"""Every page of a pack that states what its lines do: effects, marks, flows, kinds of entities."""

from __future__ import annotations

from pathlib import Path

import pytest

from fact_text import check_facts, states_facts
from pages import Page, Section, pages_in

PAGES = pages_in(Path(__file__).parent / "frameworks", "*.md")
SECTIONS = [(page, section) for page in PAGES for section in page.sections if states_facts(section)]


@pytest.mark.parametrize(("page", "section"), SECTIONS, ids=[f"{p.path.stem}: {s.name}" for p, s in SECTIONS])
def test_the_packs_say_of_each_line_what_its_comment_states(page: Page, section: Section, tmp_path: Path) -> None:
    problems = check_facts(section, tmp_path)
    assert not problems, f"{page.path.name}\n" + "\n".join(problems)
