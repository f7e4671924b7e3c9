"""Operations that change something outside and may be done a second time. Facts; detectors judge."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from agent_architecture.model.confidence import Confidence
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.model.effects import Effect
    from agent_architecture.model.system import Tool
    from agent_architecture.sources.source import Span


class Again(StrEnum):
    """What doing it twice leaves."""

    SAME = "same"
    """What doing it once does: it replaces, deletes, or sets values."""
    MORE = "more"
    """Something there twice: a message, a payment, an entry."""
    ANYTHING = "anything"
    """Whatever a model's command or program does."""
    UNKNOWN = "unknown"


class Repetition(NamedTuple):
    """Code that does it again by itself: `how` says what, as the subject of a sentence."""

    span: Span
    how: str


class Operation(NamedTuple):
    """One operation. `span` is the tool's definition; outside of tools, the call.

    `key` is what makes a second time harmless besides the operation's own kind: a key, a look for what was done before,
    a condition. `fresh` is a key that is made anew each time.
    """

    span: Span
    symbol: str
    framework: str
    effect: Effect
    again: Again
    key: Span | None = None
    key_name: str = ""
    fresh: Span | None = None
    repeated: tuple[Repetition, ...] = ()
    tool: Tool | None = None
    confidence: Confidence = Confidence.HIGH
