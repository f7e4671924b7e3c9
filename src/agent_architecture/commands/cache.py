"""`cache clean` and `cache dir`: what earlier runs kept."""

from __future__ import annotations

import argparse
from typing import Final

from agent_architecture.errors import PASSED, UsageError
from agent_architecture.flags import PROGRAM, command_parser
from agent_architecture.render.counted import counted
from agent_architecture.render.safe import visible
from agent_architecture.render.terminal import write

EXAMPLES: Final = f"""\
examples:
  {PROGRAM} cache dir
  {PROGRAM} cache clean
"""


def parser() -> argparse.ArgumentParser:
    """The flags of `cache`."""
    made = command_parser(
        "cache",
        "clean: remove what earlier runs kept. dir: where that is.",
        EXAMPLES,
    )
    made.add_argument("action", choices=("clean", "dir"), help="what to do")
    return made


def run(flags: argparse.Namespace) -> int:
    """Do it. Raises `UsageError` where the system names no cache folder."""
    from agent_architecture import cache

    folder = cache.cache_folder()
    if folder is None:
        raise UsageError("this system names no cache folder: set XDG_CACHE_HOME")
    if flags.action == "dir":
        write(f"{visible(str(folder))}\n")
        return PASSED
    files, size = cache.clean()
    write(f"removed {counted(files, 'file')}, {size / 1e6:.1f} MB\n")
    return PASSED
