"""Which configuration file holds for a scan. It reads names and links; what stands in a file is `read`'s business.

Looked for from the scanned root up to the top of its repository, and in the root alone where there is none: a file in
`/tmp` or in a home folder must not decide about what lies below it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from agent_architecture.configuration.read import PYPROJECT, ConfigFile, read_file
from agent_architecture.errors import ConfigurationError, UsageError
from agent_architecture.sources.ignore import to_repository_top

NAMES: Final = (
    "agent-architecture.yaml",
    "agent-architecture.yml",
    ".arxo.yaml",
    "arxo.yaml",
    "arxo.yml",
    PYPROJECT,
)
"""In this order; the first that is there wins."""


def discover(root: Path) -> ConfigFile | None:
    """The configuration that holds for the scanned `root`; None: the defaults do.

    Raises:
        ConfigurationError: the file cannot be read, or is a link that leaves the repository.
    """
    start = root.resolve()
    folders = [Path(folder) for folder in to_repository_top(start.as_posix()) or [start.as_posix()]]
    return next((found for folder in folders if (found := in_folder(folder, folders[-1])) is not None), None)


def in_folder(folder: Path, top: Path | None = None) -> ConfigFile | None:
    """The configuration in one folder; no link is followed out of `top` (the folder itself by default).

    Raises:
        ConfigurationError: as `discover`.
    """
    for name in NAMES:
        file = folder / name
        if not os.path.lexists(file) or file.is_dir():
            continue
        if not file.resolve().is_relative_to(top or folder):
            raise ConfigurationError(
                f"{shown(file)}: is a link out of the repository: not obeyed (--config FILE names one)"
            )
        found = read_file(file, shown(file))
        if found is not None:
            return found
    return None


def named(path: Path) -> ConfigFile:
    """The configuration in the file that the user names.

    Raises:
        UsageError: there is no such file.
        ConfigurationError: it cannot be read, or is a `pyproject.toml` without our section.
    """
    if not path.is_file():
        raise UsageError(f"there is no configuration file {path}")
    file = Path(os.path.abspath(path))  # noqa: PTH100 - `resolve` would follow the file's own link
    found = read_file(file, shown(file))
    if found is None:
        raise ConfigurationError(f"{shown(file)}: there is no section [tool.agent-architecture] in it")
    return found


def shown(file: Path) -> str:
    """A file as a user can open it: from the current folder where it lies below it, else in full."""
    try:
        way = file.relative_to(Path.cwd())
    except (ValueError, OSError):
        way = file
    return way.as_posix()
