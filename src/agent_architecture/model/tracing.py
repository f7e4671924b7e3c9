"""What records the work of agents: spans, instrumentors, callbacks. Facts; detectors judge."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import Origin, Setting
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.model.system import Tool
    from agent_architecture.sources.source import Span


class Extent(StrEnum):
    """How much of a piece of work a recording holds together."""

    WHOLE = "whole"
    STEPS = "steps"
    """Its requests to models, each by itself: nothing says which belong together."""
    SOME_WAYS = "some_ways"
    """The whole of it, on some of the ways on which it is reached."""


class Signal(StrEnum):
    """What is known of a run afterwards."""

    LATENCY = "latency"
    ERRORS = "errors"
    COST = "cost"


class Measured(NamedTuple):
    """A signal that code records of a run, and what records it."""

    signal: Signal
    by: str
    span: Span


OFF: Final = (False, None)
"""Every other written value switches on: a rate, an exporter, a list of processors (0 is False)."""


class Recording(NamedTuple):
    """Something that may record a piece of work. `enabled` is true, false or unknown; `by` names it, as the object of a
    sentence ("a span of trace(…)", "LANGSMITH_TRACING"); `why_not` says why it does nothing, as the rest of one.
    """

    by: str
    enabled: Setting
    span: Span | None = None
    why_not: str = ""
    extent: Extent = Extent.WHOLE
    signals: tuple[Signal, ...] = tuple(Signal)
    """What it says of the work: a span by hand says nothing of tokens."""
    convention: str = ""
    """How it names what it records (a word of `CONVENTIONS`); "" where its library says nothing of it."""
    events: str = ""
    """What it writes of each request beside spans (a word of `MODEL_EVENTS`); "" for nothing."""
    by_hand: bool = False
    """Whether it is a span that the project opens."""

    @property
    def is_on(self) -> bool:
        """Whether it is known to record."""
        return self.enabled.is_known and all(value not in OFF for value in self.enabled.values)

    @property
    def related(self) -> tuple[Span, ...]:
        """Where it stands, for who names it in a reason."""
        return () if self.span is None else (self.span,)

    @property
    def is_hidden(self) -> bool:
        """Whether it cannot be read if it records."""
        return self.enabled.origin is Origin.UNKNOWN


class WorkKind(StrEnum):
    """What is recorded."""

    SITE = "site"
    CALL = "call"
    TOOL = "tool"
    HANDOFF = "handoff"
    REMOTE = "remote"
    """A call to another machine that is no model's."""


class TracedWork(NamedTuple):
    """A piece of work of an agent, and all that may record it: its run, a request to a model, a tool, a handoff, a call
    to another machine.
    """

    span: Span
    symbol: str
    framework: str
    kind: WorkKind
    recordings: tuple[Recording, ...] = ()
    tool: Tool | None = None
    """The tool that it is."""
    measured: tuple[Measured, ...] = ()
    """What code by hand records of a run."""
    asked: tuple[Recording, ...] = ()
    """Of a loop by hand: the spans around its requests to models, each by itself."""
    also: tuple[Span, ...] = ()
    """Of a call to another machine: the other calls of the same service for the same agent."""


class PutAttribute(NamedTuple):
    """What is put on a span. `name` is in lower case with `_` for `.`, as constants of libraries spell it; `values` are
    those that can be read, names of constants by their last part.
    """

    name: str
    values: tuple[str, ...]
    span: Span


class GenAiSpan(NamedTuple):
    """A span that the project opens by hand for the work of agents. `names` are the constant beginnings of what it can
    be called; `work` is a word of `WORK`, as its library or what lies in it says; "" where neither does.
    """

    span: Span
    symbol: str
    framework: str
    work: str
    names: tuple[str, ...]
    convention: str
    """How its library names what is on it (a word of `CONVENTIONS`); "" where the project does."""
    attributes: tuple[PutAttribute, ...]
    hidden: str = ""
    """Where more attributes may come from, as the end of the sentence "it comes from …"."""
