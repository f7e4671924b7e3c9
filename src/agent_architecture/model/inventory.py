"""Which MCP servers a project starts and connects to, and who decides that. Facts; detectors judge."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from agent_architecture.model.settings import ABSENT, Setting
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.model.protocols import McpStart
    from agent_architecture.sources.source import Span


class Oddity(StrEnum):
    """What speaks against a server that a file or program lists."""

    CONFLICT = "conflict"
    """Another file of the same folder means another server by its name."""
    DUPLICATE = "duplicate"
    """Another file of the same folder lists it, too."""
    TEMPORARY = "temporary"
    """It is started from a folder that anybody writes to."""
    DEBUGGING = "debugging"
    """It is there to look into servers."""
    PERSONAL = "personal"
    """The file, or what it starts, belongs into one person's home."""


class Chooser(StrEnum):
    """Who decides where a connection leads, besides the project."""

    MODEL = "model"
    USER = "user"
    """Whoever sends a request, or types."""


class Remark(NamedTuple):
    """One oddity, with what shows it."""

    oddity: Oddity
    what: str
    span: Span | None = None


class Listed(NamedTuple):
    """A server, or a peer, that the project connects to. `unread` says where its address comes from, if that is not in
    the project; `limited` is where code lets only listed ones pass.
    """

    span: Span
    symbol: str
    framework: str
    remarks: tuple[Remark, ...] = ()
    chooser: Chooser | None = None
    unread: str = ""
    limited: Span | None = None


class Reach(NamedTuple):
    """A server of the project that is started for the network, and the address at which it listens. It stands at the
    call that opens the port; `at` is where the server itself is made ready, where that is another one.
    """

    span: Span
    symbol: str
    framework: str
    start: McpStart
    host: Setting = ABSENT
    at: Span | None = None
