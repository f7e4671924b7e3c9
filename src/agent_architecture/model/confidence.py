"""How a fact was reached, and how sure a verdict that rests on it is."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable


class Confidence(StrEnum):
    """How sure a verdict is: everything that it needed was resolved, something was inferred, something was guessed."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Degree(StrEnum):
    """How it is known that something is there, the strongest first."""

    RESOLVED = "resolved"
    """The construct of a known library, followed to its definition."""
    INFERRED = "inferred"
    """An unknown library, or the project's own construct, has the shape."""
    GUESSED = "guessed"
    """Only a name says so."""


_ORDER: Final = tuple(Degree)
_CONFIDENCE: Final = dict(zip(Degree, Confidence, strict=True))


def weakest(degrees: Iterable[Degree]) -> Degree:
    """The weakest of several degrees: what rests on all of them has it; RESOLVED for none."""
    return max(degrees, key=_ORDER.index, default=Degree.RESOLVED)


def strongest(degrees: Iterable[Degree]) -> Degree:
    """The strongest of several degrees: what each of them shows by itself has it; RESOLVED for none."""
    return min(degrees, key=_ORDER.index, default=Degree.RESOLVED)


def confidence_of(degree: Degree) -> Confidence:
    """The confidence of a verdict that rests on such evidence, at most."""
    return _CONFIDENCE[degree]


def at_most(confidence: Confidence, degree: Degree) -> Confidence:
    """A confidence, lowered to what such evidence bears."""
    return max(confidence, confidence_of(degree), key=tuple(Confidence).index)
