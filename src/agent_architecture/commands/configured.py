"""The configuration of a run: the defaults, the file that was found or named, then the flags."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from agent_architecture.flags import source_of

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from agent_architecture.config import Config
    from agent_architecture.configuration.read import ConfigFile


NO_CACHE: Final = "AGENT_ARCHITECTURE_NO_CACHE"
"""The variable of the environment that does what `--no-cache` does."""


def configured(flags: argparse.Namespace, root: Path) -> Config:
    """What to do in the scanned `root`.

    Raises:
        UsageError: the file that a flag names is not there.
        ConfigurationError: the file cannot be obeyed.
    """
    from agent_architecture.config import configure
    from agent_architecture.configuration.source import source_of_file

    file = file_of(flags, root)
    config = configure(*([source_of_file(file)] if file is not None else ()), source_of(flags))
    cached = not getattr(flags, "no_cache", False) and not os.environ.get(NO_CACHE)
    return config._replace(cached=cached, jobs=getattr(flags, "jobs", None) or 1)


def file_of(flags: argparse.Namespace, root: Path) -> ConfigFile | None:
    """The configuration file of a run: the one that a flag names, or the one that is found from `root` upwards."""
    from agent_architecture.configuration.discover import discover, named

    if flags.config is not None:
        return named(flags.config)
    return None if flags.isolated else discover(root)
