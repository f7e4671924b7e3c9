"""Packages as unpacked folders, by the registries' own clients (`pip download`, `npm pack`) and a cache.

Nothing of a package is installed, built or run. Knows no host: the clients are configured by whoever runs them.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote

from ecosystem.packs.archives import unpack
from ecosystem.packs.problems import ArchiveError, NoSuchVersionError, PackageError

TIME: Final = 300
"""Seconds for one download."""
_OLD_PYTHON: Final = ("--ignore-requires-python",)


class Wanted(NamedTuple):
    """A package at a version, or at the newest version that a range allows (`<2.0`, `>=1,<2`, "" for the newest)."""

    ecosystem: str
    name: str
    version: str

    @property
    def requirement(self) -> str:
        """As the ecosystem's client is asked for it."""
        if self.ecosystem == "npm":
            return f"{self.name}@{self.version or 'latest'}"
        return f"{self.name}{'==' if self.version[:1].isdigit() else ''}{self.version}"

    def __str__(self) -> str:
        return f"{self.name} {self.version or '(newest)'}"


class Registry:
    """Downloads what is not in the cache yet; a failure is remembered for this run alone."""

    def __init__(self, cache: Path, *, offline: bool = False) -> None:
        self.cache = cache
        self._offline = offline
        self._failed: dict[Wanted, PackageError] = {}

    def folder(self, wanted: Wanted) -> Path:
        """The unpacked files of a package. Raises `PackageError` in a sentence."""
        version = quote(wanted.version, safe="") or "newest"
        place = self.cache / wanted.ecosystem / wanted.name.replace("/", "+") / version
        if place.is_dir():
            return place
        if wanted in self._failed:
            raise self._failed[wanted]
        try:
            self._fetch(wanted, place)
        except PackageError as error:
            self._failed[wanted] = error
            raise
        return place

    def _fetch(self, wanted: Wanted, place: Path) -> None:
        if self._offline:
            raise PackageError(f"{wanted} is not in the cache")
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="packs-") as folder:
            if wanted.ecosystem == "npm":
                _npm_pack(wanted, Path(folder))
            else:
                _pip_download(wanted, Path(folder))
            archives = sorted(path for path in Path(folder).iterdir() if path.is_file())
            if len(archives) != 1:
                raise ArchiveError(f"{wanted}: the client left {len(archives)} files")
            unpack(archives[0], place)


def _npm_pack(wanted: Wanted, folder: Path) -> None:
    command = ["npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", str(folder), wanted.requirement]
    done = _run(command, folder)
    if done.returncode:
        said = done.stderr + done.stdout
        is_missing = any(word in said for word in ("ETARGET", "E404", "No matching version"))
        raise _error(wanted, said, missing=is_missing or not said.strip())


def _pip_download(wanted: Wanted, folder: Path) -> None:
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", *_OLD_PYTHON]
    done = _run([*pip, "--only-binary=:all:", "--dest", str(folder), wanted.requirement], folder)
    if not done.returncode:
        return
    from ecosystem.packs.sdists import download_sdist

    if not download_sdist(wanted, folder):
        listed = re.search(r"\(from versions: (.*?)\)", done.stderr)
        raise _error(wanted, done.stderr, missing=listed is not None and listed.group(1) != "none")


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "npm_config_update_notifier": "false", "PIP_NO_INPUT": "1"}
    try:
        return subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=TIME, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PackageError(f"{command[0]} cannot be run: {error}") from None


def _error(wanted: Wanted, said: str, *, missing: bool) -> PackageError:
    lines = [line for line in said.splitlines() if "ERROR" in line or "npm error" in line] or said.splitlines()
    reason = lines[0][:200] if lines else "the client says nothing"
    if missing:
        return NoSuchVersionError(f"there is no {wanted}: {reason}")
    return PackageError(f"{wanted} cannot be fetched: {reason}")
