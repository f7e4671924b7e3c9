"""One repository: brought here if it is elsewhere, read, judged, as rows. Runs in a process of its own."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_architecture import cache
from agent_architecture.config import Config, configure
from agent_architecture.configuration.discover import discover, named
from agent_architecture.configuration.source import source_of_file
from agent_architecture.errors import AgentArchitectureError, UsageError
from agent_architecture.fleet import fetching
from agent_architecture.fleet.rows import rows_of, summary_of
from agent_architecture.fleet.tasks import MEGABYTE, Answer
from agent_architecture.pipeline import collector_off, judged, program_of, read_sources, shown
from agent_architecture.policy.git_tree import tree_of, write_tree
from agent_architecture.render.safe import visible
from agent_architecture.results import content_of
from agent_architecture.semantics.manifests.versions import read_versions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.fleet.tasks import Asked, Task
    from agent_architecture.report import Outcome
    from agent_architecture.semantics.packs.packs import Packs
    from agent_architecture.sources.walk import Walked

NO_MEMORY: Final = "it takes more memory than it may (--memory)"
LONGEST: Final = 500


class _Place:
    """Where a task's repository lies: `root` is read, `commit` is known where git says it."""

    def __init__(self, root: Path, commit: str = "") -> None:
        self.root = root
        self.commit = commit


def answer(task: Task, packs: Packs, room: Path) -> Answer:
    """What is to say of a repository; `room` is an empty folder for what has to be written. Never raises."""
    try:
        return _answer(task, packs, room)
    except AgentArchitectureError as error:
        said = str(error)
    except MemoryError:
        said = NO_MEMORY
    except OSError as error:
        said = f"cannot read it: {error.strerror}"
    except Exception as error:  # noqa: BLE001 - whatever it is, the fleet goes on
        said = f"internal error: {type(error).__name__}: {error}"
    for place in (str(room.resolve()), str(room)):  # it has another name each time
        said = said.replace(place + os.sep, "").replace(place, ".")
    return Answer(task.name, error=visible(said)[:LONGEST])


def _answer(task: Task, packs: Packs, room: Path) -> Answer:
    place = _brought(task, room)
    if place is None:
        return Answer(task.name, commit=task.known.commit, scan=task.known.scan, unchanged=True)
    config = _config(task.asked, place.root, room)
    if not config.metric.enabled:
        raise UsageError("its configuration switches the metric off")
    today = date.fromisoformat(task.asked.today)
    with collector_off():
        walked = read_sources([place.root], config)
        scan = cache.digest(task.asked.digest, *_configuration(config, walked, today), *content_of(walked))
        if scan == task.known.scan:
            return Answer(task.name, commit=place.commit, scan=scan, unchanged=True)
        outcome = _outcome(walked, packs, config, place.root, today)
    failed = [failure.error for failure in outcome.report.scores.failed]
    if any(error.startswith(MemoryError.__name__) for error in failed):
        raise MemoryError
    until = min((one.until for one in config.ignore if one.until is not None and one.until >= today), default=None)
    summary = {"until": None if until is None else until.isoformat(), **summary_of(outcome)}
    return Answer(task.name, "", place.commit, scan, unchanged=False, summary=summary, rows=rows_of(outcome, scan))


# --------------------------------------------------------------------------------------------------------------- place
def _brought(task: Task, room: Path) -> _Place | None:
    """Where the repository lies now; None where it is at the known commit, so that nothing was fetched."""
    name = Path(task.location).name.removesuffix(".git") or "repository"
    if task.remote:
        commit, wanted = fetching.commit_of(task.location, task.ref)
        if commit == task.known.commit:
            return None
        objects = room / "objects"
        objects.mkdir()
        tree = fetching.fetched(task.location, wanted, objects, task.bounds.download * MEGABYTE)
    elif task.ref:
        tree = tree_of(_folder(task.location), task.ref)
        if tree.commit == task.known.commit:
            return None
    else:
        return _Place(_folder(task.location))
    return _Place(write_tree(tree, room / "tree" / name), tree.commit)


def _folder(location: str) -> Path:
    """A folder that can be listed.

    Raises:
        UsageError: it cannot.
    """
    try:
        with os.scandir(location):
            return Path(location)
    except OSError as error:
        raise UsageError(f"cannot read the folder: {error.strerror}") from None


# -------------------------------------------------------------------------------------------------------- configuration
def _config(asked: Asked, root: Path, room: Path) -> Config:
    if asked.config_name:
        file = room / "configuration" / asked.config_name
        file.parent.mkdir()
        file.write_text(asked.config_text, "utf-8")
        return configure(source_of_file(named(file)))
    found = None if asked.isolated else discover(root)
    return configure(source_of_file(found)) if found is not None else Config()


def _configuration(config: Config, walked: Walked, today: date) -> Iterator[str]:
    """What the configuration changes in a report, wherever it lies."""
    if config.file is not None:
        folder = config.file.parent.resolve()
        inside = walked.root.resolve().is_relative_to(folder)
        yield walked.root.resolve().relative_to(folder).as_posix() if inside else ""
        yield cache.digest(config.file.read_bytes())
    yield repr([one.until is not None and today > one.until for one in config.ignore])


def _outcome(walked: Walked, packs: Packs, config: Config, root: Path, today: date) -> Outcome:
    versions = read_versions(walked.manifests, packs.newest, packs.known)
    outcome = judged(walked, config, packs, versions, program_of(walked, packs), lambda _: None)
    changed = shown(outcome, walked, [root], config, today)
    name = "" if config.file is None else config.file.name
    notices = tuple(
        one._replace(path=name) if one.path.startswith("../") and one.path.endswith(f"/{name}") else one
        for one in changed.report.notices
    )  # the configuration of all repositories lies elsewhere, each time
    return changed._replace(report=changed.report._replace(notices=notices))
