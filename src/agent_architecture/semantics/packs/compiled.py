"""The packs of this package in a form that loads twenty times faster than TOML.

A wheel has them beside this module, compiled when it was built. Where that form is missing (a source tree) or was made
of other files, what was made of the files is kept beside their looks in the user's cache folder, as Python does with
modules; when any of them has changed, the packs are read anew. Only objects of this package are kept, nothing of a
project.
"""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_architecture.cache import cache_folder, digest, keep, load, looks
from agent_architecture.semantics.packs import packs

if TYPE_CHECKING:
    from agent_architecture.semantics.packs.packs import Packs

PACKAGE: Final = Path(__file__).parents[2]

SHIPPED: Final = "semantics/packs.pickle"
"""Where a wheel has the compiled form, seen from the package."""

PROTOCOL: Final = 5
"""Of the compiled form: every Python from 3.8 on reads it, so that a wheel is for all of them."""

SOURCES: Final = ("frameworks", "semantics", "model")
"""The folders of this package whose files decide what the packs are."""

KEPT: Final = 8
"""Compiled forms that are kept at most: each version and each Python has its own."""

INSTALLED_WITHIN: Final = 120 * 10**9
"""Nanoseconds. A file that is this much younger than the compiled form was changed, not installed with it."""


def shipped_packs(*, cached: bool = True) -> Packs:
    """The packs of this package, by way of the user's cache folder if that is wanted. Raises as `load_packs` does."""
    shipped = _shipped(PACKAGE)
    if shipped is not None:
        return shipped
    return _cached() if cached else packs.own_packs()


def write_shipped(target: Path) -> None:
    """Compile the packs into a file, with the names and sizes of all files that decide what they are."""
    found = packs.load_packs()
    with target.open("wb") as file:
        pickle.dump(_sizes(PACKAGE, _modules()), file, PROTOCOL)
        pickle.dump(found, file, PROTOCOL)


# --------------------------------------------------------------------------------------------------------- in the wheel
def _shipped(package: Path) -> Packs | None:
    """What was compiled when the wheel was built; None where that is missing, or was made of other files."""
    try:
        with (package / SHIPPED).open("rb") as file:
            sizes = pickle.load(file)  # noqa: S301 - a part of this package, as its modules are
            youngest = (package / SHIPPED).stat().st_mtime_ns + INSTALLED_WITHIN
            is_its_own = sizes == _sizes(package, tuple(name for name in sizes if name.endswith(".py")), youngest)
            found = pickle.load(file) if is_its_own else None  # noqa: S301
    except Exception:  # noqa: BLE001 - a file that was damaged raises anything
        return None
    return found if isinstance(found, packs.Packs) else None


def _modules() -> tuple[str, ...]:
    """The modules that were needed to read the packs, in this process, which did nothing else."""
    files = (getattr(module, "__file__", None) for module in tuple(sys.modules.values()))
    paths = (Path(file) for file in files if file)
    return tuple(sorted(path.relative_to(PACKAGE).as_posix() for path in paths if path.is_relative_to(PACKAGE)))


def _sizes(package: Path, modules: tuple[str, ...], youngest: int = sys.maxsize) -> dict[str, int]:
    """The size of each pack and of these modules; -1 for a file that is younger than it may be."""
    places = [*(package / "frameworks").iterdir(), *(package / name for name in modules)]
    found = ((path, path.stat()) for path in places)
    return {
        path.relative_to(package).as_posix(): state.st_size if state.st_mtime_ns <= youngest else -1
        for path, state in found
    }


# ----------------------------------------------------------------------------------------------- in the user's cache
def _cached() -> Packs:
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
    files = (look for folder in SOURCES for look in looks(PACKAGE / folder, (".toml", ".py")))
    return digest(sys.version, str(PACKAGE), *files)
