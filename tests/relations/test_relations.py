"""What each relation of `semantics` says of lines of code, asked itself and not through a detector.

A page is a relation: `callgraph` (callers), `control` (guards), `effects`, `taint` (flows), `bounds`, `schemas`. A
comment `→ FACT · FACT` at the end of a line states all that it says there, as `explain` tells it, without the places; a
line without one is not looked at. Each section is in both languages.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.line_facts import facts_at
from agent_architecture.recursion import with_room
from agent_architecture.sources.lines import line_reader
from page_checks import write
from pages import Section, pages_in

FIELDS: Final = {
    "callgraph": "callers",
    "control": "guards",
    "effects": "effects",
    "taint": "flows",
    "bounds": "bounds",
    "schemas": "schemas",
}
STATED: Final = re.compile(r"\s(?:#|//) → (?P<facts>.+)$")
PLACE: Final = re.compile(r" \([\w./]+:\d+[-:\d]*\)|(?<=at )\S+, in ")
"""A place in what is told: `(main.py:4)`, `called at main.py:4, in show`."""
PAGES: Final = {page.path.stem: page for page in pages_in(Path(__file__).parent, "*.md")}
SECTIONS: Final = [(name, section) for name, page in PAGES.items() for section in page.sections if section.blocks]


def told(section: Section, field: str, folder: Path) -> dict[tuple[str, int], set[str]]:
    """What is said of each line of a section that states something."""
    write(section, folder)
    walked = pipeline.read_sources([folder], Config())
    packs, versions, program = pipeline.understand_names(walked)
    known, system = pipeline.understand_with(walked, packs, versions, program)
    code = line_reader(walked.root, Config().data.max_file_size)
    found = {}
    for path, line in stated(section):
        module = program.table.get(path)
        assert module is not None
        facts = with_room(lambda module=module, line=line: facts_at(known, system, module, line, code))
        found[path, line] = {PLACE.sub("", text) for text in getattr(facts, field)}
    return found


def stated(section: Section) -> dict[tuple[str, int], set[str]]:
    """What the comments of a section state."""
    return {
        (block.name, number): {fact.strip() for fact in comment["facts"].split("·")} - {"nothing"}
        for block in section.blocks
        for number, line in enumerate(block.text.split("\n"), start=1)
        if (comment := STATED.search(line))
    }


@pytest.mark.parametrize(("name", "section"), SECTIONS, ids=[f"{name}: {section.name}" for name, section in SECTIONS])
def test_a_relation_says_of_a_line(name: str, section: Section, tmp_path: Path) -> None:
    assert told(section, FIELDS[name], tmp_path) == stated(section)


@pytest.mark.parametrize(("name", "section"), SECTIONS, ids=[f"{name}: {section.name}" for name, section in SECTIONS])
def test_a_section_is_in_both_languages(name: str, section: Section) -> None:
    assert name in FIELDS
    assert {block.language for block in section.blocks} == {"python", "typescript"}


def test_every_relation_has_a_table() -> None:
    assert PAGES.keys() == FIELDS.keys()
