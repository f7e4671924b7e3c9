"""What tools and calls to the outside hand to a model, and what stands between. Facts; detectors judge."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from agent_architecture.model.confidence import Confidence
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.model.system import Tool
    from agent_architecture.sources.source import Span


class OutputSchema(StrEnum):
    """What a tool's server says of the results of that tool."""

    NONE = "none"
    ANYTHING = "anything"
    """A type that holds whatever is put into it."""
    CONTENT = "content"
    """Blocks of content, whatever they say."""
    SHAPED = "shaped"
    """Fields, or what each element is."""
    UNKNOWN = "unknown"


class ServedResult(NamedTuple):
    """What a tool of an MCP server answers with. `records` is where data with parts is put into it."""

    span: Span
    symbol: str
    framework: str
    tool: Tool
    schema: OutputSchema = OutputSchema.NONE
    declared_at: Span | None = None
    records: Span | None = None
    maker: str = ""
    """What makes a text of the records: `json.dumps`; "" where they are handed on as they are."""
    structured: bool = False
    """Whether they are sent as data, too."""
    switched_off: bool = False
    """Whether the project tells its server to send texts alone."""
    written: bool = False
    """Whether the schema is written, and not made of a declared type."""
    plain: bool = False
    """Whether all that it answers is a text of the project's or says whether something was done."""
    readable: bool = True
    located: bool = True
    """Whether the code that runs the tool is the project's and was found."""
    hidden: str = ""
    """A call of a library that nothing is known of and whose result is part of it."""
    confidence: Confidence = Confidence.HIGH


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
    awaited: str = ""
    """A call whose answer code waits for and that is part of it, on what nobody can tell."""
    plain: bool = False
    """Whether it is a flag, a number or one of some constants."""
    foreign: Span | None = None
    """Where text of unknown size and shape comes into it: a page, a file, a query, a process."""
    collected: Span | None = None
    """Where what the project computes is put together of any number of things."""
    spelled: Span | None = None
    """Where records of the project's own are made a text."""
    echoed: Span | None = None
    """What of a text of the project's own a model wrote, as long as it liked."""
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
