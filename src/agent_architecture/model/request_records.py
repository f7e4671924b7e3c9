"""What is written down of each request to a model, of failures around them, and of grades. Facts; detectors judge."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.model.tracing import Recording
    from agent_architecture.sources.source import Span


class Form(StrEnum):
    """How something is written down."""

    EVENT = "event"
    """As an event of the conventions, an exception on a span, an error that is sent to a service."""
    STRUCTURED = "structured"
    """As a record with fields."""
    MESSAGES = "messages"
    """As one event for each message, which was replaced since."""
    TEXT = "text"
    """As a line of text."""


class Written(NamedTuple):
    """A call that writes something down; `by` names it."""

    form: Form
    by: str
    span: Span


class ObservedKind(StrEnum):
    """What may be written down."""

    CALL = "call"
    RUN = "run"
    """A run of a library's agent, which asks the model by itself."""
    LOOP = "loop"
    """A loop or dispatch by hand that runs an agent: its requests stand for it where they are recorded."""
    HANDLER = "handler"
    """The handler of what goes wrong around a request or a run."""


class Observed(NamedTuple):
    """A request, run, loop or handler, with what traces it and what code by hand writes of it."""

    span: Span
    symbol: str
    framework: str
    kind: ObservedKind
    recordings: tuple[Recording, ...] = ()
    written: tuple[Written, ...] = ()
    raises: bool = False
    """Of a handler: whether it hands on what went wrong."""
