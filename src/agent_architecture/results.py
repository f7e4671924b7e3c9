"""What earlier runs came to, in the user's cache folder: where nothing has changed since, that is the answer again.

An answer is kept by the content that it is about: every file that was read, what was asked, and this program itself.
Beside it, by place, stands how each file and folder looked that was read, as Git's index does it, so that a tree in
which nothing has moved need not be read at all.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_architecture import cache
from agent_architecture.records import NamedTuple
from agent_architecture.sources.state import YOUNG, is_old, state_of

if TYPE_CHECKING:
    from agent_architecture.config import Config
    from agent_architecture.report import Outcome
    from agent_architecture.sources.walk import Walked

LIBRARIES: Final = (
    "ahocorasick_rs", "packaging", "pathspec", "tree_sitter", "tree_sitter_json", "tree_sitter_python",
    "tree_sitter_toml", "tree_sitter_typescript", "yaml",
)  # fmt: skip
"""What the analysis runs on: another version may read another thing."""

KEPT: Final = 100
"""Answers, and looks of a place, that are kept at most."""

KEPT_BYTES: Final = 200_000_000
"""How much room they may take, each kind."""


class Answer(NamedTuple):
    """What was found, before anything is hidden, and what was read for it."""

    outcome: Outcome
    walked: Walked
    """Without the bytes of files that hide nothing."""


class Place(NamedTuple):
    """What was found at a place: the name of its answer, and how each file and folder looked that was read for it."""

    answer: str
    states: tuple[tuple[str, object], ...]


class Results:
    """The answers to one question: these paths, with this configuration, by this program."""

    def __init__(self, paths: Sequence[Path], config: Config, folder: Path) -> None:
        self._folder = folder
        self._asked = cache.digest(_program(), repr((config.data, config.metric.scoring)))
        self._place = folder / f"{cache.digest(self._asked, *(str(path.absolute()) for path in paths))}.place"
        self._started = time.time_ns()

    def unchanged(self) -> Answer | None:
        """The answer of the last run, if everything that it read looks as it did then."""
        kept = cache.load(self._place)
        if not isinstance(kept, Place) or any(state_of(path) != state for path, state in kept.states):
            return None
        return self._answer(kept.answer)

    def same(self, walked: Walked) -> Answer | None:
        """The answer to the same content, wherever that was."""
        name = self._name(walked)
        found = self._answer(name)
        if found is not None:
            self._keep_place(walked, name)
        return found

    def keep(self, walked: Walked, outcome: Outcome, marked: Iterable[str]) -> None:
        """Keep an answer; of the files only those in `marked` are kept with their bytes."""
        name, needed = self._name(walked), frozenset(marked)
        light = walked._replace(
            files=tuple(file if file.path in needed else file._replace(data=b"") for file in walked.files),
            manifests=tuple(file if file.path in needed else file._replace(data=b"") for file in walked.manifests),
            looked_at=(),
        )
        cache.keep(self._folder / f"{name}.answer", Answer(outcome, light), at_most=KEPT, at_most_bytes=KEPT_BYTES)
        self._keep_place(walked, name)

    def _answer(self, name: str) -> Answer | None:
        found = cache.load(self._folder / f"{name}.answer")
        return found if isinstance(found, Answer) else None

    def _keep_place(self, walked: Walked, name: str) -> None:
        states = tuple((path, state_of(path)) for path in walked.looked_at)
        if all(is_old(state, self._started, YOUNG) for _, state in states):
            cache.keep(self._place, Place(name, states), at_most=KEPT, at_most_bytes=KEPT_BYTES)

    def _name(self, walked: Walked) -> str:
        return cache.digest(self._asked, *content_of(walked))


def content_of(walked: Walked) -> Iterator[str]:
    """What tells what was read in a place from what might have been: the same wherever and whenever it was read."""
    yield walked.root.name
    yield repr(walked.notices)
    for file in (*walked.files, *walked.manifests):
        yield f"{file.path}\0{file.language}\0{file.role}\0{cache.digest(file.data)}"


# --------------------------------------------------------------------------------------------------------- this program
def _program() -> str:
    """What tells this program from what it was before: its files, its libraries, its Python."""
    package = Path(__file__).parent
    libraries = (spec.origin for name in LIBRARIES if (spec := find_spec(name)) is not None and spec.origin)
    return cache.digest(sys.version, str(package), *cache.looks(package), *(repr(state_of(path)) for path in libraries))
