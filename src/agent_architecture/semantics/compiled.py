"""The packs of this package in a form that loads twenty times faster than TOML.

As Python does with modules, what was made of the files is kept beside their looks, in the user's cache folder; when any
of them has changed, the packs are read anew. Only objects of this package are kept, nothing of a project.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_architecture.cache import cache_folder, digest, keep, load, looks
from agent_architecture.semantics import packs

if TYPE_CHECKING:
    from agent_architecture.semantics.packs import Packs

SOURCES: Final = ("frameworks", "semantics", "model")
"""The folders of this package whose files decide what the packs are."""

KEPT: Final = 8
"""Compiled forms that are kept at most: each version and each Python has its own."""


def shipped_packs() -> Packs:
    """The packs of this package. Raises `PackError` as `load_packs` does."""
    folder = cache_folder()
    path = None if folder is None else folder / f"{_state()}.packs"
    kept = None if path is None else load(path)
    if isinstance(kept, packs.Packs):
        return kept
    found = packs.load_packs()
    if path is not None:
        keep(path, found, at_most=KEPT)
    return found


def _state() -> str:
    """What tells the files that the packs are made of from what they were before."""
    package = Path(__file__).parents[1]
    files = (look for folder in SOURCES for look in looks(package / folder, (".toml", ".py")))
    return digest(sys.version, str(package), *files)
