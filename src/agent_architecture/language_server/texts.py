"""The texts that an answer speaks of: those that the editor holds, else those on the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.language_server.positions import Text
from agent_architecture.sources.decode import decode
from agent_architecture.sources.read import read

if TYPE_CHECKING:
    from pathlib import Path

    from agent_architecture.language_server.analysis import Answer


class Texts:
    """Each text once."""

    def __init__(self, answer: Answer, encoding: str) -> None:
        """The texts of an answer, for an editor that counts in this encoding."""
        self._answer = answer
        self._encoding = encoding
        self._found: dict[Path, Text] = {}

    def of(self, path: Path) -> Text:
        """The text of a file; empty for one that cannot be read."""
        if path not in self._found:
            held = self._answer.texts.get(path)
            self._found[path] = Text(_on_disk(path, self._answer.limit) if held is None else held, self._encoding)
        return self._found[path]


def _on_disk(path: Path, limit: int) -> str:
    try:
        content = read(str(path.resolve()), path.name, limit).data
    except (OSError, ValueError, RuntimeError):
        return ""
    return (decode(path.name, content or b"").data or b"").decode("utf-8", "replace")
