"""What stands between text that others wrote and the agent of a call site. Facts; detectors judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.confidence import Confidence
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.model.effects import Effect, Guard
    from agent_architecture.model.system import Site, Tool
    from agent_architecture.sources.source import Span


class Exposure(NamedTuple):
    """An agent call site that reads text which the project did not write. `origins` say whose (words of
    `vocabulary.ORIGINS`), the worst first; `source` is where that comes in.
    """

    span: Span
    symbol: str
    framework: str
    site: Site
    origins: tuple[str, ...]
    source: Span
    tools: tuple[Tool, ...] = ()
    """All that its models may call, in the steps of a graph, too."""
    mixed: Span | None = None
    """Where such text stands among the instructions, or others' text in a message of the user."""
    mixed_origin: str = ""
    mixed_slot: str = ""
    """The part of the conversation where it stands: a word of `outputs.Slot`."""
    sends: tuple[Effect, ...] = ()
    """What its code sends away of its own accord: mail, messages, payments, deployments."""
    asks: Span | None = None
    """Where a person is asked on the way."""
    by_text: bool = False
    """Whether the model asks for tools in its text, and the code reads them out of it."""
    screens: tuple[Guard, ...] = ()
    """What looks at the input before the model does."""
    filters: tuple[Guard, ...] = ()
    """What looks at the answer before it goes out."""
    hidden: str = ""
    """What of its guards cannot be read, as the end of the sentence "they come from …"."""
    confidence: Confidence = Confidence.HIGH
