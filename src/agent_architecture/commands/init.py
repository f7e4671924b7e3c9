"""`init`: a commented configuration file, fitted to what stands in the project."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_architecture.errors import PASSED, UsageError
from agent_architecture.flags import PROGRAM, command_parser
from agent_architecture.render.safe import visible
from agent_architecture.render.terminal import write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_architecture.configuration.keys import Default
    from agent_architecture.sources.source import Role, SourceFile

NAME: Final = "agent-architecture.yaml"
FOLDERS: Final = 4
"""Folders that a remark names."""
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
    write(_text(folder), file)
    write(f"wrote {visible(file.as_posix())}; `{PROGRAM} config validate` checks it\n")
    return PASSED


def _text(folder: Path) -> str:
    from agent_architecture.configuration.template import template
    from agent_architecture.pipeline import LANGUAGES
    from agent_architecture.sources.languages import CODE
    from agent_architecture.sources.source import Role
    from agent_architecture.sources.walk import walk

    files = walk([folder]).files
    code = [file for file in files if file.language in CODE]
    counts = {name: sum(file.language in languages for file in code) for name, languages in LANGUAGES.items()}
    present = [name for name, count in counts.items() if count]
    values: dict[str, Default] = {"data.language": present[0]} if len(present) == 1 else {}
    remarks = {
        "data.include_tests": _found(code, Role.TEST, "tests"),
        "data.include_examples": _found(code, Role.EXAMPLE, "examples"),
    }
    found = ", ".join(f"{count} {name}" for name, count in counts.items() if count) or "none"
    head = (
        f"What {PROGRAM} does in this project. A line that begins with `#` and a key is a default:\n"
        f"take the `#` away to change it. Files of code when this was written: {found}."
    )
    return template(values, {path: text for path, text in remarks.items() if text}, head)


def _found(files: Sequence[SourceFile], role: Role, name: str) -> str:
    """Where tests or examples are, "" when there are none."""
    folders = Counter(file.path.rpartition("/")[0].split("/")[0] or "." for file in files if file.role is role)
    if not folders:
        return ""
    shown = [visible(folder) for folder, _ in sorted(folders.items())[:FOLDERS]]
    more = " and elsewhere" if len(folders) > FOLDERS else ""
    return f"{name.capitalize()} found: {sum(folders.values())} files in {', '.join(shown)}{more}."
