"""Every block of every detector page: what the detector says of it, and the form that the page has."""

from __future__ import annotations

from pathlib import Path

import pytest

import agent_architecture.detectors
from agent_architecture.detector import Detector
from agent_architecture.registry import load, load_one
from page_checks import check_section, form_problems
from pages import Page, Section, pages_in, read_page

DETECTORS = Path(agent_architecture.detectors.__path__[0])
CASES = Path(__file__).parent / "cases"
"""Further cases of a detector, those that would make its page too long to read: cases/<key>/*.md."""

SECTIONS = [(p.path.stem, p, s) for p in pages_in(DETECTORS, "*/*.md") for s in p.sections if s.blocks]
SECTIONS += [(p.path.parent.name, p, s) for p in pages_in(CASES, "*/*.md") for s in p.sections if s.blocks]


@pytest.mark.parametrize(("key", "page", "section"), SECTIONS, ids=[f"{p.path.stem}: {s.name}" for _, p, s in SECTIONS])
def test_a_page_says_what_its_detector_says(key: str, page: Page, section: Section, tmp_path: Path) -> None:
    problems = check_section(page, section, load_one(key), tmp_path)
    assert not problems, "\n" + "\n".join(problems)


@pytest.mark.parametrize("detector", load(), ids=lambda detector: detector.key)
def test_a_page_has_the_form_that_readers_know(detector: Detector) -> None:
    page = read_page(DETECTORS / detector.group / f"{detector.key}.md")
    problems = form_problems(page, detector)
    assert not problems, "\n" + "\n".join(problems)
