"""Which files lie under the paths of a scan, and which of them its ignore files leave.

It lists; it opens no file but ignore files. It must not know languages or roles. No link is followed out of the root,
and every
folder is entered at most once, so that a loop of links ends.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from agent_architecture.records import NamedTuple
from agent_architecture.sources import ignore
from agent_architecture.sources.languages import is_form_of_variables
from agent_architecture.sources.source import Notice

# Other people's packages, caches and version control: never a project's own code, and often most of the files in its
# tree.
SKIPPED: Final = frozenset(
    {
        ".cache", ".direnv", ".eggs", ".git", ".hg", ".ipynb_checkpoints", ".jj", ".mypy_cache", ".nox",
        ".parcel-cache", ".pnpm-store",
        ".pytest_cache", ".ruff_cache", ".svn", ".terraform", ".tox", ".turbo", ".venv", "__pycache__",
        "__pypackages__",
        "bower_components", "node_modules", "site-packages",
    }
)  # fmt: skip
"""Folder names that are not entered, unless the folder itself is named in the call."""

# A virtual environment under another name has this file (PEP 405).
_ENVIRONMENT: Final = "pyvenv.cfg"

# People nest some twenty folders. Ignore patterns are matched with the whole path, so a path must not grow without end.
_MAX_DEPTH: Final = 64
_MAX_ENTRIES: Final = 500_000


class Entry(NamedTuple):
    """One file to consider. `real` is where it is opened: another path than `absolute` for a link."""

    path: str
    absolute: str
    real: str
    named: bool = False
    """Whether the caller named this very file."""

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.rpartition("/")[2]

    @property
    def folder_name(self) -> str:
        """The name of the folder that it lies in, "" for a file directly in the root."""
        return self.path.rpartition("/")[0].rpartition("/")[2]


class Listing(NamedTuple):
    """The files, in no particular order, and what was not listed."""

    entries: tuple[Entry, ...]
    notices: tuple[Notice, ...]
    looked_at: tuple[str, ...]
    """Every path whose state decided what is listed: folders, ignore files (those that are not there, too), links."""


Relevant = Callable[[str, str], bool]
"""Whether a file matters, by its name and the name of its folder: the cheap question comes before the ignore files."""


def entries(root: str, places: Sequence[str], excludes: ignore.Patterns | None, relevant: Relevant) -> Listing:
    """The relevant files at and under the absolute, sorted `places`, which all lie in `root`."""
    lister = _Lister(root, excludes, relevant)
    for place in places:
        if Path(place).is_dir():
            lister.add_folder(place)
        else:
            lister.add_file(place, os.path.realpath(place), named=True)
    lister.follow_links()
    return Listing(tuple(lister.files.values()), tuple(lister.notices), tuple(sorted(lister.looked_at)))


class _Folder(NamedTuple):
    absolute: str
    real: str
    scopes: tuple[ignore.Patterns, ...]
    depth: int


class _Lister:
    """The state of one listing."""

    def __init__(self, root: str, excludes: ignore.Patterns | None, relevant: Relevant) -> None:
        self.root = root
        self.relevant = relevant
        self.prefix = root.rstrip("/") + "/"
        self.excludes = excludes
        self.files: dict[str, Entry] = {}  # by real path: a file is read once
        self.notices: list[Notice] = []
        self.visited: set[str] = set()
        self.looked_at: set[str] = set()
        self.links: list[tuple[str, tuple[ignore.Patterns, ...], int]] = []
        self.seen = 0

    def shown(self, absolute: str) -> str:
        # A name that is not UTF-8 is shown with U+FFFD: a path must be printable in every output.
        return absolute[len(self.prefix) :].encode("utf-8", "surrogateescape").decode("utf-8", "replace")

    def notice(self, absolute: str, message: str, *, incomplete: bool = True) -> None:
        self.notices.append(Notice(self.shown(absolute) or ".", None, message, incomplete))

    def add_file(self, absolute: str, real: str, *, named: bool = False) -> None:
        if real not in self.files or named:
            self.files[real] = Entry(self.shown(absolute), absolute, real, named)

    def add_folder(self, absolute: str) -> None:
        scopes, notices = ignore.above(absolute)
        self.looked_at.update(ignore.looked_at_above(absolute))
        self.notices += notices
        self._walk(_Folder(absolute, absolute, scopes, 0))

    def follow_links(self) -> None:
        """Read what links inside the root lead to, unless it was read at its own place."""
        while self.links:
            pending, self.links = sorted(self.links, key=lambda link: link[0]), []
            for absolute, scopes, depth in pending:
                self._follow(absolute, scopes, depth)

    def _follow(self, absolute: str, scopes: tuple[ignore.Patterns, ...], depth: int) -> None:
        real = Path(os.path.realpath(absolute)).as_posix()
        self.looked_at.update((absolute, real))
        if not Path(real).exists():
            self.notice(absolute, "is a link that leads nowhere", incomplete=False)
        elif not real.startswith(self.prefix):
            if real != self.root:
                self.notice(absolute, "is a link out of the scanned folder: not followed")
        elif any(part in SKIPPED for part in self.shown(real).split("/")):
            return
        elif not Path(real).is_dir():
            self._add_linked(absolute, real)
        elif not ignore.ignored(absolute + "/", scopes):
            self._walk(_Folder(absolute, real, scopes, depth))

    def _add_linked(self, absolute: str, real: str) -> None:
        entry = Entry(self.shown(absolute), absolute, real)
        if self.relevant(entry.name, entry.folder_name):
            self.add_file(absolute, real)

    def _walk(self, start: _Folder) -> None:
        stack = [start]
        while stack and self.seen < _MAX_ENTRIES:
            folder = stack.pop()
            if folder.real in self.visited:
                continue
            self.visited.add(folder.real)
            stack += self._list(folder)
        if stack:
            self.notice(
                stack[-1].absolute, f"and what follows it is not read: the project has more than {_MAX_ENTRIES} entries"
            )

    def _list(self, folder: _Folder) -> list[_Folder]:
        """Note the files of one folder; give the folders in it that are to be walked."""
        if folder.depth > _MAX_DEPTH:
            self.notice(folder.absolute, f"lies more than {_MAX_DEPTH} folders deep: not read")
            return []
        self.looked_at.add(folder.absolute)
        try:
            with os.scandir(folder.absolute) as found:
                listed = sorted(found, key=lambda entry: entry.name)
        except OSError as error:
            self.notice(folder.absolute, f"cannot be read: {error.strerror or error}")
            return []
        self.seen += len(listed)
        names = {entry.name for entry in listed}
        if _ENVIRONMENT in names and folder.depth:
            return []
        scopes = self._scopes(folder, names)
        inner = folder._replace(scopes=scopes)
        return [below for entry in listed if (below := self._note(entry, inner))]

    def _scopes(self, folder: _Folder, names: set[str]) -> tuple[ignore.Patterns, ...]:
        present = [name for name in ignore.NAMES if name in names]
        if not present:
            return folder.scopes
        self.looked_at.update(f"{folder.absolute}/{name}" for name in present)
        shown = self.shown(folder.absolute + "/")
        patterns, notices = ignore.of_folder(folder.absolute, present, shown)
        self.notices += notices
        return (patterns, *folder.scopes) if patterns else folder.scopes

    def _note(self, entry: os.DirEntry[str], folder: _Folder) -> _Folder | None:
        """The folder to walk that `entry` is, None otherwise; a file or link is noted."""
        absolute = f"{folder.absolute.rstrip('/')}/{entry.name}"
        try:
            if entry.is_symlink():
                if entry.name not in SKIPPED and not self._left_out(absolute, folder.scopes):
                    self.links.append((absolute, folder.scopes, folder.depth + 1))
            elif entry.is_dir(follow_symlinks=False):
                if entry.name not in SKIPPED and not self._left_out(absolute + "/", folder.scopes):
                    return _Folder(absolute, f"{folder.real.rstrip('/')}/{entry.name}", folder.scopes, folder.depth + 1)
            else:
                self._note_file(entry, absolute, folder)
        except OSError as error:
            self.notice(absolute, f"cannot be read: {error.strerror or error}")
        return None

    def _note_file(self, entry: os.DirEntry[str], absolute: str, folder: _Folder) -> None:
        name = folder.absolute.rpartition("/")[2] if folder.absolute != self.root else ""
        # A project hands a form out, though Git ignores what is named like it (`.env.*`): it keeps on tracking it.
        own = is_form_of_variables(entry.name)
        if not self.relevant(entry.name, name) or self._left_out(absolute, folder.scopes, own=own):
            return
        if entry.is_file(follow_symlinks=False):
            self.add_file(absolute, f"{folder.real.rstrip('/')}/{entry.name}")
        else:
            self.notice(absolute, "is not a regular file: not read")

    def _left_out(self, absolute: str, scopes: tuple[ignore.Patterns, ...], *, own: bool = False) -> bool:
        if self.excludes is not None and self.excludes.covers(absolute):
            return True
        return bool(scopes) and ignore.ignored(absolute, scopes, own=own)
