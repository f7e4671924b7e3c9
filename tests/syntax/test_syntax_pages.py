"""Every page tests/syntax/*.md: under each `##` heading, code blocks and the one IR that each of them lowers to."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from agent_architecture.sources.source import Language, Role, SourceFile
from agent_architecture.syntax.dump import dump
from agent_architecture.syntax.parse import parse

PAGES = sorted(Path(__file__).parent.glob("*.md"))
LANGUAGES = {
    "python": (Language.PYTHON, "page.py"),
    "typescript": (Language.TYPESCRIPT, "page.ts"),
    "tsx": (Language.TSX, "page.tsx"),
    "javascript": (Language.JAVASCRIPT, "page.js"),
}
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Twin(NamedTuple):
    page: str
    heading: str
    language: str
    code: str
    expected: str


def sections(page: Path) -> list[tuple[str, list[tuple[str, str]]]]:
    parts = re.split(r"^## +(.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [(heading, BLOCK.findall(text)) for heading, text in zip(parts[1::2], parts[2::2], strict=True)]


def twins(page: Path) -> list[Twin]:
    found = []
    for heading, blocks in sections(page):
        expected = "\n".join(text for language, text in blocks if language == "ir")
        found.extend(
            Twin(page.stem, heading, language, code, expected) for language, code in blocks if language != "ir"
        )
    return found


def trimmed(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().splitlines()]


ALL = [twin for page in PAGES for twin in twins(page)]


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
