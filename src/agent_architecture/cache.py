"""The folder in which this tool may keep what it can make again: the user's cache folder. Knows nothing of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

NAME: Final = "agent-architecture"


def cache_folder() -> Path | None:
    """Where this user's caches lie; None where the system does not say."""
    given = Path(os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME", ""))
    if given.is_absolute():  # a relative one would lie in the project that is analysed, whose files say nothing here
        return given / NAME
    try:
        return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache") / NAME
    except RuntimeError:
        return None


def read(path: Path) -> bytes | None:
    """What was kept in a file, unless it was written by somebody else."""
    try:
        with path.open("rb") as file:
            is_own = not hasattr(os, "getuid") or os.fstat(file.fileno()).st_uid == os.getuid()
            return file.read() if is_own else None
    except OSError:
        return None


def keep(path: Path, data: bytes, *, at_most: int, at_most_bytes: int = sys.maxsize) -> None:
    """Keep `data` in a file, whole or not at all, and of its kind only the newest few; where that fails, nothing is.

    Those are of a kind that have the same ending.
    """
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished.write_bytes(data)
        unfinished.replace(path)
        for old in _beyond(path.parent.glob(f"*{path.suffix}"), at_most, at_most_bytes):
            old.unlink(missing_ok=True)
    except OSError:
        with suppress(OSError):
            unfinished.unlink()


def clean() -> tuple[int, int]:
    """Remove everything that was kept: how many files, and how many bytes they had."""
    folder = cache_folder()
    files = sorted(folder.iterdir()) if folder is not None and folder.is_dir() else []
    removed = [(file, file.lstat().st_size) for file in files if file.is_file() or file.is_symlink()]
    for file, _ in removed:
        file.unlink(missing_ok=True)
    return len(removed), sum(size for _, size in removed)


def _beyond(files: Iterable[Path], number: int, size: int) -> Iterator[Path]:
    """The oldest files beyond a number of files and a number of bytes in all."""
    looks = sorted(((file.stat(), file) for file in files), key=lambda found: -found[0].st_mtime_ns)
    taken = 0
    for count, (state, file) in enumerate(looks, 1):
        taken += state.st_size
        if count > number or taken > size:
            yield file
