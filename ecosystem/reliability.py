"""Which rules readers of blind rounds contradicted too often for the confidence of their evidence.

The tables of `agent_architecture/degrees.py` are these; a test compares them, and says what has to be written there.

Trained on the rounds up to q21 and tried on q22 to q25 (30 November 2026), they take gaps of high confidence from 0.82
right (713 of 867) to 0.89 (575 of 647), controls of high confidence from 0.90 (534 of 596) to 0.92 (490 of 531). With
the rounds up to q25, tried on q26 (30 November 2026): 0.67 (143 of 215) to 0.84 (108 of 129), and 0.94 to 0.95.
"""

from __future__ import annotations

from types import MappingProxyType
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
NOTHING: Final[Mapping[str, Counts]] = MappingProxyType({})
Cases = dict[str, tuple[tuple[int, int], ...]]
"""Right and wrong verdicts of each rule, by confidence."""


class Reliability(NamedTuple):
    """Keys of rules, by what is to be lowered."""

    doubted_gaps: frozenset[str]
    unlikely_gaps: frozenset[str]
    doubted_controls: frozenset[str]


def reliability() -> Reliability:
    """What all blind rounds say, as they were measured before anything was mended for them: statements that were
    judged, and lists together with them where too few were.
    """
    return of_rules(pool(every()), pool(judged()))


def every() -> Iterator[Record]:
    """What was measured of blind rounds against lists, then what judges said of samples."""
    for folder in (record.BLIND, record.STATEMENTS):
        yield from map(record.read, sorted(folder.glob("*.toml")))


def judged() -> Iterator[Record]:
    """What judges said of samples."""
    yield from map(record.read, sorted(record.STATEMENTS.glob("*.toml")))


def of_rules(rules: Mapping[str, Counts], first: Mapping[str, Counts] = NOTHING) -> Reliability:
    """What the counts of each rule say: those that come `first` where they are enough, else all.

    A list leaves things out, and what it leaves out is no mistake of the tool: of gaps that readers had not listed
    judges called most true. Trained on all but q32 and tried on its statements (30 November 2026), gaps of high
    confidence are right in 24 of 30 so, and in 20 of 27 by lists and statements alike.
    """
    every_gap, first_gaps = _gaps(rules), _gaps(first)
    every_control, first_controls = _controls(rules), _controls(first)
    return Reliability(
        frozenset(_below(every_gap, first_gaps, HIGH, SURE)),
        frozenset(_below(every_gap, first_gaps, MEDIUM, LIKELY)),
        frozenset(_below(every_control, first_controls, HIGH, SURE)),
    )


def _gaps(rules: Mapping[str, Counts]) -> Cases:
    return {key: tuple(zip(one.right, one.false, strict=True)) for key, one in rules.items()}


def _controls(rules: Mapping[str, Counts]) -> Cases:
    return {key: tuple(zip(one.controlled, one.denied, strict=True)) for key, one in rules.items()}


def _below(every: Cases, first: Cases, grade: int, least: float) -> Iterator[str]:
    for key in every:
        counts = [cases[key][grade] for cases in (first, every) if key in cases]
        good, bad = next((each for each in counts if sum(each) >= FEW), (0, 0))
        right = share(good, bad)
        if right is not None and right < least:
            yield key


def as_said(rules: Mapping[str, Counts], first: Mapping[str, Counts] = NOTHING) -> dict[str, Counts]:
    """The counts of verdicts by evidence, at the confidence that is said."""
    lowered = of_rules(rules, first)
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
