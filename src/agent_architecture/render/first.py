"""What to fix first: of every rule the place that matters most, ranked over all rules. It computes no score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.detector import Severity
from agent_architecture.records import NamedTuple
from agent_architecture.render.places import placed
from agent_architecture.scoring import severity_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.render.places import Placed
    from agent_architecture.report import Report

MOST: Final = 10


class First(NamedTuple):
    """One thing to do: the place to begin with, the other places of its rule, and what closing all of them adds to the
    health (0..1).
    """

    place: Placed
    others: tuple[Placed, ...]
    gain: float

    @property
    def severity(self) -> Severity:
        """The place's own: its risk, at most what the rule can cost."""
        return severity_of(self.place.evidence.risk, self.place.finding.impact)

    @property
    def urgency(self) -> float:
        """What it is ranked by: the place's urgency, with the gain of all places of its rule."""
        return self.place.evidence.urgency + 100 * (self.gain - self.place.evidence.gain)


def fix_first(report: Report, known: frozenset[str] | None = None) -> list[First]:
    """At most ten, one a rule; with a baseline only of what is new."""
    fresh = [one for one in placed(report.findings) if known is None or one.evidence.fingerprint not in known]
    rules: dict[str, list[Placed]] = {}
    for one in fresh:
        rules.setdefault(one.finding.rule_id, []).append(one)
    found = sorted(map(_first, rules.values()), key=lambda one: (-one.urgency, one.place.finding.rule_id))
    return found[:MOST]


def _first(places: Iterable[Placed]) -> First:
    first, *others = sorted(places, key=lambda one: (-one.evidence.urgency, one.span))
    return First(first, tuple(others), sum(one.evidence.gain for one in (first, *others)))
