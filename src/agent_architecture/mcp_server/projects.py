"""The projects that were asked about: a session each, so that a second answer costs what changed."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_architecture.config import Config, configure
from agent_architecture.configuration.discover import discover
from agent_architecture.configuration.source import source_of_file
from agent_architecture.session import Session
from agent_architecture.sources.root import common_folder
from agent_architecture.watch import EVERY

if TYPE_CHECKING:
    from agent_architecture.mcp_server.roots import Roots
    from agent_architecture.pipeline import Progress
    from agent_architecture.report import Outcome

MOST: Final = 4
"""Projects that are kept; the one that was not asked about for longest goes first."""


class Projects:
    """Sessions by project. Any thread may ask; one project is asked by one thread at a time."""

    def __init__(self, roots: Roots) -> None:
        """None yet; all of them lie in `roots`."""
        self._roots = roots
        self._sessions: OrderedDict[Path, tuple[Session, threading.Lock]] = OrderedDict()
        self._lock = threading.Lock()

    def outcome(self, path: Path, watch: Progress) -> tuple[Outcome, Config]:
        """What is said of the project at `path` as it is now, with its own configuration, and that configuration.

        Raises:
            UsageError, ConfigurationError: as for `analyze`.
            CancelledError: the watch was stopped.
        """
        config = own_configuration(path, self._roots)
        with self._session(path, watch) as session:
            session.configure(config)
            return session.outcome(progress=watch), config

    @contextmanager
    def _session(self, path: Path, watch: Progress) -> Iterator[Session]:
        with self._lock:
            kept = self._sessions.pop(path, None) or (Session([path]), threading.Lock())
            self._sessions[path] = kept
            while len(self._sessions) > MOST:
                self._sessions.popitem(last=False)
        session, lock = kept
        while not lock.acquire(timeout=EVERY):
            watch("waiting", 0, 0)
        try:
            yield session
        finally:
            lock.release()


def own_configuration(path: Path, roots: Roots) -> Config:
    """The configuration that holds at `path`, as for `analyze PATH`, unless it stands outside of the roots.

    Raises:
        ConfigurationError: it cannot be obeyed.
    """
    file = discover(common_folder([path]))
    if file is None or not any(file.path.resolve().is_relative_to(root) for root in roots.folders):
        return configure()
    return configure(source_of_file(file))
