"""The runner of pages: what it reads, and that a page which is wrong about its detector fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_architecture.registry import load_one
from model_text import check_model
from page_checks import check_section, form_problems
from pages import Page, PageError, Section, expectations, read_page

KEY = "loop_guard_absence"
CODE = """\
from agents import Runner
from desk import clerk

"""
MODEL = """\
from agents import Agent, Runner

clerk = Agent(name="clerk", tools=[print])
Runner.run_sync(clerk, "hello", max_turns=5)
"""
RUN = (
    "site run main.py:4 Runner.run_sync framework=openai-agents agents=clerk tools=print step_limit=written 5\n"
    "feedback_path run main.py:4 Runner.run_sync framework=openai-agents step_limit=written 5\n"
)


def page_with(folder: Path, text: str) -> Page:
    file = folder / "page.md"
    file.write_text(text, encoding="utf-8")
    return read_page(file)


def only(page: Page) -> Section:
    (section,) = (section for section in page.sections if section.blocks)
    return section


def problems_of(folder: Path, line: str) -> list[str]:
    page = page_with(folder, f"# Title\n\n## Gaps\n\n```python\n{CODE}{line}\n```\n")
    return check_section(page, only(page), load_one(KEY), folder / "project")


@pytest.mark.parametrize(
    "line",
    [
        f'Runner.run_sync(clerk, "hello")  # gap(0.3): {KEY}',
        f'# gap(0.3): {KEY}\nRunner.run_sync(clerk, "hello")',
        f'Runner.run_sync(clerk, "hello", max_turns=5)  # ok: {KEY}',
        f'Runner.run_sync(clerk, "hello")  # MISSING ok: {KEY}; SPURIOUS gap(0.3): {KEY}',
        'print("hello")  # gap between two lines, which is no expectation',
    ],
)
def test_a_page_that_says_what_the_detector_says_has_no_problem(line: str, tmp_path: Path) -> None:
    assert problems_of(tmp_path, line) == []


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('Runner.run_sync(clerk, "hello")', "not expected: main.py:4 gap(0.3): "),
        (f'print("hello")  # gap: {KEY}', "page line 9: main.py:4 gap(1) is expected and not there"),
        (f'print("hello")  # ok: {KEY}', "page line 9: main.py:4 ok is expected and not there"),
        (f'print("hello")  # SPURIOUS gap: {KEY}', "page line 9: main.py:4 gap(1) is gone: drop the expectation"),
        (
            f'Runner.run_sync(clerk, "hello")  # MISSING gap(0.3): {KEY}',
            "page line 9: main.py:4 gap(0.3) is found now: drop the word MISSING",
        ),
        ("def broken(:", "main.py:4: "),
    ],
)
def test_a_page_that_is_wrong_about_the_detector_has_one_problem(line: str, problem: str, tmp_path: Path) -> None:
    (found,) = problems_of(tmp_path, line)
    assert found.startswith(problem)


def test_another_risk_is_shown_beside_the_one_expected(tmp_path: Path) -> None:
    missing, extra = sorted(problems_of(tmp_path, f'Runner.run_sync(clerk, "hello")  # gap(0.5): {KEY}'), reverse=True)
    assert missing == "page line 9: main.py:4 gap(0.5) is expected and not there"
    assert extra.startswith("not expected: main.py:4 gap(0.3): ")


def test_a_page_speaks_of_its_own_detector_only(tmp_path: Path) -> None:
    problems = problems_of(tmp_path, 'print("hello")  # MISSING gap: handoff_cycle_risk')
    assert problems == [f"page line 9: the page is about {KEY}, not handoff_cycle_risk"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("```python\nx = 1", "not closed"),
        ("```json\n{}\n```", "needs a line `name`:"),
        ("```python\nx = 1\n```\n\n```python\nx = 2\n```", "two blocks for main.py"),
    ],
)
def test_a_page_that_breaks_the_form_of_blocks_is_refused(body: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(PageError, match=said):
        page_with(tmp_path, f"# Title\n\n## Gaps\n\n{body}\n")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (f"x = 1  # gap(2): {KEY}", "not an expectation"),
        (f"x = 1  # ok(0.3): {KEY}", "not an expectation"),
        (f"x = 1  # gap: {KEY} and more", "not an expectation"),
        (f"x = 1\n# gap: {KEY}", "no line of code follows"),
    ],
)
def test_a_comment_that_only_looks_like_an_expectation_is_refused(line: str, said: str, tmp_path: Path) -> None:
    page = page_with(tmp_path, f"# Title\n\n## Gaps\n\n```python\n{line}\n```\n")
    with pytest.raises(PageError, match=said):
        expectations(page, only(page))


def test_a_line_of_its_own_before_a_block_names_its_file(tmp_path: Path) -> None:
    page = page_with(
        tmp_path, "# Title\n\n## Gaps\n\n`src/limits.py`:\n\n```python\nx = 1\n```\n\n```python\ny = 2\n```\n"
    )
    assert [block.name for block in only(page).blocks] == ["src/limits.py", "main.py"]


def test_sections_are_known_by_both_of_their_headings(tmp_path: Path) -> None:
    page = page_with(tmp_path, "# Title\n\nText.\n\n## Gaps\n\n### First\n\n## Fine\n")
    assert [section.name for section in page.sections] == ["Gaps", "Gaps / First", "Fine"]
    assert [section.chapter for section in page.sections] == ["Gaps", "Gaps", "Fine"]


def test_the_form_of_a_detector_page_is_checked(tmp_path: Path) -> None:
    page = page_with(tmp_path, f"# Title\n\n## Fine\n\n```python\nx = 1  # gap: {KEY}\ny = 2  # unknown: {KEY}\n```\n")
    problems = "\n".join(form_problems(page, load_one(KEY)))
    for said in (
        "its title is 'Title'",
        "no paragraph describes",
        "the heading Gaps is missing",
        "the heading Known limits is missing",
        "the heading Unknown is missing",
        "no ok in Python",
        "no gap in TypeScript",
        "main.py:1 gap(1) stands under Fine",
    ):
        assert said in problems


def test_a_model_block_names_every_entity(tmp_path: Path) -> None:
    stated = (
        "agent main.py:3 clerk framework=openai-agents tools=print\nMISSING tool main.py:3 print framework=agents\n"
    )
    page = page_with(tmp_path, f"# Title\n\n## An agent\n\n```python\n{MODEL}```\n\n```model\n{RUN}{stated}```\n")
    (problem,) = check_model(only(page), tmp_path / "project")
    assert problem == "found, not stated: tool main.py:3 print framework=openai-agents"


def test_a_line_of_a_model_that_was_missing_and_is_found_drops_the_word(tmp_path: Path) -> None:
    stated = "MISSING agent main.py:3 clerk framework=openai-agents tools=print\n"
    stated += "tool main.py:3 print framework=openai-agents\ntool main.py:4 other\n"
    page = page_with(tmp_path, f"# Title\n\n## An agent\n\n```python\n{MODEL}```\n\n```model\n{RUN}{stated}```\n")
    found, absent = check_model(only(page), tmp_path / "project")
    assert found == "found now, drop the word MISSING: agent main.py:3 clerk framework=openai-agents tools=print"
    assert absent == "stated, not found: tool main.py:4 other"
