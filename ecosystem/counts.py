"""`./dev ecosystem --counts`: how many sure subjects of each detector were decided, by reading real projects and by
mutation, told apart. What the tool says of them is not asked here.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from agent_architecture.contract import scalars
from agent_architecture.detector import Outcome
from ecosystem.judged import GAPS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ecosystem.twins import Twins
    from ecosystem.verdicts import Verdicts

BAR: Final = 20
"""Sure gaps, and sure controlled subjects, that a detector must have before its figures mean something."""
WIDTH: Final = 40


class Tally(NamedTuple):
    """Subjects of one outcome: read in real projects, and made by mutation."""

    read: int
    made: int

    @property
    def total(self) -> int:
        """Both together."""
        return self.read + self.made


class Counted(NamedTuple):
    """The decided subjects of one detector."""

    key: str
    gaps: Tally
    controlled: Tally

    @property
    def reaches_bar(self) -> bool:
        """Whether there are enough of both kinds."""
        return min(self.gaps.total, self.controlled.total) >= BAR


def counted(read: Iterable[Verdicts], made: Iterable[Twins]) -> tuple[Counted, ...]:
    """Every detector, in the order of the contract."""
    by_reading, by_mutation = Counter(_read(read)), Counter(_made(made))
    return tuple(
        Counted(key, *(Tally(by_reading[key, gap], by_mutation[key, gap]) for gap in (True, False)))
        for key in scalars()
    )


def _read(every: Iterable[Verdicts]) -> Iterator[tuple[str, bool]]:
    for sheet in (sheet for one in every for sheet in one.sheets):
        for subject in sheet.subjects:
            if subject.sure and subject.outcome is not Outcome.UNKNOWN:
                yield sheet.key, subject.outcome in GAPS


def _made(every: Iterable[Twins]) -> Iterator[tuple[str, bool]]:
    for expected in (expected for one in every for made in one.rounds for expected in made.expected):
        if expected.outcome is not Outcome.UNKNOWN:
            yield expected.key, expected.outcome in GAPS


def as_text(every: Sequence[Counted]) -> str:
    """A line a detector, with an asterisk where the bar is not reached, and a sentence that counts those."""
    head = "".join(f"{word:>8}" for word in ("read", "twins", "sum"))
    lines = [f"{'':<{WIDTH}}{'gaps':>24}{'controlled':>24}", f"{'decided subjects':<{WIDTH}}{head}{head}"]
    for one in every:
        figures = "".join(f"{figure:>8}" for tally in (one.gaps, one.controlled) for figure in (*tally, tally.total))
        lines.append(f"  {one.key:<{WIDTH - 2}}{figures}{'' if one.reaches_bar else ' *'}")
    reached = sum(one.reaches_bar for one in every)
    lines.append(f"{reached} of {len(every)} have at least {BAR} gaps and {BAR} controlled subjects (* has not).")
    return "\n".join(lines)
