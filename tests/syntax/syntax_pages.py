"""Reads the pages tests/syntax/*.md: under each `##` heading, code blocks and the one IR of each of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

PAGES = sorted(Path(__file__).parent.glob("*.md"))
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
        codes = [(language, code) for language, code in blocks if language != "ir"]
        found.extend(Twin(page.stem, heading, language, code, expected) for language, code in codes)
    return found
