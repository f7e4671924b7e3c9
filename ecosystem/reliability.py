"""Which rules readers of blind rounds contradicted too often for the confidence of their evidence.

The tables of `agent_architecture/degrees.py` are these; a test compares them, and says what has to be written there.

Trained on the rounds up to q21 and tried on q22 to q25 (30 November 2026), they take gaps of high confidence from 0.82
right (713 of 867) to 0.89 (575 of 647), controls of high confidence from 0.90 (534 of 596) to 0.92 (490 of 531). With
the rounds up to q25, tried on q26 (30 November 2026): 0.67 (143 of 215) to 0.84 (108 of 129), and 0.94 to 0.95.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from ecosystem import record
from ecosystem.record import pool, share

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ecosystem.record import Counts, Grades, Record

FEW: Final = 8
"""Decided cases below which a share says nothing of a rule."""
SURE: Final = 0.8
"""The least share of right verdicts among those of high confidence."""
LIKELY: Final = 0.5
"""The least share of right verdicts among those of medium confidence."""
HIGH, MEDIUM = 0, 1


class Reliability(NamedTuple):
    """Keys of rules, by what is to be lowered."""

    doubted_gaps: frozenset[str]
    unlikely_gaps: frozenset[str]
    doubted_controls: frozenset[str]


def reliability() -> Reliability:
    """What all blind rounds say, as they were measured before anything was mended for them: lists and statements."""
    return of_rules(pool(every()))


def every() -> Iterator[Record]:
    """What was measured of blind rounds against lists, then what judges said of samples."""
    for folder in (record.BLIND, record.STATEMENTS):
        yield from map(record.read, sorted(folder.glob("*.toml")))


def of_rules(rules: Mapping[str, Counts]) -> Reliability:
    """What the counts of each rule say."""
    gaps = {key: tuple(zip(one.right, one.false, strict=True)) for key, one in rules.items()}
    controls = {key: tuple(zip(one.controlled, one.denied, strict=True)) for key, one in rules.items()}
    return Reliability(
        frozenset(_below(gaps, HIGH, SURE)),
        frozenset(_below(gaps, MEDIUM, LIKELY)),
        frozenset(_below(controls, HIGH, SURE)),
    )


def _below(cases: Mapping[str, tuple[tuple[int, int], ...]], grade: int, least: float) -> Iterator[str]:
    for key, grades in cases.items():
        good, bad = grades[grade]
        right = share(good, bad)
        if right is not None and good + bad >= FEW and right < least:
            yield key


def as_said(rules: Mapping[str, Counts]) -> dict[str, Counts]:
    """The counts of verdicts by evidence, at the confidence that is said."""
    lowered = of_rules(rules)
    return {key: _lowered(key, one, lowered) for key, one in rules.items()}


def _lowered(key: str, one: Counts, lowered: Reliability) -> Counts:
    right, false = one.right, one.false
    if key in lowered.unlikely_gaps:
        right, false = _down(right, MEDIUM), _down(false, MEDIUM)
    if key in lowered.doubted_gaps:
        right, false = _down(right, HIGH), _down(false, HIGH)
    controlled, denied = one.controlled, one.denied
    if key in lowered.doubted_controls:
        controlled, denied = _down(controlled, HIGH), _down(denied, HIGH)
    return one._replace(right=right, false=false, controlled=controlled, denied=denied)


def _down(grades: Grades, grade: int) -> Grades:
    """The counts with those of one grade a step lower."""
    moved = list(grades)
    moved[grade + 1] += moved[grade]
    moved[grade] = 0
    return moved[0], moved[1], moved[2]
