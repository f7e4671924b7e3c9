"""Unpacking of downloaded archives. They are hostile until read: nothing is written outside the folder, nothing
without bound, and of links and devices nothing at all.
"""

from __future__ import annotations

import os
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Final

from ecosystem.packs.problems import ArchiveError

MAX_MEMBERS: Final = 200_000
MAX_TOTAL: Final = 800_000_000
"""Bytes that one archive may unpack to; counted while they are written, for an archive may lie about its sizes."""
MAX_FILE: Final = 20_000_000
"""A larger file is no source that anybody reads: it is left out."""
READ: Final = frozenset(
    {".py", ".pyi", ".ts", ".mts", ".cts", ".js", ".mjs", ".cjs", ".json", ".toml", ".yaml", ".yml", ".txt"}
)
KEPT: Final = frozenset({"METADATA", "PKG-INFO", "RECORD"})
COMPILED: Final = frozenset({".so", ".pyd"})
"""Kept as empty files: that a module is compiled is all that can be read of it."""
_BLOCK: Final = 1 << 16


def unpack(archive: Path, folder: Path) -> None:
    """Write the readable files of a wheel, an sdist or an npm tarball into `folder`, which appears only when complete.

    Raises `ArchiveError` for a file that is damaged, hostile or too large.
    """
    partial = folder.with_name(f"{folder.name}.{os.getpid()}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    try:
        _unpack(archive, partial)
        shutil.rmtree(folder, ignore_errors=True)
        partial.rename(folder)
    except (OSError, zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, ValueError, RuntimeError) as error:
        raise ArchiveError(f"{archive.name} cannot be unpacked: {error}") from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _unpack(archive: Path, folder: Path) -> None:
    folder.mkdir(parents=True)
    written = 0
    if archive.suffix in {".whl", ".zip"}:
        with zipfile.ZipFile(archive) as opened:
            for name in _in_zip(opened):
                with opened.open(name) as stream:
                    written = _write(stream, folder, name, written)
        return
    with tarfile.open(archive) as tar:
        for info in _in_tar(tar):
            file = tar.extractfile(info)
            if file is not None:
                written = _write(file, folder, info.name, written)


def _in_zip(opened: zipfile.ZipFile) -> Iterator[str]:
    for count, info in enumerate(opened.infolist()):
        _bounded(count)
        is_link = stat.S_ISLNK(info.external_attr >> 16)
        if not info.is_dir() and not is_link:
            yield _safe(info.filename)


def _in_tar(tar: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    for count, info in enumerate(tar):
        _bounded(count)
        if info.isreg() and _safe(info.name):
            yield info


def _bounded(count: int) -> None:
    if count >= MAX_MEMBERS:
        raise ArchiveError(f"the archive has more than {MAX_MEMBERS} files")


def _safe(name: str) -> str:
    """The name of a file, which has to stay in the folder that it is unpacked into."""
    path = PurePosixPath(name)
    has_drive = ":" in name.partition("/")[0]
    if path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name or has_drive:
        raise ArchiveError(f"the archive wants to write to {name!r}")
    return name


def _write(stream: IO[bytes], folder: Path, name: str, written: int) -> int:
    """Write one file; how much the archive has written so far."""
    path = PurePosixPath(name)
    is_compiled = path.suffix in COMPILED
    if path.suffix not in READ and path.name not in KEPT and not is_compiled:
        return written
    target = folder.joinpath(*path.parts)
    target.parent.mkdir(parents=True, exist_ok=True)
    size = 0
    with target.open("wb") as file:
        while not is_compiled and (block := stream.read(_BLOCK)):
            size += len(block)
            written += len(block)
            if written > MAX_TOTAL:
                raise ArchiveError(f"the archive unpacks to more than {MAX_TOTAL} bytes")
            if size > MAX_FILE:
                break
            file.write(block)
    if size > MAX_FILE:
        target.unlink()
    return written
