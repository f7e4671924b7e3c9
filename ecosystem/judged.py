"""What the detectors say of a project, against what a reader decided.

A gap is a risk above 0. Recall and precision are those of gaps; controlled subjects that the tool never looked at are
counted beside them, for a safe subject that is left out is as wrong as a missed gap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from agent_architecture.detector import Outcome
from agent_architecture.registry import judge, load
from ecosystem.labels import Place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_architecture.model.confidence import Confidence
    from agent_architecture.model.system import AgentSystem
    from ecosystem.verdicts import Decided, Sheet

GAPS: Final = frozenset({Outcome.PARTIAL, Outcome.ABSENT})
NEAR: Final = 0.1
"""Two grades that differ by no more are the same."""


class Said(NamedTuple):
    """What the tool says of one subject."""

    place: Place
    name: str
    outcome: Outcome
    risk: float | None
    reason: str
    confidence: Confidence


class Agreement(NamedTuple):
    """One detector in one or several projects. A verdict that is not sure counts for nothing, and against nothing."""

    key: str
    right: tuple[tuple[Decided, Said], ...] = ()
    """Gaps that both see."""
    missed: tuple[tuple[Decided, Said | None], ...] = ()
    """Gaps that only the reader sees, with what the tool says instead."""
    false: tuple[tuple[Decided | None, Said], ...] = ()
    """Gaps that only the tool sees, with what the reader says instead."""
    controlled: tuple[tuple[Decided, Said], ...] = ()
    """Subjects that both call controlled."""
    unseen: tuple[tuple[Decided, Said | None], ...] = ()
    """Controlled subjects that the tool does not know, or cannot decide."""

    @property
    def recall(self) -> float | None:
        """Share of the reader's gaps that the tool sees; None without any."""
        gaps = len(self.right) + len(self.missed)
        return len(self.right) / gaps if gaps else None

    @property
    def precision(self) -> float | None:
        """Share of the tool's gaps that the reader sees; None without any."""
        found = len(self.right) + len(self.false)
        return len(self.right) / found if found else None

    @property
    def wrong_grades(self) -> tuple[tuple[Decided, Said], ...]:
        """The gaps that both see and grade differently."""
        return tuple(pair for pair in self.right if not _is_near(pair[0].risk, pair[1].risk))


def said_of(system: AgentSystem) -> dict[str, tuple[Said, ...]]:
    """Every verdict of every detector that is written, by key, at the confidence of its evidence alone: the record of
    the rules is counted from these. Where there is no site, nothing is reported of any.
    """
    return {
        one.detector.key: tuple(
            Said(
                Place(verdict.span.path, verdict.span.line),
                verdict.subject.symbol,
                verdict.outcome,
                verdict.risk,
                verdict.reason,
                verdict.confidence,
            )
            for verdict in (one.verdicts if system.sites else ())
        )
        for one in judge(load(), system, with_record=False)
    }


def agree(sheet: Sheet, said: Sequence[Said]) -> Agreement:
    """One detector in one project."""
    found = _pairs(sheet, said)
    sure = [(decided, one) for decided, one in found.pairs if decided.sure]
    gaps = [(decided, one) for decided, one in sure if decided.outcome in GAPS]
    rest = [(decided, one) for decided, one in sure if decided.outcome not in GAPS]
    safe = [(decided, one) for decided, one in rest if decided.outcome is Outcome.CONTROLLED]
    strangers = [(None, one) for one in found.left if one.outcome in GAPS] if sheet.complete else []
    return Agreement(
        sheet.key,
        tuple((decided, one) for decided, one in gaps if one is not None and one.outcome in GAPS),
        tuple((decided, one) for decided, one in gaps if one is None or one.outcome not in GAPS),
        (*((decided, one) for decided, one in rest if one is not None and one.outcome in GAPS), *strangers),
        tuple((decided, one) for decided, one in safe if one is not None and one.outcome is Outcome.CONTROLLED),
        tuple((decided, one) for decided, one in safe if one is None or one.outcome is Outcome.UNKNOWN),
    )


class _Paired(NamedTuple):
    pairs: tuple[tuple[Decided, Said | None], ...]
    left: tuple[Said, ...]
    """What stands at a place that the reader does not name."""


def _pairs(sheet: Sheet, said: Sequence[Said]) -> _Paired:
    """Each decision takes one verdict at one of its places: of several there its namesake, else the nearest in risk."""
    left = list(said)
    taken: dict[int, Said] = {}
    for rank in (_is_namesake, _is_alike, _is_there):
        for number, decided in enumerate(sheet.subjects):
            match = next((one for one in left if rank(decided, one)), None) if number not in taken else None
            if match is not None:
                taken[number] = match
                left.remove(match)
    named = {place for decided in sheet.subjects for place in decided.places}
    pairs = tuple((decided, taken.get(number)) for number, decided in enumerate(sheet.subjects))
    return _Paired(pairs, tuple(one for one in left if one.place not in named))


def _is_namesake(decided: Decided, said: Said) -> bool:
    return said.place in decided.places and bool(decided.name) and decided.name in said.name


def _is_alike(decided: Decided, said: Said) -> bool:
    return said.place in decided.places and said.outcome is decided.outcome


def _is_there(decided: Decided, said: Said) -> bool:
    return said.place in decided.places


def _is_near(labelled: float | None, found: float | None) -> bool:
    return labelled is None or (found is not None and abs(labelled - found) <= NEAR)


def together(agreements: Sequence[Agreement], key: str) -> Agreement:
    """Several agreements as one, under a name."""
    return Agreement(
        key,
        tuple(pair for one in agreements for pair in one.right),
        tuple(pair for one in agreements for pair in one.missed),
        tuple(pair for one in agreements for pair in one.false),
        tuple(pair for one in agreements for pair in one.controlled),
        tuple(pair for one in agreements for pair in one.unseen),
    )
