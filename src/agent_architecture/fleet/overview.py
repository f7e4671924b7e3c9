"""What a report says of a fleet: read from the views of the store, as frozen values that every form of it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar, cast

from agent_architecture.errors import UsageError
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

    from agent_architecture.fleet.store import Store

AXES: Final = ("reliability", "governance", "safety", "coordination")
SEVERITIES: Final = ("critical", "high", "medium", "low")


class Repository(NamedTuple):
    """One repository in the last run. The numbers are None where it was not read."""

    repository: str
    owner: str
    tags: tuple[str, ...]
    location: str
    ref: str
    status: str
    error: str
    commit: str
    applicable: bool | None
    incomplete: bool | None
    health: float | None
    weakest: float | None
    reliability: float | None
    governance: float | None
    safety: float | None
    coordination: float | None
    critical: int
    high: int
    medium: int
    low: int

    @property
    def judged(self) -> bool:
        """Whether it was read, and has agents."""
        return self.status == "ok" and bool(self.applicable)

    @property
    def axes(self) -> tuple[float, ...]:
        """The scores of the axes, 0 to 100."""
        return tuple(value or 0.0 for value in (self.reliability, self.governance, self.safety, self.coordination))


class Weak(NamedTuple):
    """A detector with gaps: in how many of how many repositories, and the mean of its risks."""

    key: str
    rule: str
    axis: str | None
    repositories: int
    with_gaps: int
    mean_risk: float


class Shared(NamedTuple):
    """What several repositories have alike, and who uses it (`repository: agent`)."""

    what: str
    name: str
    about: str
    repositories: tuple[str, ...]
    users: tuple[str, ...]


class Change(NamedTuple):
    """A place that is `new` or `fixed` since the run before."""

    change: str
    repository: str
    severity: str
    key: str
    path: str
    line: int
    message: str


class Moved(NamedTuple):
    """A repository that is not what it was in the run before."""

    repository: str
    change: str
    health_before: float | None
    health_after: float | None
    new: int
    fixed: int
    error_after: str


class Past(NamedTuple):
    """A run, for the trend. Means over the repositories with agents; None where there are none."""

    run: int
    started: datetime
    repositories: int
    errors: int
    health: float | None
    reliability: float | None
    governance: float | None
    safety: float | None
    coordination: float | None
    critical: int
    high: int
    medium: int
    low: int


class Overview(NamedTuple):
    """The last run, and how it came to be."""

    run: Past
    finished: bool
    repositories: tuple[Repository, ...]
    """The least healthy first, then those without agents, then those that could not be read; each by name."""
    weakest: tuple[Weak, ...]
    shared: tuple[Shared, ...]
    changes: tuple[Change, ...]
    moved: tuple[Moved, ...]
    past: tuple[Past, ...]
    """All runs, the first one first."""

    @property
    def judged(self) -> tuple[Repository, ...]:
        """Those that were read and have agents."""
        return tuple(one for one in self.repositories if one.judged)

    @property
    def unread(self) -> tuple[Repository, ...]:
        """Those that could not be read."""
        return tuple(one for one in self.repositories if one.status != "ok")


_T = TypeVar("_T", Repository, Weak, Change, Moved, Past)


def overview_of(store: Store) -> Overview:
    """What the store says of its last run.

    Raises:
        UsageError: there is none.
    """
    past = _all(store, Past, "trend ORDER BY run")
    if not past:
        raise UsageError("there is no run in the store: `fleet scan` makes one")
    [(finished,)] = store.rows("SELECT finished IS NOT NULL FROM runs ORDER BY run DESC LIMIT 1").rows
    gravest = "list_position(['critical', 'high', 'medium', 'low'], severity)"
    return Overview(
        past[-1],
        bool(finished),
        repositories_of(store),
        _all(store, Weak, "weakest_detectors ORDER BY total_risk DESC, key"),
        (*_shared(store, "tools"), *_shared(store, "servers"), *_shared(store, "credentials")),
        _all(store, Change, f"changes ORDER BY change DESC, {gravest}, repository, path, line, key, message"),
        _all(store, Moved, "moved ORDER BY change, repository"),
        past,
    )


def repositories_of(store: Store) -> tuple[Repository, ...]:
    """The repositories of the last run, as `Overview.repositories` has them."""
    found = _all(store, Repository, "latest ORDER BY status DESC, applicable DESC, health, weakest, repository")
    return tuple(one._replace(tags=tuple(one.tags)) for one in found)


def _all(store: Store, kind: type[_T], rest: str) -> tuple[_T, ...]:
    """The rows of a view as values of a kind, whose fields are columns of it."""
    columns = ", ".join(f'"{name}"' for name in kind._fields)
    return tuple(kind._make(row) for row in store.rows(f"SELECT {columns} FROM {rest}").rows)  # noqa: S608 - our own names


SHARED: Final = {"tools": "parameters", "servers": "[transport, target]", "credentials": "[source]"}


def _shared(store: Store, table: str) -> tuple[Shared, ...]:
    about = SHARED[table]
    query = f"SELECT name, {about}, names, users FROM shared_{table} ORDER BY repositories DESC, name, {about}"  # noqa: S608 - our own names
    found = []
    for name, details, names, users in store.rows(query).rows:
        texts = [text for text in cast("list[str]", details) if text]
        kept = (tuple(cast("list[str]", names)), tuple(cast("list[str] | None", users) or ()))
        found.append(Shared(table.removesuffix("s"), str(name), ", ".join(texts), *kept))
    return tuple(found)
