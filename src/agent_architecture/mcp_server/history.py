"""What a project was like at a git ref, for the tools of a server."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from agent_architecture.errors import UsageError
from agent_architecture.mcp_server.objects import Entry, Objects, objects_of
from agent_architecture.policy.baseline import SHORT, as_it_was, moved_to
from agent_architecture.policy.git_tree import (
    IGNORE_FILES,
    MAX_BYTES,
    MAX_FILE,
    MAX_FILES,
    REGULAR,
    Blob,
    is_safe,
    write_blob,
)
from agent_architecture.policy.snapshots import Snapshot, of_report, renamed
from agent_architecture.sources.root import common_folder

if TYPE_CHECKING:
    from agent_architecture.config import Config
    from agent_architecture.mcp_server.roots import Roots
    from agent_architecture.pipeline import Progress

FOLDER: Final = "40000"
ALIKE: Final = 0.5
"""The share of its text that a file keeps which git calls renamed."""
MOST_MOVED: Final = 200
"""Files that are looked at for one that is gone."""


class Histories:
    """The repositories that hold the roots of a server."""

    def __init__(self, roots: Roots) -> None:
        """Starts git for each root that lies in a repository."""
        self._known = {folder: found for folder in roots.folders if (found := objects_of(folder)) is not None}

    def close(self) -> None:
        """End what was started."""
        for objects in self._known.values():
            objects.close()

    def at(self, ref: str, path: Path, config: Config, now: Snapshot, watch: Progress) -> Snapshot:
        """The snapshot of the project at `path` as it was at `ref`, with the files that are called otherwise `now`.

        Raises:
            UsageError: no repository holds the root, or there is no such ref, or it cannot be read.
            CancelledError: the watch was stopped.
        """
        folder = common_folder([path])
        objects = next((known for root, known in self._known.items() if folder.is_relative_to(root)), None)
        if objects is None:
            raise UsageError(f"no git repository holds the root of {path}; name a saved report instead")
        commit = objects.commit(ref)
        below = folder.relative_to(objects.folder).as_posix()
        prefix = objects.prefix + ("" if below == "." else f"{below}/")
        with tempfile.TemporaryDirectory(prefix="agent-architecture-") as temporary:
            top = Path(temporary).resolve()
            there = top / PurePosixPath(prefix)
            there.mkdir(parents=True, exist_ok=True)
            (top / ".git").mkdir()  # ignore files count from here on
            for blob in _wanted(objects, commit, prefix, watch):
                write_blob(blob, top, objects.content(objects.look(blob.object)))
            report = as_it_was([path], there, moved_to(config, folder, prefix, top), watch)
            before = of_report(report, f"{ref} ({commit[:SHORT]})")
            return renamed(before, dict(_moved(before, now, there, folder)))


def _wanted(objects: Objects, commit: str, prefix: str, watch: Progress) -> Iterator[Blob]:
    """The regular files of a folder, and the ignore files above it, where safe to write."""
    files = size = 0
    left = [(f"{commit}^{{tree}}", "")]
    while left:
        tree, folder = left.pop()
        for entry in objects.entries(tree):
            files += 1
            watch("reading the git ref", files, 0)
            path = folder + entry.name
            if not is_safe(path) or not _leads(entry, path, folder, prefix):
                continue
            if entry.mode == FOLDER:
                left.append((entry.object, f"{path}/"))
                continue
            found = objects.look(entry.object)
            size += found.size
            if files > MAX_FILES or size > MAX_BYTES:
                raise UsageError(f"the tree of the git ref is too large to compare with: {files} files")
            if found.kind == "blob" and found.size <= MAX_FILE:
                yield Blob(path, found.id, found.size)
        if files > MAX_FILES:
            raise UsageError(f"the tree of the git ref is too large to compare with: {files} files")


def _leads(entry: Entry, path: str, folder: str, prefix: str) -> bool:
    """Whether an entry stands in the folder that is wanted, leads there, or is an ignore file above it."""
    if entry.mode == FOLDER:
        return path.startswith(prefix) or prefix.startswith(f"{path}/")
    is_above = entry.name in IGNORE_FILES and prefix.startswith(folder)
    return entry.mode in REGULAR and (path.startswith(prefix) or is_above)


# -------------------------------------------------------------------------------------------------------------- renames
def _moved(before: Snapshot, now: Snapshot, there: Path, here: Path) -> Iterator[tuple[str, str]]:
    """Old paths to new ones, of files that reports speak of, where most of a text is in another file now."""
    gone = sorted(path for path in _paths(before) if (there / path).is_file() and not (here / path).exists())
    new = sorted(path for path in _paths(now) if (here / path).is_file() and not (there / path).exists())
    for old in gone:
        text = _lines(there / old)
        likes = [(_alike(text, _lines(here / path)), path) for path in _candidates(old, new)]
        best = max(likes, default=(0.0, ""))
        if best[0] >= ALIKE:
            new.remove(best[1])
            yield old, best[1]


def _paths(snapshot: Snapshot) -> frozenset[str]:
    gaps, parts = (gap.path for gap in snapshot.gaps), (part.path for part in snapshot.parts)
    return frozenset(filter(None, (*gaps, *parts)))


def _candidates(old: str, new: Sequence[str]) -> list[str]:
    ending = PurePosixPath(old).suffix
    return [path for path in new if PurePosixPath(path).suffix == ending][:MOST_MOVED]


def _lines(file: Path) -> Counter[bytes]:
    try:
        data = file.read_bytes()[:MAX_FILE]
    except OSError:
        return Counter()
    return Counter(data.splitlines(keepends=True))


def _alike(first: Counter[bytes], second: Counter[bytes]) -> float:
    """The share of the larger text that stands in both."""
    largest = max(_size(first), _size(second))
    return _size(first & second) / largest if largest else 0.0


def _size(lines: Counter[bytes]) -> int:
    return sum(len(line) * count for line, count in lines.items())
