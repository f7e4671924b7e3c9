"""Every page tests/syntax/*.md holds: each code block of a section lowers to the section's IR."""

from __future__ import annotations

from pathlib import Path

import pytest
from syntax_pages import PAGES, Twin, sections, twins

from agent_architecture.sources.source import Language, Role, SourceFile
from agent_architecture.syntax.dump import dump
from agent_architecture.syntax.parse import parse

LANGUAGES = {
    "python": (Language.PYTHON, "page.py"),
    "typescript": (Language.TYPESCRIPT, "page.ts"),
    "tsx": (Language.TSX, "page.tsx"),
    "javascript": (Language.JAVASCRIPT, "page.js"),
}
ALL = [twin for page in PAGES for twin in twins(page)]


def trimmed(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().splitlines()]


@pytest.mark.parametrize("twin", ALL, ids=[f"{twin.page}-{twin.heading}-{twin.language}" for twin in ALL])
def test_the_code_lowers_to_the_ir_of_its_section(twin: Twin) -> None:
    language, path = LANGUAGES[twin.language]
    module = parse(SourceFile(path, language, Role.APP, twin.code.encode()))
    assert module.notices == ()
    assert trimmed(dump(module)) == trimmed(twin.expected)


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_every_section_has_one_ir_block_and_at_least_one_language(page: Path) -> None:
    for heading, blocks in sections(page):
        languages = [language for language, _ in blocks]
        assert languages.count("ir") == 1, heading
        assert len(languages) == len(set(languages)) > 1, heading
        assert set(languages) <= {*LANGUAGES, "ir"}, heading
