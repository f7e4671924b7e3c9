"""The folder in which this tool may keep what it can make again: the user's cache folder. Knows nothing of it.

What is kept is pickled: only files that this user wrote are read, and they lie outside of any project (`is_apart`).
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import blake2b
from itertools import islice
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


def is_apart(paths: Iterable[Path]) -> bool:
    """Whether nothing of these projects, nor of the repositories around them, can lie in the cache folder.

    It may be there, where CI keeps caches in the checkout: then its files may be those of the project's author.
    """
    folder = cache_folder()
    tops = {top for path in paths for top in (path.resolve(), *_repository(path.resolve()))}
    return folder is None or tops.isdisjoint({folder.resolve(), *folder.resolve().parents})


def _repository(path: Path) -> Iterator[Path]:
    yield from islice((outer for outer in path.parents if (outer / ".git").exists()), 1)


def load(path: Path) -> object:
    """What was kept in a file; None where nothing readable is, or somebody else wrote it."""
    try:
        with path.open("rb") as file:
            is_own = not hasattr(os, "getuid") or os.fstat(file.fileno()).st_uid == os.getuid()
            return pickle.load(file) if is_own else None  # noqa: S301 - written by `keep`, by this user
    except Exception:  # noqa: BLE001 - a file that was damaged raises anything
        return None


def keep(path: Path, value: object, *, at_most: int, at_most_bytes: int = sys.maxsize) -> None:
    """Keep `value` in a file, whole or not at all, and of its kind only the newest few; where that fails, nothing is.

    Those are of a kind that have the same ending.
    """
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        unfinished.write_bytes(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))
        unfinished.replace(path)
        for old in _beyond(path.parent.glob(f"*{path.suffix}"), at_most, at_most_bytes):
            old.unlink(missing_ok=True)
    except BaseException as error:  # who interrupts leaves nothing half, too
        with suppress(OSError):
            unfinished.unlink()
        if not isinstance(error, OSError):
            raise


def looks(folder: Path | str, endings: tuple[str, ...] = ("",)) -> Iterator[str]:
    """How each file below a folder looks (name, size, time of its last change), as far as it has one of the endings."""
    with os.scandir(folder) as found:
        for entry in sorted(found, key=lambda entry: entry.name):
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "__pycache__":
                    yield from looks(entry.path, endings)
            elif entry.name.endswith(endings):
                state = entry.stat(follow_symlinks=False)
                yield f"{entry.name} {state.st_size} {state.st_mtime_ns}"


def digest(*parts: str | bytes) -> str:
    """A name for these parts, in this order; other parts have another."""
    made = blake2b(digest_size=20)
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        made.update(len(data).to_bytes(8, "big"))
        made.update(data)
    return made.hexdigest()


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
