"""What a run is compared with: the tree of a git ref, analysed as it was, or a saved JSON report."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final, cast

from agent_architecture.config import Baseline, Config
from agent_architecture.errors import ConfigurationError, UsageError
from agent_architecture.pipeline import Progress, analyze
from agent_architecture.policy.git_tree import last_change, renames, tree_of, write_tree
from agent_architecture.policy.json_schema import Json, problem
from agent_architecture.policy.snapshots import ReportDocument, Snapshot, of_document, of_report, renamed
from agent_architecture.render.json import SCHEMA_FILE
from agent_architecture.report import Report
from agent_architecture.sources.read import read
from agent_architecture.sources.root import common_folder

MAX_REPORT: Final = 200_000_000
SHORT: Final = 12
"""Digits of a commit that are shown."""


def load(baseline: Baseline, paths: Sequence[Path], config: Config, progress: Progress | None = None) -> Snapshot:
    """The snapshot of a baseline of the projects at `paths`.

    Raises:
        UsageError: the ref or the file cannot be read.
    """
    try:
        if baseline.mode == "file":
            return followed(saved(Path(baseline.path)), common_folder(paths), last_change(Path(baseline.path)))
        return followed(of_ref(baseline.ref, paths, config, progress), common_folder(paths), baseline.ref)
    except UsageError as error:
        if baseline.where:
            raise ConfigurationError(f"{baseline.where}: {error}") from None
        raise


def followed(before: Snapshot, folder: Path, ref: str, later: str = "") -> Snapshot:
    """The snapshot with the paths that its files have later (in the index without a second ref), where git calls them
    renamed. `ref` is the commit that it is of; of a saved report it is the one that last changed the file.
    """
    paths = renames(folder, ref, later) if ref else {}
    return renamed(before, paths) if paths else before


def saved(file: Path) -> Snapshot:
    """The snapshot of a saved JSON report.

    Raises:
        UsageError: it cannot be read, or is no report.
    """
    try:  # a configuration may name it: a pipe or a device is not opened
        content = read(os.path.realpath(file), str(file), MAX_REPORT)
    except ValueError as error:  # a zero byte in the name
        raise UsageError(f"cannot read {file}: {error}") from None
    if content.data is None:
        raise UsageError(f"{file} {content.notice.message if content.notice else 'cannot be read'}")
    try:
        value: Json = json.loads(content.data, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file} is no JSON report: {str(error) or 'it is nested too deeply'}") from None
    wrong = problem(value, json.loads(SCHEMA_FILE.read_bytes()))
    if wrong is not None:
        raise UsageError(f"{file} is no report of this tool: {wrong}")
    return of_document(cast("ReportDocument", value), str(file))


def _refuse(word: str) -> float:
    raise ValueError(f"{word} is no JSON number")


def of_ref(ref: str, paths: Sequence[Path], config: Config, progress: Progress | None = None) -> Snapshot:
    """The snapshot of the same paths as they are in a git ref: analysed in a temporary folder, in the same way.

    Raises:
        UsageError: there is no such ref, or it cannot be read.
    """
    folder = common_folder(paths)
    tree = tree_of(folder, ref)
    with tempfile.TemporaryDirectory(prefix="agent-architecture-") as temporary:
        top = Path(temporary).resolve()
        there = write_tree(tree, top)
        report = as_it_was(paths, there, moved_to(config, folder, tree.prefix, top), progress)
    return of_report(report, f"{ref} ({tree.commit[:SHORT]})")


def as_it_was(paths: Sequence[Path], there: Path, config: Config, progress: Progress | None) -> Report:
    """The report on the paths as they were: in a temporary copy, where `there` stands for their common folder."""
    folder = common_folder(paths)
    old = [_counterpart(path, folder, there) for path in paths]
    return analyze(old, config, progress).report


def moved_to(config: Config, folder: Path, prefix: str, top: Path) -> Config:
    """The configuration for the temporary copy at `top`: its globs, and its own place, as if it stood there."""
    here = folder.resolve()
    repository = here.parents[prefix.count("/") - 1] if prefix else here

    def moved(base: Path | None) -> Path | None:
        if base is None or not base.resolve().is_relative_to(repository):
            return None
        return top / base.resolve().relative_to(repository)

    data = config.data
    return config._replace(
        data=data._replace(include_from=moved(data.include_from), exclude_from=moved(data.exclude_from)),
        file=moved(config.file) or config.file,
    )


def _counterpart(path: Path, folder: Path, there: Path) -> Path:
    """A path as it was; what was not there yet is there and empty, so that the common folder stays the same."""
    old = there / path.absolute().relative_to(folder)
    if not old.exists():
        if path.is_dir():
            old.mkdir(parents=True)
        else:
            old.parent.mkdir(parents=True, exist_ok=True)
            old.touch()
    return old
