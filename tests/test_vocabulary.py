"""The page that says what each detector reads names only what the vocabulary has, and each detector once."""

from __future__ import annotations

import re
from pathlib import Path

from agent_architecture.contract import scalars
from agent_architecture.model.vocabulary import EFFECTS, KINDS, MARKS

PAGE = (Path(__file__).parent.parent / "docs" / "vocabulary.md").read_text("utf-8")
ROWS = [line.split("|") for line in PAGE.splitlines() if re.match(r"\| \d+ \|", line)]


def test_every_detector_of_the_contract_has_its_line_in_the_order_of_the_sheets() -> None:
    assert [int(row[1]) for row in ROWS] == list(range(1, 57))
    assert {row[2].strip() for row in ROWS} == set(scalars())


def test_every_property_that_the_page_names_is_in_the_vocabulary() -> None:
    named = {name for row in ROWS for name in re.findall(r"`(\w+)\.(\w+)`", row[3])}
    missing = [
        f"{k}.{p}" for k, p in sorted(named) if k not in KINDS or p not in KINDS[k].properties | KINDS[k].relations
    ]
    assert not missing


def test_every_mark_and_effect_that_the_page_names_is_in_the_vocabulary() -> None:
    text = "\n".join(row[3] for row in ROWS)
    effects = set(re.findall(r"\*\*(\w+)\*\*", text))
    marks = set(re.findall(r"(?<!\*)\*(\w+)\*(?!\*)", text))
    assert effects <= set(EFFECTS)
    assert marks <= set(MARKS)
