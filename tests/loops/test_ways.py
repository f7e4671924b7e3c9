"""One agent, written by hand in many ways and two languages, is one agent: pages of projects (ways/*.md) that mean the
same, of which every detector says the same.

The agent asks a model at most six times and runs the shell commands that it answers with. The first section of the
Python page says what the others must be judged like; where what stands and how it is called differs, by how it is
written, only the verdicts are compared.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from ecosystem.found import found_in

from agent_architecture.registry import judge, load
from page_checks import understand, write
from pages import Section, pages_in

PAGES: Final = pages_in(Path(__file__).parent / "ways", "*.md")
WAYS: Final = {
    f"{page.path.stem}: {section.name}": section for page in PAGES for section in page.sections if section.blocks
}
MISSING: Final = {
    f"{language}: {way}": frozenset({"context_memory_limits_score", "memory_unbounded"})
    for language in ("python", "typescript")
    for way in ("as methods, with what it keeps in attributes", "as states")
}
"""Known to be wrong: a conversation in an attribute or in a state is no collection yet. The test fails when it is."""
UNTOLD: Final = {
    f"{language}: as states": frozenset({"output_validation_gap"}) for language in ("python", "typescript")
}
"""Ways to write the agent in which it only keeps its answer: nobody is shown it."""
FIRST: Final = WAYS["python: as one function"]


def judged(section: Section, folder: Path) -> tuple[list[tuple[str, str]], list[tuple[str, str, float | None]]]:
    """Kind and limit of each agent call site, and key, outcome and risk of each verdict."""
    folder.mkdir()
    write(section, folder)
    system, notices = understand(folder)
    assert notices == ()
    sites = sorted((one.what.partition(" ")[0], one.limit) for one in found_in(system) if one.kind == "site")
    verdicts = [
        (each.detector.key, str(verdict.outcome), verdict.risk)
        for each in judge(load(), system)
        for verdict in each.verdicts
    ]
    return sites, sorted(verdicts, key=str)


def test_the_agent_is_found_and_judged(tmp_path: Path) -> None:
    sites, verdicts = judged(FIRST, tmp_path / "first")
    assert sites == [("hand_written_loop", "written 6")]
    assert ("loop_guard_absence", "controlled", 0.0) in verdicts
    assert ("human_approval_absence", "absent", 1.0) in verdicts


@pytest.mark.parametrize("way", [way for way in WAYS if WAYS[way] is not FIRST])
def test_it_is_judged_the_same_when_written(way: str, tmp_path: Path) -> None:
    sites, verdicts = judged(FIRST, tmp_path / "first")
    missing, untold = MISSING.get(way, frozenset()), UNTOLD.get(way, frozenset())
    own, said = judged(WAYS[way], tmp_path / "way")
    assert own == sites
    assert [verdict for verdict in said if verdict[0] not in untold] == [
        verdict for verdict in verdicts if verdict[0] not in missing | untold
    ]
    assert all(any(verdict[0] == key for verdict in said) for key in untold)
