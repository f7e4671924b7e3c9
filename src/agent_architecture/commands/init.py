"""`init`: a commented configuration file, fitted to what stands in the project."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from agent_architecture.errors import PASSED, UsageError
from agent_architecture.flags import PROGRAM, command_parser
from agent_architecture.render.safe import visible
from agent_architecture.render.terminal import write

NAME: Final = "agent-architecture.yaml"
EXAMPLES: Final = f"""\
examples:
  {PROGRAM} init
  {PROGRAM} init services/agent
"""


def parser() -> argparse.ArgumentParser:
    """The flags of `init`."""
    made = command_parser(
        "init",
        f"Write a commented {NAME}, fitted to the languages, tests and examples that are found.",
        EXAMPLES,
    )
    made.add_argument("paths", metavar="FOLDER", nargs="*", type=Path, help="where (default: the current folder)")
    made.add_argument("--force", action="store_true", help="overwrite the file that is there")
    return made


def run(flags: argparse.Namespace) -> int:
    """Write the file. Raises `UsageError` where one is there, or none can be written."""
    from agent_architecture.configuration.discover import in_folder
    from agent_architecture.suggested import suggested

    if len(flags.paths) > 1:
        raise UsageError("init writes one file: name one folder")
    folder: Path = flags.paths[0] if flags.paths else Path()
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}")
    file = folder / NAME
    if file.is_symlink():
        raise UsageError(f"{file} is a link: not overwritten")
    if file.exists() and not flags.force:
        raise UsageError(f"{file} is there already; --force overwrites it")
    other = None if flags.force else in_folder(folder.resolve())
    if other is not None:
        raise UsageError(f"{other.shown} is the configuration here; with --force {NAME} takes its place")
    write(suggested(folder), file)
    write(f"wrote {visible(file.as_posix())}; `{PROGRAM} config validate` checks it\n")
    return PASSED
