"""The folders that the server may look into."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from agent_architecture.errors import UsageError
from agent_architecture.records import NamedTuple
from agent_architecture.render.safe import visible


class Roots(NamedTuple):
    """The folders that were given at start, resolved. Nothing outside of them is looked at, links included."""

    folders: tuple[Path, ...]

    def inside(self, path: str) -> Path:
        """The file or folder that a client means: absolute, or as seen from the first root; "" is the first root.

        Raises:
            UsageError: it lies outside of all roots (a link that leads out, too), or is not there.
        """
        try:
            wanted = (self.folders[0] / path).resolve()
            known = any(wanted.is_relative_to(folder) for folder in self.folders)
            exists = known and (wanted.is_dir() or wanted.is_file())
        except (OSError, ValueError, RuntimeError):  # a zero byte, a name that is too long, links in a circle
            known = exists = False
        if not known:
            raise UsageError(f"{visible(path)[:200]} lies outside of the folders that this server was started with")
        if not exists:
            raise UsageError(f"there is no file or folder {visible(path)[:200]}")
        return wanted


def roots_of(folders: Sequence[Path]) -> Roots:
    """The roots at these folders.

    Raises:
        UsageError: one of them is no folder.
    """
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f"{folder} is no folder")
    return Roots(tuple(folder.resolve() for folder in folders))
