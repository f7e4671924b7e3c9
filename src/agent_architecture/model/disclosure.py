"""Secrets, personal data and conversations, and what they come out in. Facts; detectors judge."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.settings import ABSENT, Setting
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.sources.source import Span


class Kept(StrEnum):
    """What should stay where it is."""

    SECRET = "secret"  # noqa: S105 - a word
    PERSONAL = "personal"
    """What says something of a person: a number of an account, an address."""
    TALK = "talk"
    """What was said to a model and by it, and what tools are given and return."""


class Sink(StrEnum):
    """Where it comes out."""

    CODE = "code"
    """It is written in the project itself."""
    PROMPT = "prompt"
    RESULT = "result"
    """What a tool returns to a model."""
    ARGUMENT = "argument"
    """What a model gives to a tool."""
    RESPONSE = "response"
    """What a route answers to whoever asks."""
    LOG = "log"
    TRACE = "trace"
    MEMORY = "memory"
    CLIENT = "client"
    """Nowhere but in what it is for."""


class Disclosure(NamedTuple):
    """One place where something comes out, or is seen not to. `span` is the literal, the read, or the sink; `name` what
    it is called.
    """

    span: Span
    symbol: str
    framework: str
    kept: Kept
    sink: Sink
    name: str = ""
    redacted: bool = False
    """Whether something takes it out, masks it, or shortens it to a few signs."""
    captures: Setting = ABSENT
    """Of a tracer: whether it records what is said."""
    redacts: Setting = ABSENT
    """Of a tracer: what takes secrets and personal data out."""
    source: Span | None = None
    trail: tuple[Span, ...] = ()
    confidence: Confidence = Confidence.HIGH
    begun: tuple[Span, ...] = ()
    """Of a secret: where what is disclosed comes from in the end, such as the reads of variables."""
