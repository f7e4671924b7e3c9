"""The configuration file that fits a project: every key with its default, and what was found in the folder."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from agent_architecture.configuration.template import template
from agent_architecture.pipeline import LANGUAGES
from agent_architecture.render.safe import visible
from agent_architecture.report import TOOL_NAME
from agent_architecture.sources.languages import CODE
from agent_architecture.sources.source import Role
from agent_architecture.sources.walk import walk

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_architecture.configuration.keys import Default
    from agent_architecture.sources.source import SourceFile

NAME: Final = "agent-architecture.yaml"
FOLDERS: Final = 4
"""Folders that a remark names."""


def suggested(folder: Path) -> str:
    """The text of a commented configuration file, with what was found in the folder; nothing is written."""
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
        f"What {TOOL_NAME} does in this project. A line that begins with `#` and a key is a default:\n"
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
