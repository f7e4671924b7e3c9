"""What records something that is reached on several ways: on all of them, or on some only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.tracing import Extent
from agent_architecture.semantics.topics.tracing.switches import is_on

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agent_architecture.model.tracing import Recording


def joined(ways: Sequence[Iterable[Recording]]) -> Iterator[Recording]:
    """What records any of the ways; where it does not record all of them, so it says."""
    found = [tuple(way) for way in ways]
    some = any(map(is_recorded, found)) and not all(map(is_recorded, found))
    for one in dict.fromkeys(one for way in found for one in way):
        yield one._replace(extent=Extent.SOME_WAYS) if some else one


def is_recorded(recordings: Iterable[Recording]) -> bool:
    """Whether one of them is known to record."""
    return any(is_on(recording.enabled) for recording in recordings)


def is_whole(recordings: Iterable[Recording]) -> bool:
    """Whether one of them is known to record all of it."""
    return any(one.extent is Extent.WHOLE and is_on(one.enabled) for one in recordings)
