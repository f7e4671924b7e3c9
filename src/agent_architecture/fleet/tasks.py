"""What a process is asked about one repository, and what it answers: plain values that go through pipes as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, Self

from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.fleet.rows import Row, Rows

MEGABYTE: Final = 2**20


class Bounds(NamedTuple):
    """What one repository may take: seconds and megabytes of memory of its process, megabytes that are fetched."""

    seconds: float = 600.0
    memory: int = 2000
    download: int = 1000


class Asked(NamedTuple):
    """What is asked of every repository alike. `digest` names all of it, and this program."""

    digest: str = ""
    today: str = ""
    isolated: bool = False
    """Whether the repositories' own configuration files are not obeyed."""
    config_name: str = ""
    config_text: str = ""
    """The configuration file that holds for all of them, if one does."""


class Known(NamedTuple):
    """What the last run that asked the same found in this repository: the scan, and the commit that it was of."""

    scan: str = ""
    commit: str = ""


class Task(NamedTuple):
    """One repository to judge."""

    name: str
    location: str
    ref: str
    remote: bool
    asked: Asked
    bounds: Bounds = Bounds()
    known: Known = Known()

    def to_json(self) -> bytes:
        """As bytes."""
        return json.dumps(self).encode()

    @classmethod
    def from_json(cls, data: bytes) -> Self:
        """The task that these bytes are of."""
        name, location, ref, remote, asked, bounds, known = json.loads(data)
        return cls(name, location, ref, remote, Asked(*asked), Bounds(*bounds), Known(*known))


class Answer(NamedTuple):
    """What is known of one repository: a scan with its rows, the known scan again (without rows), or an error."""

    name: str
    error: str = ""
    commit: str = ""
    scan: str = ""
    unchanged: bool = False
    summary: Row | None = None
    rows: Rows | None = None

    def to_json(self) -> bytes:
        """As bytes."""
        return json.dumps(self, allow_nan=False).encode()

    @classmethod
    def from_json(cls, data: bytes) -> Self:
        """The answer that these bytes are of."""
        return cls(*json.loads(data))
