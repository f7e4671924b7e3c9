"""The scanned tree as a whole, and the fixes that packs know. Facts; detectors judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.sources.source import Role

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_architecture.sources.source import Notice


class Dependency(NamedTuple):
    """A library that the project declares or locks. `version` is the one that its rules are read for."""

    name: str
    ecosystem: str
    version: str
    origin: str
    """`lock`, `manifest` (the newest known version that the range admits), `newest` (nothing says), in that order of
    trust."""
    path: str | None


class Project(NamedTuple):
    """The scanned tree as a whole. `roles` and `languages` count files."""

    roles: Mapping[Role, int]
    languages: Mapping[str, int]
    dependencies: tuple[Dependency, ...]
    judged_role: Role = Role.APP
    """The role whose files are judged: `example` when no application file has a site."""
    notices: tuple[Notice, ...] = ()


MADE_BY: Final = regex(r"<agent:([\w|]+)>")
"""Where a line of a pack makes the agent, with the calls that it may be made by: it fits code that uses one of them."""


class Fix(NamedTuple):
    """The line of code that closes a gap in one library; `detector` is a key."""

    detector: str
    framework: str
    ecosystem: str
    text: str
    parts: tuple[str, ...] = ()
    """What of the control it brings, where that is not all (keys of the detector's parts)."""
    files: frozenset[str] | None = None
    """The files whose version of the library has what it uses; None for all."""
