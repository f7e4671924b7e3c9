"""What an import can mean: a file or folder of the project, a library, or nothing.

Plain values, and the arithmetic of project-relative paths they rest on.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from typing import TypeAlias


class InProject(NamedTuple):
    """The module file at `path`."""

    path: str


class InFolder(NamedTuple):
    """A Python package without an `__init__.py`: only its submodules are in it. `path` is "" for the scanned root."""

    path: str


class Outside(NamedTuple):
    """Something of a library, by its API path: `py:langgraph.graph`, `npm:@openai/agents:`, `npm:openai:default`.

    The path of a whole npm module ends with its colon.
    """

    path: str

    def member(self, name: str) -> Outside:
        """What `name` is in this module or object."""
        return Outside(self.path + name if self.path.endswith(":") else f"{self.path}.{name}")


class Missing(NamedTuple):
    """A file of the project that is not there. `why` is a sentence without its full stop."""

    why: str


Target: TypeAlias = "InProject | InFolder | Outside | Missing"


def parent(path: str) -> str:
    """The folder that a path stands in; "" is the scanned root."""
    return path.rpartition("/")[0]


def ancestors(folder: str) -> tuple[str, ...]:
    """The folder and every folder above it, innermost first, up to the scanned root ""."""
    parts = folder.split("/") if folder else []
    return tuple("/".join(parts[:count]) for count in range(len(parts), -1, -1))


def join(folder: str, name: str) -> str:
    """A path inside a folder; the root and the empty name vanish."""
    return f"{folder}/{name}" if folder and name else folder or name


def within(folder: str, relative: str) -> str | None:
    """A relative path as seen from a folder, normalised; None if it leaves the scanned root."""
    path = posixpath.normpath(posixpath.join(folder, relative))
    if path == ".":
        return ""
    return None if path.startswith(("../", "/")) or path == ".." else path


def nearness(folder: str, other: str) -> int:
    """How many leading folders two folders share: the sort key of "the nearest one"."""
    shared = 0
    for mine, theirs in zip(folder.split("/"), other.split("/"), strict=False):
        if mine != theirs:
            break
        shared += 1
    return shared
