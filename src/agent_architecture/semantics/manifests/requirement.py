"""One declared dependency, whatever file declares it."""

from __future__ import annotations

from typing import Final

from agent_architecture.records import NamedTuple

MAIN: Final = 0
OPTIONAL: Final = 1
DEV: Final = 2
PEER: Final = 3


class Requirement(NamedTuple):
    """A package that a manifest declares.

    `name` is normalised. `ranges` are in the language of the ecosystem (PEP 440, npm); any of them will do, "" admits
    all.
    Of several declarations in one file the one with the lowest `rank` counts: `MAIN`, `OPTIONAL`, `DEV`, `PEER`.
    """

    name: str
    ranges: tuple[str, ...]
    rank: int
