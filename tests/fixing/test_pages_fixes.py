"""Every gap of every detector's page: what is repaired is closed, parses, opens nothing else, and stays as it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from folders import repaired

import agent_architecture.detectors
from agent_architecture.config import ChoiceConfig, Config
from agent_architecture.semantics.packs.compiled import shipped_packs
from agent_architecture.sources.languages import language_of
from agent_architecture.sources.source import Role, SourceFile
from agent_architecture.syntax.parse import parse
from page_checks import write
from pages import Page, pages_in

if TYPE_CHECKING:
    from agent_architecture.fixing.applied import Applied

RULES = {row.detector for row in shipped_packs().fixes if row.edit is not None}
PAGES = [page for page in pages_in(Path(agent_architecture.detectors.__path__[0]), "*/*.md") if page.path.stem in RULES]


def syntax_errors(path: str, text: bytes) -> int:
    language = language_of(path.rpartition("/")[2], "")
    assert language is not None
    return len(parse(SourceFile(path, language, Role.APP, text)).notices)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path.stem)
def test_what_is_repaired_is_closed_and_stays_as_it_is(page: Page, tmp_path: Path) -> None:
    config = Config(choice=ChoiceConfig(select=(page.path.stem,)))
    for number, section in enumerate(page.sections):
        if section.chapter == "Gaps" and section.blocks:
            folder = tmp_path / str(number)
            write(section, folder)
            done = repaired(folder.resolve(), config)
            assert not done.dropped, f"{section.name}: what is marked as fixable is not"
            _check(folder, done, config)


def test_enough_rules_have_fixes() -> None:
    assert len(RULES) >= 20


def _check(folder: Path, done: Applied, config: Config) -> None:
    for path, text in done.texts.items():
        before = (folder / path).read_bytes()
        assert syntax_errors(path, text) <= syntax_errors(path, before)
        (folder / path).write_bytes(text)
    if done.texts:
        assert not repaired(folder.resolve(), config).texts
