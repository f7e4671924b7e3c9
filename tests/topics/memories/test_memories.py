"""Memories: pages of small projects (beside this file) on whose lines stands what an agent remembers.

A comment on a line (`#` or `//`): `memory: HOLDS` says that a memory stands there; `memory: HOLDS, ttl 60` states
settings, too, by value, or by origin where there is none. `write: NAMES` and `read: NAMES` name the memories that a
call writes and reads (`?` for none that is known). No other line may have one; writes and reads are compared where a
section states some.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from agent_architecture.model.settings import Setting
from agent_architecture.model.system import AgentSystem
from page_checks import understand, write
from pages import Page, Section, pages_in

PAGES: Final = pages_in(Path(__file__).parent, "*.md")
SECTIONS: Final = [(page, section) for page in PAGES for section in page.sections if section.blocks]
COMMENT: Final = re.compile(r"(?:#|//) (?P<what>memory|write|read): (?P<text>.+?)\s*$")


@pytest.mark.parametrize(("page", "section"), SECTIONS, ids=[f"{p.path.stem}: {s.name}" for p, s in SECTIONS])
def test_a_project_remembers_what_its_page_marks(page: Page, section: Section, tmp_path: Path) -> None:
    write(section, tmp_path)
    system, notices = understand(tmp_path)
    assert not notices
    stated = {(place, what): text for place, what, text in comments(section)}
    words = {what for _, what in stated} | {"memory"}
    assert {key: text for key, text in found(system, stated).items() if key[1] in words} == stated
    assert stated or page.title == "What is no memory"


def comments(section: Section) -> Iterator[tuple[str, str, str]]:
    for block in section.blocks:
        for number, line in enumerate(block.text.splitlines(), 1):
            if match := COMMENT.search(line):
                yield f"{block.name}:{number}", match["what"], match["text"]


def found(system: AgentSystem, stated: dict[tuple[str, str], str]) -> dict[tuple[str, str], str]:
    """What was found, in the words of the comments: the settings that the comment on the line states."""
    lines: dict[tuple[str, str], str] = {}
    for memory in system.memories:
        key = (f"{memory.span.path}:{memory.span.line}", "memory")
        names = [part.split()[0] for part in stated.get(key, "").split(", ")[1:]]
        lines[key] = ", ".join([str(memory.holds), *(f"{name} {spelled(getattr(memory, name))}" for name in names)])
    for what, entities in (("write", system.memory_writes), ("read", system.memory_reads)):
        for entity in entities:
            symbols = ", ".join(memory.symbol for memory in entity.memories) or "?"
            lines[f"{entity.span.path}:{entity.span.line}", what] = symbols
    return lines


def spelled(setting: Setting) -> str:
    return "|".join(map(str, setting.values)) if setting.is_known else str(setting.origin)
