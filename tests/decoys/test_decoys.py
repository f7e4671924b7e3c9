"""Lies about a control change no verdict: each decoy is judged as what its code does, and its honest twin as better.

The pages have a chapter for each, with a project called `lie` and one called `honest`; rule and verdict stand in
comments on the line of the subject, as on the pages of detectors.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from agent_architecture.registry import judge_one, load_one
from page_checks import differences, understand, write
from pages import Page, Section, expectations, pages_in

PAGES: Final = {page.path.stem: page for page in pages_in(Path(__file__).parent, "*.md")}
PAIRS: Final = {
    f"{name}: {lie.chapter}": (page, lie, honest)
    for name, page in PAGES.items()
    for lie, honest in zip(page.sections, page.sections[1:], strict=False)
    if (lie.name, honest.name) == (f"{lie.chapter} / lie", f"{lie.chapter} / honest")
}
LEAST: Final = 120


def risks(page: Page, section: Section) -> list[float]:
    """What the page says of a project: the risks that are to be seen there, what is known to be missed included."""
    return [1.0 if each.found.risk is None else each.found.risk for each in expectations(page, section)]


def problems(page: Page, section: Section, folder: Path) -> list[str]:
    """Where what a project is judged like differs from what its page says."""
    folder.mkdir()
    write(section, folder)
    expected = expectations(page, section)
    (key,) = {each.key for each in expected}
    system, notices = understand(folder)
    judged = judge_one(load_one(key), system)
    assert judged.error is None
    return [*notices, *differences(expected, judged.verdicts)]


def test_there_are_enough_of_them_in_both_languages_and_each_has_its_twin() -> None:
    assert {name: len(page.sections) for name, page in PAGES.items()} == {
        name: 3 * sum(pair[0] is page for pair in PAIRS.values()) for name, page in PAGES.items()
    }
    assert len(PAIRS) >= LEAST
    assert all(sum(pair[0] is page for pair in PAIRS.values()) >= LEAST * 0.45 for page in PAGES.values())


@pytest.mark.parametrize("pair", PAIRS)
def test_a_lie_is_not_believed_and_its_twin_is(pair: str, tmp_path: Path) -> None:
    page, lie, honest = PAIRS[pair]
    assert max(risks(page, honest)) < max(risks(page, lie))
    assert problems(page, lie, tmp_path / "lie") == []
    assert problems(page, honest, tmp_path / "honest") == []
