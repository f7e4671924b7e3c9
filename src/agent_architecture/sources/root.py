"""What the paths of a report, and the globs of a configuration, are relative to."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from agent_architecture.errors import UsageError


def common_folder(paths: Sequence[Path]) -> Path:
    """The folder that a report's paths are relative to: the one given, or what several have in common.

    Raises:
        UsageError: nothing is common to them (two drives).
    """
    folders = [path.absolute() if path.is_dir() else path.absolute().parent for path in paths]
    try:
        return Path(os.path.commonpath(folders))
    except ValueError as error:
        raise UsageError(f"the paths have no folder in common: {error}") from None


def base_of(folder: Path | None, root: str) -> str:
    """Where globs start: the folder that their file stands in, or the root where that does not lie in it."""
    if folder is None or not Path(root).is_relative_to(folder.resolve()):
        return root
    return folder.resolve().as_posix()
