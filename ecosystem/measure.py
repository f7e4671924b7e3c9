"""Labels against what was found: what is right, missed and a false alarm, for each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ecosystem.labels import COUNTED, Label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ecosystem.found import Found


class Measured(NamedTuple):
    """One kind in one or several projects. An unsure label that is found counts for nothing, and against nothing."""

    kind: str
    right: tuple[tuple[Label, Found], ...] = ()
    missed: tuple[Label, ...] = ()
    false: tuple[Found, ...] = ()

    @property
    def recall(self) -> float | None:
        """Share of the sure labels that were found; None without any."""
        labelled = len(self.right) + len(self.missed)
        return len(self.right) / labelled if labelled else None

    @property
    def precision(self) -> float | None:
        """Share of what was found that is labelled; None when nothing was found."""
        found = len(self.right) + len(self.false)
        return len(self.right) / found if found else None

    @property
    def limits(self) -> tuple[tuple[Label, Found], ...]:
        """The pairs whose label says what the effective limit is."""
        return tuple(pair for pair in self.right if pair[0].limit)

    @property
    def wrong_limits(self) -> tuple[tuple[Label, Found], ...]:
        """Those of them where the tool says something else."""
        return tuple(pair for pair in self.limits if not is_same_limit(pair[0].limit, pair[1].limit))


def measure(labels: Sequence[Label], found: Sequence[Found]) -> tuple[Measured, ...]:
    """Every kind of one project."""
    return tuple(_kind(kind, labels, found) for kind in COUNTED)


def _kind(kind: str, labels: Sequence[Label], found: Sequence[Found]) -> Measured:
    """Each label takes one find at one of its places; a find at a place that no label names is a false alarm."""
    wanted = [label for label in labels if label.kind == kind]
    named = {place for label in wanted for place in label.places}
    left = [one for one in found if one.kind == kind]
    taken: dict[int, Found] = {}
    for is_match in (_is_namesake, _is_there):
        for number, label in enumerate(wanted):
            match = next((one for one in left if is_match(label, one)), None) if number not in taken else None
            if match is not None:
                taken[number] = match
                left.remove(match)
    sure = [(label, taken.get(number)) for number, label in enumerate(wanted) if label.sure]
    return Measured(
        kind,
        tuple((label, match) for label, match in sure if match is not None),
        tuple(label for label, match in sure if match is None),
        tuple(one for one in left if one.place not in named and not one.beside),
    )


def _is_namesake(label: Label, found: Found) -> bool:
    return found.place in label.places and found.what == label.what


def _is_there(label: Label, found: Found) -> bool:
    return found.place in label.places


def together(measured: Sequence[Measured]) -> Measured:
    """The same kind over several projects."""
    first, *others = measured
    for other in others:
        first = Measured(first.kind, first.right + other.right, first.missed + other.missed, first.false + other.false)
    return first


def is_same_limit(labelled: str, found: str) -> bool:
    """Whether origin and value agree; of several values that a limit can have, one has to be the labelled."""
    origin, _, value = labelled.partition(" ")
    other, _, values = found.partition(" ")
    return origin == other and (not value or value in values.split("|"))
