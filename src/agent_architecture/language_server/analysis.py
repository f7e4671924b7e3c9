"""One project, analysed as it is with the texts that the editor holds. It runs in a thread, and knows no protocol."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from agent_architecture.config import configure
from agent_architecture.configuration.check import Problem, check
from agent_architecture.configuration.discover import discover
from agent_architecture.configuration.source import source_of_file
from agent_architecture.errors import ConfigurationError, UsageError
from agent_architecture.records import NamedTuple
from agent_architecture.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_architecture.config import Config
    from agent_architecture.language_server.roots import Root
    from agent_architecture.pipeline import Progress
    from agent_architecture.report import Report


class Answer(NamedTuple):
    """What was found in a project, and the texts (by path) of the open files that it speaks of."""

    report: Report
    texts: Mapping[Path, str]
    limit: int
    """The most bytes of a file that is read."""


class Refused(NamedTuple):
    """A configuration that cannot be obeyed: what is wrong, and where. `file` is None where nobody knows."""

    file: Path | None
    problems: tuple[Problem, ...]


class Gone(NamedTuple):
    """The project is not there."""

    why: str


class Analysis:
    """The analyses of one project, each by one thread and none beside another."""

    def __init__(self, root: Root) -> None:
        """Nothing is read yet."""
        self._root = root
        self._session = Session([root.target])
        self._texts: Mapping[Path, str] = {}

    def answer(self, texts: Mapping[Path, str], progress: Progress) -> Answer | Refused | Gone:
        """What is said of the project now. What `progress` raises ends the work."""
        for path in self._texts.keys() - texts.keys():
            self._session.forget(path)
        for path, text in texts.items():
            self._session.edit(path, text)
        self._texts = texts
        if not self._root.target.exists():
            return Gone(f"{self._root.target} is not there any more")
        config = _configuration(self._root.given)
        if isinstance(config, Refused):
            return config
        try:
            self._session.configure(config._replace(cached=True))  # the packs, as on the command line
            outcome = self._session.outcome(progress=progress)
        except ConfigurationError as error:
            return Refused(config.file, (Problem(0, 0, str(error)),))
        except UsageError as error:
            return Gone(str(error))
        return Answer(outcome.report, texts, config.data.max_file_size)


def _configuration(folder: Path) -> Config | Refused:
    """What holds in the folder, as for `analyze`."""
    try:
        file = discover(folder)
    except ConfigurationError as error:
        return Refused(None, (Problem(0, 0, str(error)),))
    if file is None:
        return configure()
    problems = check(file.root)
    if problems:
        return Refused(file.path, tuple(problems))
    try:
        return configure(source_of_file(file))
    except ConfigurationError as error:
        return Refused(file.path, (Problem(0, 0, str(error)),))
