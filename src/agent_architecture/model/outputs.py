"""Where text goes: what a model wrote to what acts on it, and what others wrote to a model. Facts; detectors judge."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from agent_architecture.model.confidence import Confidence

if TYPE_CHECKING:
    from agent_architecture.sources.source import Span


class Consumer(StrEnum):
    """What acts on a model's output."""

    PARSE = "parse"
    EFFECT = "effect"
    RENDER = "render"
    STORE = "store"
    BRANCH = "branch"
    DISPLAY = "display"


class Validation(StrEnum):
    """What checks a model's output before it is used."""

    NONE = "none"
    FALLS_THROUGH = "falls_through"
    """A check whose failure does not stop the use."""
    SHAPE_ASKED = "shape_asked"
    """The model is asked for a shape; nothing checks that it kept to it."""
    CHECKED = "checked"
    """Code of the project looks at it and can refuse it; no schema covers it."""
    ENFORCED = "enforced"
    UNKNOWN = "unknown"
    """A schema may be set where it cannot be read."""


class ModelOutput(NamedTuple):
    """One use of what a model wrote. `span` is the place of the use."""

    span: Span
    symbol: str
    framework: str
    consumer: Consumer
    validation: Validation
    source: Span
    trail: tuple[Span, ...] = ()
    confidence: Confidence = Confidence.HIGH


class Slot(StrEnum):
    """Which part of a conversation a text enters."""

    SYSTEM = "system"
    USER = "user"
    TOOL = "tool"
    ASSISTANT = "assistant"


class Boundary(StrEnum):
    """What marks untrusted text as such."""

    NONE = "none"
    DELIMITED = "delimited"
    SANITISED = "sanitised"


class UntrustedFlow(NamedTuple):
    """Text that others wrote enters a conversation. `origin` is a word of `vocabulary.ORIGINS`."""

    span: Span
    symbol: str
    framework: str
    origin: str
    slot: Slot
    boundary: Boundary
    source: Span
    confidence: Confidence = Confidence.HIGH
