"""One scan for the commands that show what was found in another form than a report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from agent_architecture.errors import UsageError
from agent_architecture.sources.root import common_folder

if TYPE_CHECKING:
    import argparse

    from agent_architecture.report import Outcome


def scanned(flags: argparse.Namespace) -> Outcome:
    """The outcome of the paths and configuration that flags name.

    Raises:
        UsageError: a path cannot be read.
        ConfigurationError: the configuration cannot be obeyed.
    """
    from agent_architecture.commands.configured import configured
    from agent_architecture.pipeline import analyze
    from agent_architecture.render.progress import progress_on
    from agent_architecture.render.terminal import progress_stream

    paths = [existing(path) for path in flags.paths or [Path()]]
    config = configured(flags, common_folder(paths))
    with progress_on(progress_stream()) as progress:
        return analyze(paths, config, progress)


def existing(path: Path) -> Path:
    """A path that can be read."""
    try:
        path.stat()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    if not path.is_dir() and not path.is_file():
        raise UsageError(f"cannot read {path}: it is neither a folder nor a regular file")
    return path
