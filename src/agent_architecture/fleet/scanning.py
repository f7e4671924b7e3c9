"""A run over a fleet: what is known already, what an engine is asked, what is kept as it comes in."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_architecture import cache
from agent_architecture.fleet.tasks import Answer, Asked, Bounds, Known, Task
from agent_architecture.records import NamedTuple
from agent_architecture.render.safe import visible
from agent_architecture.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_architecture.fleet.entries import Entry
    from agent_architecture.fleet.store import Run, Store

PACKAGE: Final = Path(__file__).parents[1]
PARTS: Final = frozenset({".py", ".toml", ".json", ".md"})
"""What decides about an answer, of the files of this package."""
BATCH: Final = 50
"""Answers that are kept at once, at most."""
SECONDS: Final = 2.0
"""How long an answer waits to be kept, at most: what is lost with this process."""

Engine = Callable[[Iterable[Task]], Generator[Answer]]
"""Answers to tasks, in any order; ends what it runs when its iterator is closed."""
Told = Callable[[Answer, int, int], None]
"""Called with each answer, how many there are, and of how many."""


class Plan(NamedTuple):
    """What a run is asked."""

    entries: tuple[Entry, ...]
    asked: Asked
    bounds: Bounds = Bounds()
    resume: bool = True
    """Whether a run that was stopped goes on."""
    cached: bool = True
    """Whether what has not changed since the last run is not judged again."""


class Done(NamedTuple):
    """What a run came to."""

    run: int
    kept: int
    """Repositories that a run which was stopped had done already."""
    scanned: int


def asked_of(*, config_name: str = "", config_text: str = "", isolated: bool = False) -> Asked:
    """What is asked of every repository, today, by this program."""
    digest = cache.digest(VERSION, *_program(), config_text, str(isolated))
    today = datetime.now(tz=UTC).date().isoformat()
    return Asked(digest, today, isolated=isolated, config_name=config_name, config_text=config_text)


def _program() -> Iterator[str | bytes]:
    """The files of this package, wherever it is installed."""
    for file in sorted(PACKAGE.rglob("*")):
        if file.suffix in PARTS:
            yield file.relative_to(PACKAGE).as_posix()
            yield file.read_bytes()


def scan(plan: Plan, store: Store, engine: Engine, told: Told = lambda *_: None) -> Done:
    """Judge what the plan names and keep it; what is finished is kept whatever ends this."""
    entries = {visible(entry.name): entry for entry in plan.entries}
    inputs = cache.digest(*(repr(tuple(entry)) for entry in plan.entries))
    run = store.begin(plan.asked.digest, inputs, VERSION, len(entries), resume=plan.resume)
    left = [entry for name, entry in entries.items() if name not in run.done]
    keeping = _Keeping(store, run, plan.asked.digest, {entry.name: entry for entry in left})
    answers = _answers(plan, store, left, engine)
    try:
        for count, answer in enumerate(answers, 1):
            keeping.add(answer)
            told(answer, count, len(left))
    finally:
        keeping.flush()
        answers.close()
    store.finish(run)
    return Done(run.number, len(run.done), len(left))


def _answers(plan: Plan, store: Store, entries: Sequence[Entry], engine: Engine) -> Generator[Answer]:
    """First what is refused without a look, then what the engine answers."""
    yield from (Answer(entry.name, error=entry.problem) for entry in entries if entry.problem)
    known = store.known(plan.asked.digest, plan.asked.today) if plan.cached else {}

    def tasks() -> Iterator[Task]:
        for entry in entries:
            if not entry.problem:
                location, ref, before = known.get(visible(entry.name), ("", "", Known()))
                same = (location, ref) == (visible(entry.location), visible(entry.ref))
                place = (entry.name, entry.location, entry.ref, entry.remote)
                yield Task(*place, plan.asked, plan.bounds, before if same else Known())

    running = engine(tasks())
    try:
        yield from running
    finally:
        running.close()


class _Keeping:
    """Answers on their way into the store, some at a time."""

    def __init__(self, store: Store, run: Run, asked: str, entries: dict[str, Entry]) -> None:
        self._store, self._run, self._asked, self._entries = store, run, asked, entries
        self._waiting: list[tuple[Entry, Answer]] = []
        self._last = time.monotonic()

    def add(self, answer: Answer) -> None:
        """Keep it, now or with the next ones; an answer that nobody waits for any more is one too many."""
        entry = self._entries.pop(answer.name, None)
        if entry is not None:
            self._waiting.append((entry, answer))
        if len(self._waiting) >= BATCH or time.monotonic() - self._last >= SECONDS:
            self.flush()

    def flush(self) -> None:
        """Keep all that waits."""
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            self._store.keep(self._run, self._asked, waiting)
        self._last = time.monotonic()
