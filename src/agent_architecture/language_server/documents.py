"""The files that the editor holds, as it holds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.language_server.positions import Text
from agent_architecture.language_server.roots import path_of
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from lsprotocol.types import TextDocumentContentChangeEvent, TextDocumentItem


class Document(NamedTuple):
    """One file. `uri` is as the editor writes it: others may write the same address in another way."""

    uri: str
    path: Path
    version: int
    text: Text


class Documents:
    """All of them. What is no file (an unsaved buffer, the other side of a comparison) is none of them."""

    def __init__(self) -> None:
        """None is open."""
        self._open: dict[Path, Document] = {}

    def __iter__(self) -> Iterator[Document]:
        return iter(self._open.values())

    def at(self, uri: str) -> Document | None:
        """The open file at an address."""
        path = path_of(uri)
        return None if path is None else self._open.get(path)

    def of(self, path: Path) -> Document | None:
        """The open file of a path."""
        return self._open.get(path)

    def open(self, item: TextDocumentItem, encoding: str) -> Document | None:
        """A file is opened; None when it is none."""
        path = path_of(item.uri)
        if path is None:
            return None
        made = Document(item.uri, path, item.version, Text(item.text, encoding))
        self._open[path] = made
        return made

    def change(self, uri: str, version: int, changes: Sequence[TextDocumentContentChangeEvent]) -> Document | None:
        """A file is edited; None when it is not open."""
        before = self.at(uri)
        if before is None:
            return None
        now = before._replace(version=version, text=before.text.changed(changes))
        self._open[now.path] = now
        return now

    def close(self, uri: str) -> Document | None:
        """A file is closed: what it holds is what is on the disk."""
        path = path_of(uri)
        return None if path is None else self._open.pop(path, None)
