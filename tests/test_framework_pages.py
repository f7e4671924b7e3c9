"""Every page of a pack (frameworks/<pack>.md): code, and the agent system that it must give."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import agent_architecture
from model_text import check_model, models
from pages import Page, Section, pages_in

PACKS = Path(agent_architecture.__path__[0]) / "frameworks"
PAGES = pages_in(Path(__file__).parent / "frameworks", "*.md")
SECTIONS = [
    (page, section)
    for page in PAGES
    for section in page.sections
    if section.blocks and not any(block.language == "diff" for block in section.blocks)
]


@pytest.mark.parametrize(("page", "section"), SECTIONS, ids=[f"{p.path.stem}: {s.name}" for p, s in SECTIONS])
def test_a_page_of_a_pack_gives_the_model_that_it_shows(page: Page, section: Section, tmp_path: Path) -> None:
    assert len(models(section)) == 1, f"{section.name} of {page.path.name} has no model block"
    problems = check_model(section, tmp_path)
    assert not problems, "\n" + "\n".join(problems)


@pytest.mark.parametrize("pack", sorted(PACKS.glob("*.toml")), ids=lambda path: path.stem)
def test_every_pack_that_makes_entities_has_a_page(pack: Path) -> None:
    makes = tomllib.loads(pack.read_text(encoding="utf-8")).keys() & {"entity", "document"}
    assert not makes or pack.stem in {page.path.stem for page in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=[page.path.stem for page in PAGES])
def test_every_page_has_a_pack_and_says_what_it_is(page: Page) -> None:
    assert (PACKS / f"{page.path.stem}.toml").is_file()
    assert page.title
    assert page.intro
