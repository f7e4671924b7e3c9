"""Lock files: which versions a project was last installed with.

This file says what a lock file is and who reads it; `npm_locks` and `python_locks` know the formats.
It must not know ranges.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from agent_architecture.records import NamedTuple
from agent_architecture.semantics.manifests import npm_locks, python_locks
from agent_architecture.semantics.manifests.locked_versions import Locked
from agent_architecture.semantics.manifests.plain_data import BrokenFileError
from agent_architecture.semantics.manifests.ranges import NPM, PYPI
from agent_architecture.sources.source import Notice, Role, SourceFile

_READERS: Final[Mapping[str, tuple[str, Callable[[bytes], Locked]]]] = {
    "uv.lock": (PYPI, python_locks.read_toml),
    "poetry.lock": (PYPI, python_locks.read_toml),
    "pdm.lock": (PYPI, python_locks.read_toml),
    "pylock.toml": (PYPI, python_locks.read_toml),
    "pipfile.lock": (PYPI, python_locks.read_pipfile_lock),
    "pnpm-lock.yaml": (NPM, npm_locks.read_pnpm),
    "yarn.lock": (NPM, npm_locks.read_yarn),
    "bun.lock": (NPM, npm_locks.read_bun),
    "npm-shrinkwrap.json": (NPM, npm_locks.read_package_lock),
    "package-lock.json": (NPM, npm_locks.read_package_lock),
}
"""Of several in one folder the first counts, where they disagree: npm prefers its shrinkwrap, too."""


COMPILED: Final = len(_READERS)
"""The preference of a requirements file that a program pinned: after the lock files proper."""


class Lock(NamedTuple):
    """One lock file. `folder` is where it stands ("" for the root); it serves all that is below."""

    path: str
    folder: str
    ecosystem: str
    preference: int
    """The lower number counts first."""
    role: Role
    content: Locked

    @property
    def is_compiled(self) -> bool:
        """Whether it is a requirements file that a program pinned."""
        return self.preference == COMPILED


def is_lock(path: str) -> bool:
    """Whether the file is a lock file by its name."""
    return _kind(path) is not None


def _kind(path: str) -> str | None:
    name = path.rpartition("/")[2].lower()
    if name.startswith("pylock.") and name.endswith(".toml"):
        return "pylock.toml"
    return name if name in _READERS else None


def read_lock(file: SourceFile) -> tuple[Lock | None, tuple[Notice, ...]]:
    """Read the lock file `file`; what cannot be read of it is in the notices, the rest in the lock."""
    kind = _kind(file.path)
    if kind is None:
        return None, ()
    ecosystem, reader = _READERS[kind]
    folder = file.path.rpartition("/")[0]
    try:
        content = reader(file.data)
    except BrokenFileError as error:
        return None, (Notice(file.path, error.line, f"{error}: not read"),)
    notices = tuple(Notice(file.path, line, message) for line, message in content.problems)
    return Lock(file.path, folder, ecosystem, list(_READERS).index(kind), file.role, content), notices
