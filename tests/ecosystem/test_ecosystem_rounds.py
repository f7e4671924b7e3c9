"""The blind rounds of `ecosystem/rounds.toml`: each says what was drawn, with what seed, and what was found."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest
from ecosystem.labels import COUNTED

ROUNDS: Final[list[dict[str, Any]]] = tomllib.loads(
    Path(__file__).resolve().parents[2].joinpath("ecosystem", "rounds.toml").read_text("utf-8")
)["round"]
PROJECT: Final = re.compile(r"[\w.-]+/[\w.-]+@[0-9a-f]{12}")
ROUND: Final = pytest.mark.parametrize("one", ROUNDS, ids=[one["name"] for one in ROUNDS])


@ROUND
def test_a_round_says_what_was_drawn_and_with_what(one: dict[str, Any]) -> None:
    assert all(PROJECT.fullmatch(project) for project in one["projects"])
    assert one["seed"]
    assert re.fullmatch(r"[0-9a-f]{8,}", one["tool"])
    assert 0 <= one["silent"] <= len(one["projects"])


@ROUND
def test_its_counts_are_right_missed_and_false(one: dict[str, Any]) -> None:
    for counts in (one.get("before", {}), one.get("after", {})):
        assert counts.keys() <= set(COUNTED)
        assert all(len(three) == 3 and all(number >= 0 for number in three) for three in counts.values())


@ROUND
def test_its_verdicts_were_drawn_with_a_seed_and_judged(one: dict[str, Any]) -> None:
    """Listed whole, or a sample of what was said is judged, or both."""
    verdicts = one.get("verdicts", {})
    assert verdicts.keys() in (
        {"seed", "listed", "gaps", "controlled"},
        {"seed", "gaps", "controlled"},
        {"seed", "listed"},
        set(),
    )
    sizes = (("listed", 2), ("gaps", 3), ("controlled", 3))
    assert all(len(verdicts[kind]) == size for kind, size in sizes if kind in verdicts)


def test_no_project_is_drawn_twice() -> None:
    drawn = [project.partition("@")[0] for one in ROUNDS for project in one["projects"]]
    assert len(drawn) == len(set(drawn))
