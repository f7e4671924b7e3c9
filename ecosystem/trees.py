"""The files of a commit, written out of a git repository without a work tree. Nothing is fetched, no filter or hook of
the repository runs, links are left out.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST: Final = 2_000_000
"""Bytes; larger files are no source."""


class TreeError(Exception):
    """A commit that cannot be written out, in one sentence."""


class _File(NamedTuple):
    blob: str
    path: str


def write_tree(repository: Path, commit: str, folder: str, target: Path) -> None:
    """Write the files of a commit below `folder` ("" for all) into `target`, under their whole paths: a package that is
    scanned alone is still called what its files import.

    Raises `TreeError` where the repository does not have the commit or the folder.
    """
    files = tuple(_files(repository, commit, folder))
    if not files:
        raise TreeError(f"{repository}: {commit[:12]} has no files in {folder or 'its root'}")
    for file, data in zip(files, _contents(repository, files), strict=True):
        place = target / file.path
        if data is None or ".." in PurePosixPath(file.path).parts:
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


def _files(repository: Path, commit: str, folder: str) -> Iterator[_File]:
    listed = _git(repository, "ls-tree", "-r", "-z", "-l", commit, *((folder,) if folder else ()))
    for line in listed.split(b"\0"):
        meta, _, name = line.partition(b"\t")
        mode, kind, blob, size = (*meta.split(), b"", b"", b"", b"")[:4]
        if kind == b"blob" and mode != b"120000" and (not size.isdigit() or int(size) <= LARGEST):
            yield _File(blob.decode(), name.decode("utf-8", "surrogateescape"))


def _contents(repository: Path, files: tuple[_File, ...]) -> Iterator[bytes | None]:
    """The bytes of each file; None for one that the repository lists and does not hold."""
    found = _git(repository, "cat-file", "--batch", given="\n".join(file.blob for file in files).encode() + b"\n")
    start = 0
    for _ in files:
        head, _, _ = found[start:].partition(b"\n") if start < len(found) else (b"", b"", b"")
        start += len(head) + 1
        size = head.rsplit(b" ", 1)[-1]
        if not size.isdigit():
            yield None
            continue
        yield found[start : start + int(size)]
        start += int(size) + 1


def _git(repository: Path, *arguments: str, given: bytes = b"") -> bytes:
    command = ("git", f"--git-dir={repository}", *arguments)
    environment = {**os.environ, "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0"}
    done = subprocess.run(command, input=given, capture_output=True, check=False, env=environment)
    if done.returncode:
        raise TreeError(f"{repository}: {done.stderr.decode('utf-8', 'replace').strip()}")
    return done.stdout
