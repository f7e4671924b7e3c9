"""What the code of tools keeps from one call to the next. Facts; detectors judge."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.settings import ABSENT, Setting
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.model.system import Tool
    from agent_architecture.sources.source import Span


class Held(StrEnum):
    """What is kept."""

    CONTAINER = "container"
    """A list or mapping that calls add to."""
    CACHE = "cache"
    """Results that a library keeps."""
    HANDLE = "handle"
    """A connection, a program, a browser that stays open."""
    FILES = "files"
    """Files in a folder for passing things."""


class StateHolder(NamedTuple):
    """Something that a tool's code keeps between calls. `span` is where it is made; `bound` its size, `ttl` how long an
    entry lives, `cleans` what takes something out or closes it.
    """

    span: Span
    symbol: str
    framework: str
    held: Held
    tools: tuple[Tool, ...] = ()
    bound: Setting = ABSENT
    ttl: Setting = ABSENT
    cleans: Setting = ABSENT
    confidence: Confidence = Confidence.HIGH
