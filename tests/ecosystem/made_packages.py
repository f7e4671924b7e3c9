"""Tiny made-up packages for the check of packs: wheels and npm tarballs, and a pack that speaks of them."""

from __future__ import annotations

import io
import tarfile
import tomllib
import zipfile
from collections.abc import Mapping
from pathlib import Path

from ecosystem.packs.answers import State
from ecosystem.packs.archives import unpack
from ecosystem.packs.check import Checker, Result
from ecosystem.packs.known import Known, read_known
from ecosystem.packs.problems import NoSuchVersionError
from ecosystem.packs.registry import Registry, Wanted

from agent_architecture.semantics.packs.packs import Packs
from agent_architecture.semantics.packs.rows_from_toml import read_pack


def wheel(file: Path, files: Mapping[str, str]) -> Path:
    """A wheel with these files."""
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file


def tarball(file: Path, files: Mapping[str, str]) -> Path:
    """An npm tarball with these files."""
    with tarfile.open(file, "w:gz") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(f"package/{name}")
            info.size = len(content.encode())
            archive.addfile(info, io.BytesIO(content.encode()))
    return file


def install(cache: Path, ecosystem: str, name: str, version: str, files: Mapping[str, str]) -> None:
    """Put a package into a cache, as a download would."""
    place = cache / ecosystem / name.replace("/", "+") / version
    place.parent.mkdir(parents=True, exist_ok=True)
    if ecosystem == "npm":
        unpack(tarball(cache / "a.tgz", files), place)
    else:
        unpack(wheel(cache / "a.whl", files), place)


def known(folder: Path, text: str = "") -> Known:
    """A data file."""
    file = folder / "known.toml"
    file.write_text(text, encoding="utf-8")
    return read_known(file)


class _Thinned(Registry):
    """A registry that answers and has what the cache has alone."""

    def _fetch(self, wanted: Wanted, place: Path) -> None:
        raise NoSuchVersionError(f"there is no {wanted}: {place.name} was taken back")


def check(cache: Path, pack: str, data: str = "", *, thinned: bool = False) -> tuple[Result, ...]:
    """What is said of a pack, with a cache and no network.

    `thinned`: versions that are not in the cache are nowhere.
    """
    document = tomllib.loads(pack)
    rows = read_pack("frameworks/made.toml", document)
    registry = _Thinned(cache) if thinned else Registry(cache, offline=True)
    checker = Checker(Packs([rows]), registry, known(cache, data))
    return tuple(checker.check(rows, document))


def wrong(results: tuple[Result, ...]) -> list[str]:
    """What fails, each as `path or default: why`."""
    return [f"{one.what}: {one.answer.why}" for one in results if one.answer.state is State.DRIFT]


def unchecked(results: tuple[Result, ...]) -> list[str]:
    """What was not readable, in the same form."""
    return [f"{one.what}: {one.answer.why}" for one in results if one.answer.state is State.UNCHECKED]
