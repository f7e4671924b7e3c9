"""A session: one project that is asked about again and again, in one process, while somebody works on it.

Every answer is what `analyze` says of the project as it is then, byte for byte. What a file says by itself is kept from
one answer to the next, what names and expressions come to where that rests on nothing that changed, and the whole
answer where nothing has changed of what that rests on; the model is made anew.
"""

from __future__ import annotations

import gc
import time
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_architecture import pipeline
from agent_architecture.config import Config
from agent_architecture.records import NamedTuple
from agent_architecture.sources.byte_answers import Remembering
from agent_architecture.sources.file_memory import Reread
from agent_architecture.sources.source import SourceFile
from agent_architecture.sources.state import State, is_old, state_of

if TYPE_CHECKING:
    from agent_architecture.pipeline import Paths, Progress
    from agent_architecture.report import Outcome
    from agent_architecture.semantics.manifests.versions import Versions
    from agent_architecture.semantics.packs.packs import Packs
    from agent_architecture.sources.walk import Walked


APART: Final = 16
"""Answers after which what is kept is gone through, too."""


class _Answer(NamedTuple):
    """What was found, before anything is hidden, and what it was found in."""

    outcome: Outcome
    walked: Walked
    asked: tuple[object, ...]
    """What of the configuration decides it."""


class Session:
    """A project that is asked about again and again. Not for use by several threads at once."""

    def __init__(self, paths: Paths, config: Config | None = None) -> None:
        """The project at `paths`, as for `analyze`."""
        from agent_architecture.names.file_facts import Kept
        from agent_architecture.names.rests import Rests

        self._paths = pipeline.as_paths(paths)
        self._config = config or Config()
        self._files = Reread(self._in_role)
        self._kept = Kept(Rests(is_kept=True))
        self._packs: Packs | None = None
        self._versions: tuple[tuple[SourceFile, ...], Versions] | None = None
        self._answer: _Answer | None = None
        self._answers = 0
        self._states: tuple[tuple[str, State], ...] | None = None
        """How everything looked that was read for the answer; None where that must be read again."""

    def configure(self, config: Config) -> None:
        """From now on, answers are for this configuration."""
        if config.data != self._config.data:
            texts, self._files = self._files.texts, Reread(self._in_role)
            self._files.texts = texts
            self._states = None
        self._config = config

    def edit(self, path: Path, text: str | bytes) -> None:
        """Take this text for what the file at `path` holds, though it is not saved.

        A file that is not on the disk yet counts from when it is. Files that say what is read (`.gitignore`) count as
        they are on the disk.
        """
        data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        if self._files.texts.get(_real(path)) != data:
            self._files.texts[_real(path)] = data
            self._states = None

    def forget(self, path: Path) -> None:
        """Take the file at `path` as it is on the disk again."""
        if self._files.texts.pop(_real(path), None) is not None:
            self._states = None

    def outcome(self, today: date | None = None, progress: Progress | None = None) -> Outcome:
        """What `analyze` says of the project now. What is ignored until a date depends on `today`.

        `progress` is told of each step; what it raises ends the work, and the next answer begins anew.

        Raises:
            UsageError: a path does not exist.
            ConfigurationError: a weight that cannot be obeyed.
        """
        with pipeline.collector_off():
            answer = self._answered(pipeline.Clock(progress or _silent))
            now = today or datetime.now(tz=UTC).date()
            return pipeline.shown(answer.outcome, _as_read(answer.walked), self._paths, self._config, now)

    def _answered(self, clock: pipeline.Clock) -> _Answer:
        asked = self._config.data, self._config.metric.scoring
        if self._answer is not None and self._answer.asked == asked and self._looks_the_same():
            return self._answer
        started = time.time_ns()
        clock.enter("reading")
        walked = pipeline.read_sources(self._paths, self._config, self._files)
        self._files.next()
        before = self._answer
        if before is None or before.asked != asked or not _is_same(before.walked, walked):
            before, self._answer = None, None
            before = _Answer(self._found(walked, clock), walked, asked)
            self._collect()
        self._answer = before._replace(walked=walked)
        self._look(walked, started)
        return self._answer

    def _collect(self) -> None:
        """Forget what the answer was found with: it goes round in circles. What is kept is set apart, so that it is not
        gone through after each answer; now and then it is, for what of it has been replaced.
        """
        self._answers += 1
        if self._answers % APART == 0:
            gc.unfreeze()
        gc.collect()
        gc.freeze()

    def _found(self, walked: Walked, clock: pipeline.Clock) -> Outcome:
        clock.enter("parsing")
        packs = self._own_packs()
        self._kept.rests.begin()
        try:
            program = pipeline.program_of(walked, packs, self._kept, clock.step)
            versions = self._versions_of(walked, packs)
            return pipeline.judged(walked, self._config, packs, versions, program, clock.enter, clock.step)
        finally:
            self._kept.next()

    def _own_packs(self) -> Packs:
        from agent_architecture.semantics.packs.compiled import shipped_packs

        if self._packs is None:
            self._packs = shipped_packs(cached=self._config.cached)
        return self._packs

    def _versions_of(self, walked: Walked, packs: Packs) -> Versions:
        from agent_architecture.semantics.manifests.versions import read_versions

        if self._versions is None or self._versions[0] != walked.manifests:
            self._versions = walked.manifests, read_versions(walked.manifests, packs.newest, packs.known)
        return self._versions[1]

    def _in_role(self, file: SourceFile) -> SourceFile:
        return Remembering(*pipeline.in_role(file, self._config))

    def _looks_the_same(self) -> bool:
        return self._states is not None and all(state_of(path) == state for path, state in self._states)

    def _look(self, walked: Walked, started: int) -> None:
        """Note how everything looks that was read, unless it may change without looking different."""
        states = tuple((path, state_of(path)) for path in walked.looked_at)
        self._states = states if all(is_old(state, started) for _, state in states) else None


def _is_same(before: Walked, walked: Walked) -> bool:
    """Whether a scan says the same of both: all files hold what they held, or tell what the scan asked them."""
    if before._replace(files=(), looked_at=()) != walked._replace(files=(), looked_at=()):
        return False
    if len(before.files) != len(walked.files):
        return False
    return all(_stands_for(new, old) for new, old in zip(walked.files, before.files, strict=True))


def _as_read(walked: Walked) -> Walked:
    """The files as they were read: what hides findings is no part of what was found."""
    return walked._replace(
        files=tuple(SourceFile(*file) for file in walked.files),
        manifests=tuple(SourceFile(*file) for file in walked.manifests),
    )


def _stands_for(new: SourceFile, old: SourceFile) -> bool:
    if isinstance(new, Remembering) and isinstance(old, Remembering):
        return new.stands_for(old)
    return new == old


def _real(path: Path) -> str:
    """The path by which a walk knows a file."""
    return path.resolve().as_posix()


def _silent(stage: str, done: int, total: int) -> None:
    del stage, done, total
