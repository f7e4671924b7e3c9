"""The packs of this package in a form that loads twenty times faster than TOML.

As Python does with modules, what was made of the files is kept beside their state, in the user's cache folder; when any
of them has changed, the packs are read anew. Only objects of this package are kept, nothing of a project.
"""

from __future__ import annotations

import os
import pickle
import sys
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_architecture.cache import cache_folder, keep, read
from agent_architecture.semantics import packs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.packs import Packs

SOURCES: Final = (("frameworks", ".toml"), ("semantics", ".py"), ("model", ".py"))
"""The folders of this package whose files decide what the packs are, and their endings."""

KEPT: Final = 8
"""Compiled forms that are kept at most: each version and each Python has its own."""


def shipped_packs() -> Packs:
    """The packs of this package. Raises `PackError` as `load_packs` does."""
    folder = cache_folder()
    path = None if folder is None else folder / f"{_state()}.packs"
    found = None if path is None else _kept(path)
    if found is None:
        found = packs.load_packs()
        if path is not None:
            keep(path, pickle.dumps(found, pickle.HIGHEST_PROTOCOL), at_most=KEPT)
    return found


def _kept(path: Path) -> Packs | None:
    data = read(path)
    try:
        found = pickle.loads(data) if data else None  # noqa: S301 - written by this function, by this user
    except Exception:  # noqa: BLE001 - a file that was damaged raises anything
        return None
    return found if isinstance(found, packs.Packs) else None


def _state() -> str:
    """What tells the files that the packs are made of from what they were before."""
    package = Path(__file__).parents[1]
    told = (
        str(package),
        sys.version,
        *(part for folder, ending in SOURCES for part in _files(package / folder, ending)),
    )
    return blake2b("\n".join(told).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def _files(folder: Path, ending: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.name.endswith(ending):
                state = entry.stat()
                yield f"{entry.name} {state.st_size} {state.st_mtime_ns}"
