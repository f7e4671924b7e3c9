"""How the parts of an agent get onto a machine: packages, servers, images, models, prompts. Facts; detectors judge."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.sources.source import Span


class Pin(StrEnum):
    """How firmly a version is chosen, loosest first."""

    FLOATING = "floating"
    """Whatever is newest: no version, `latest`, a branch, a URL without a digest."""
    RANGE = "range"
    TAG = "tag"
    """An image's tag: it can be moved."""
    EXACT = "exact"
    """One version, without a digest."""
    DIGEST = "digest"
    """A digest, a hash, a commit."""
    UNKNOWN = "unknown"


class InstallItem(NamedTuple):
    """One thing that an install path brings in. `serves` says whether the agent needs it.

    `locked` is the version that a lock file of the project has of it, "" where none has; `written` is where a manifest
    asks for it, where that is not at `span`.
    """

    name: str
    pin: Pin
    span: Span
    serves: bool = True
    locked: str = ""
    written: Span | None = None


class InstallPath(NamedTuple):
    """One way in which software arrives: a lock file, a requirements file, a Dockerfile, a launch command, a model
    load.
    """

    span: Span
    symbol: str
    framework: str
    kind: str
    """`lock`, `manifest`, `dockerfile`, `workflow`, `launch`, `notebook`, `images`, `script`, `model`,
    `dataset`, `tool`, `prompt`, `skill`, `run time`."""
    items: tuple[InstallItem, ...] = ()
