"""Pages of what a project offers to a model (tests/agents/tools/*.md): code, and the agent system it must give."""

from __future__ import annotations

from pathlib import Path

import pytest

from model_text import check_model, models
from pages import Page, Section, pages_in

PAGES = pages_in(Path(__file__).parent / "tools", "*.md")
SECTIONS = [(page, section) for page in PAGES for section in page.sections if section.blocks]


@pytest.mark.parametrize(("page", "section"), SECTIONS, ids=[f"{p.path.stem}: {s.name}" for p, s in SECTIONS])
def test_code_offers_the_tools_that_its_page_shows(page: Page, section: Section, tmp_path: Path) -> None:
    assert len(models(section)) == 1, f"{section.name} of {page.path.name} has no model block"
    problems = check_model(section, tmp_path)
    assert not problems, "\n" + "\n".join(problems)
