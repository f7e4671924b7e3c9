"""What goes along when an agent passes its work to another. Facts; detectors judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.settings import ABSENT, Setting
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.sources.source import Span


class HandedOver(NamedTuple):
    """Work that is passed to another agent, and what that one is told. `span` is the line that declares it, or the call
    that sends it to an agent elsewhere.
    """

    span: Span
    symbol: str
    framework: str
    history: Setting = ABSENT
    """How much of what was said before goes along: a word of `vocabulary.HISTORIES`."""
    filter: Setting = ABSENT
    """What takes something out of it; `False` where that gives back what it was given."""
    form: Setting = ABSENT
    """The declared form of what the one who passes it on adds."""
    alike: bool = False
    """Whether both are of this project and have the same tools."""
    related: tuple[Span, ...] = ()
    """Where that is decided."""
    confidence: Confidence = Confidence.HIGH
    listed: bool = False
    """Whether an agent itself lists to whom it may hand over: each of them is an edge of its own."""
