"""Where an agent system decides, and what remembers what it decided. Facts; detectors judge."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from agent_architecture.model.confidence import Confidence
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.model.system import Tool
    from agent_architecture.model.tracing import Recording
    from agent_architecture.sources.source import Span


class DecisionKind(StrEnum):
    """What is decided."""

    CHOICE = "choice"
    """Which tool a model picks, and why it stops: of a site that runs an agent."""
    TRANSITION = "transition"
    """Where a graph goes on, and to whom an agent passes the work."""
    ROUTE = "route"
    """Where the work goes, by a label that a model is asked for."""
    OUTCOME = "outcome"
    """What came of it: a person's answer, a guard that trips, a tool that changes something outside."""


class DecisionPoint(NamedTuple):
    """A place where something is decided. `what` names the decision, as the subject of a sentence."""

    span: Span
    symbol: str
    framework: str
    kind: DecisionKind
    what: str
    recordings: tuple[Recording, ...] = ()
    """All that may record it: tracing, spans and logs that speak of it."""
    printed: Span | None = None
    """Where it is written to a terminal."""
    tool: Tool | None = None
    """The tool whose outcome it is."""
    confidence: Confidence = Confidence.HIGH
    """Medium where nothing that could be picked is seen: a loop by hand without a tool."""


class Deciding(StrEnum):
    """What a router decides by."""

    CODE = "code"
    """Numbers, flags, whether a tool was called: nothing that is a label."""
    MODEL = "model"
    """The label that a model answers with when the router asks it."""
    TEXT = "text"
    """Words that it looks for in a text."""
    STATE = "state"
    """A label in the state, and nobody can say here who put it there."""


class Router(NamedTuple):
    """A place that chooses where the work goes on among several ways."""

    span: Span
    symbol: str
    framework: str
    by: Deciding
    closed: bool = True
    """Whether it can only go to what is listed."""
    default: bool = True
    """Whether there is a way for everything else."""
    validated: bool = True
    """Whether the answer is checked against the labels before it is followed."""
    checked: bool = False
    """Whether confidence or privilege is asked for on the way."""
