"""What tools and calls to the outside hand to a model, and what stands between. Facts; detectors judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agent_architecture.model.confidence import Confidence

if TYPE_CHECKING:
    from agent_architecture.model.system import Tool
    from agent_architecture.sources.source import Span


class ToolResult(NamedTuple):
    """What one tool returns, or one call of other code to the outside whose answer a model reads. Spans say where a
    thing stands; None: nowhere.
    """

    span: Span
    symbol: str
    framework: str
    tool: Tool | None = None
    """None for a call in other code."""
    readable: bool = True
    """Whether the code that makes the result is the project's and was found."""
    hidden: str = ""
    """A call of a library that nothing is known of and whose result is part of it."""
    plain: bool = False
    """Whether it is a flag, a number or one of some constants."""
    foreign: Span | None = None
    """Where text of unknown size and shape comes into it: a page, a file, a query, a process."""
    declared: bool = False
    """Whether its type is declared, and more than text or anything."""
    shape: Span | None = None
    """What fixes its shape: a declared type, a check, keys that the code itself writes."""
    silent: Span | None = None
    """A call in it that answers where what it asks for fails."""
    errors: Span | None = None
    """What tells a failed answer of such a call from a good one."""
    size: Span | None = None
    """What bounds its size."""
    confidence: Confidence = Confidence.HIGH
