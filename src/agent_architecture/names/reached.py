"""Everything that is reached from a start by one kind of step, each once, nearest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    _T = TypeVar("_T", bound=Hashable)
else:
    _T = TypeVar("_T")

MOST: Final = 100_000
"""What is looked at where nobody says less."""


def reached(start: Iterable[_T], further: Callable[[_T], Iterable[_T]], most: int = MOST) -> tuple[_T, ...]:
    """The start and what `further` leads to, in the order in which it is met; of `most`, the rest is only met."""
    found = dict.fromkeys(start)
    queue = list(found)
    for number, each in enumerate(queue):  # grows
        for other in further(each) if number < most else ():
            if other not in found:
                found[other] = None
                queue.append(other)
    return tuple(queue)
