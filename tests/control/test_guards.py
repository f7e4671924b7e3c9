"""One check of an argument, written in many ways and two languages, is one check: every detector says the same of it,
whatever it stands before.

The first section of the Python page says what all others are judged like. The page of traps has tests that look like
checks and leave the tool as open as without them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from sinks import SINKS, with_sink

from agent_architecture.registry import judge_one, load_one
from page_checks import understand, write
from pages import Section, pages_in

ASKING: Final = ("tool_policy_absence", "schema_validation_gap", "tool_sandbox_enforcement_gap", "agent_shell_capable")
"""The detectors that ask for checks of arguments: sheets 1, 2, 23 and 25."""
PAGES: Final = {page.path.stem: page for page in pages_in(Path(__file__).parent, "*.md")}
CHECKED: Final = {f"{name}: {s.name}": s for name in ("python", "typescript") for s in PAGES[name].sections if s.blocks}
FIRST: Final = next(iter(CHECKED.values()))
OPEN: Final = {section.name: section for section in PAGES["traps"].sections if section.blocks}
HALF: Final = {
    "a switch lets it pass": 0.5,
    "something else is asked": 0.0,
    "a list of what is forbidden": 0.0,
}
"""What sheet 1 says of checks that refuse some calls of the tool, though not for the program that they start."""

CODE: Final = "agent_code_execution_sandbox_gap"
FORBIDDING: Final = "a list of what is forbidden"
"""The one trap that sheet 24 gives something for: a denylist over the text of a program."""
SUNK: Final = [
    (sink, language, section.name)
    for language, sinks in SINKS.items()
    for sink in sinks
    for section in PAGES[language].sections
    if section.blocks
]


def risks(section: Section, folder: Path) -> dict[str, list[float | None]]:
    """The risks that each of the detectors sees."""
    folder.mkdir()
    write(section, folder)
    system, notices = understand(folder)
    assert notices == ()
    judged = {key: judge_one(load_one(key), system).verdicts for key in (*ASKING, CODE)}
    return {key: sorted((verdict.risk for verdict in verdicts), key=str) for key, verdicts in judged.items()}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[float | None]]:
    return risks(FIRST, tmp_path_factory.mktemp("guards") / "first")


def test_a_list_in_front_of_the_program_counts(guarded: dict[str, list[float | None]]) -> None:
    assert guarded == {
        "tool_policy_absence": [0.0],
        "schema_validation_gap": [0.0],
        "tool_sandbox_enforcement_gap": [0.5],
        "agent_shell_capable": [0.3, 0.3],
        CODE: [],
    }


@pytest.mark.parametrize("way", CHECKED)
def test_it_counts_the_same_when(way: str, guarded: dict[str, list[float | None]], tmp_path: Path) -> None:
    assert risks(CHECKED[way], tmp_path / "way") == guarded


@pytest.mark.parametrize("way", OPEN)
def test_it_does_not_count(way: str, tmp_path: Path) -> None:
    assert risks(OPEN[way], tmp_path / "way") == {
        "tool_policy_absence": [HALF.get(way, 1.0)],
        "schema_validation_gap": [0.5],
        "tool_sandbox_enforcement_gap": [1.0],
        "agent_shell_capable": [0.5, 0.5],
        CODE: [],
    }


@pytest.mark.parametrize("way", [way for way in OPEN if way != "only one of two ways asks"])
def test_it_does_not_count_before_code_either(way: str, tmp_path: Path) -> None:
    """One trap is left out, in which code would run in two places."""
    section = with_sink(OPEN[way], OPEN[way].blocks[0].language, "code")
    assert risks(section, tmp_path / "way")[CODE] == [0.7 if way == FORBIDDING else 1.0]


@cache
def first_with(sink: str, language: str) -> dict[str, list[float | None]]:
    """What is said of a page's first way, with another sink."""
    first = next(section for section in PAGES[language].sections if section.blocks)
    with TemporaryDirectory() as folder:
        return risks(with_sink(first, language, sink), Path(folder) / "first")


@pytest.mark.parametrize("language", SINKS)
def test_the_check_counts_before_each_sink(language: str) -> None:
    for sink in SINKS[language]:
        found = first_with(sink, language)
        assert (found["tool_policy_absence"], found["schema_validation_gap"]) == ([0.0], [0.0]), sink
    assert {sink: first_with(sink, language)["tool_sandbox_enforcement_gap"] for sink in SINKS[language]} == {
        "a path that is written": [0.0],
        "a tree that is removed": [0.0],
        "an address": [0.0],
        "a statement": [0.5],
        "code": [1.0],
    }
    assert first_with("code", language)[CODE] == [0.7]


@pytest.mark.parametrize(("sink", "language", "way"), SUNK)
def test_it_counts_the_same_before_each_sink_when(sink: str, language: str, way: str, tmp_path: Path) -> None:
    section = next(each for each in PAGES[language].sections if each.name == way)
    found = risks(with_sink(section, language, sink), tmp_path / "way")
    assert found == first_with(sink, language)
