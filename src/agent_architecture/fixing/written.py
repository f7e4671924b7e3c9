"""Files on the disk: read as what may be changed, and replaced as a whole. A link is never followed, nor a file that
is not plain UTF-8, nor one that changed since it was read.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_architecture.errors import UsageError
from agent_architecture.sources.read import read

if TYPE_CHECKING:
    from collections.abc import Mapping

MARK: Final = b"\xef\xbb\xbf"
"""The byte order mark that a file in UTF-8 may begin with; no text has it."""


class Files:
    """The files below a folder, by their paths in a report."""

    def __init__(self, root: Path, limit: int) -> None:
        """`limit` is the most bytes that a file may have."""
        self._root = Path(os.path.realpath(root))
        self._limit = limit
        self._known: dict[str, bytes | None] = {}

    def text(self, path: str) -> bytes | None:
        """The text of a file, in UTF-8 and without a byte order mark; None for one that is not to be changed."""
        raw = self._raw(path)
        return raw.removeprefix(MARK) if raw is not None else None

    def write(self, texts: Mapping[str, bytes]) -> None:
        """Replace the texts of files, each of them at once.

        Raises:
            UsageError: one is no longer what was read (then none is written), or cannot be written.
        """
        for path in texts:
            if self._known.get(path) is None or self._now(path) != self._known[path]:
                raise UsageError(f"nothing is written: {path} has changed since it was read")
        for path, text in sorted(texts.items()):
            mark = MARK if (self._known.pop(path) or b"").startswith(MARK) else b""
            try:
                self._replace(self._root / path, mark + text)
            except OSError as error:
                raise UsageError(f"cannot write {path}: {error.strerror}") from None

    def _raw(self, path: str) -> bytes | None:
        if path not in self._known:
            self._known[path] = self._now(path)
        return self._known[path]

    def _now(self, path: str) -> bytes | None:
        file = self._root / path
        if not path or os.path.realpath(file) != str(file):  # a link on the way, or out of the folder
            return None
        data = read(str(file), path, self._limit).data
        if data is None:
            return None
        try:
            data.decode()
        except UnicodeDecodeError:
            return None
        return data

    @staticmethod
    def _replace(file: Path, data: bytes) -> None:
        import tempfile

        handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            shutil.copymode(file, name)
            Path(name).replace(file)
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise
