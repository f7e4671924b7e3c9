"""Small projects on the disk, and what repairs make of them through the real analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.fixing.applied import Applied, applied
from agent_architecture.fixing.trying import trying
from agent_architecture.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from agent_architecture.config import Config


def written(folder: Path, files: Mapping[str, str]) -> Path:
    """The folder with these files, byte for byte."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
    return folder


def repaired(folder: Path, config: Config | None = None, *, unsafe: bool = True) -> Applied:
    """What repairs make of the project in the folder; nothing is written."""

    def read(path: str) -> bytes | None:
        file = folder / path
        return file.read_bytes() if file.is_file() else None

    return applied(trying(Session([folder], config), folder), read, unsafe=unsafe)
