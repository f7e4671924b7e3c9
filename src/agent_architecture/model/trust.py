"""What holds the definitions of MCP servers to what was looked at: whose a server is, who compares, what changes them.

Facts; detectors judge.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.model.protocols import McpClient
    from agent_architecture.sources.source import Span


class ServerSource(StrEnum):
    """Where a client's server comes from."""

    OWN = "own"
    """It is a part of this repository."""
    FETCHED = "fetched"
    """Its command fetches it; `client.pinned` says how firmly it is chosen."""
    REMOTE = "remote"
    """Somebody runs it on another machine."""
    INSTALLED = "installed"
    """A program that is on the machine already, in a version that nothing here says."""
    UNREAD = "unread"


class ServerTrust(NamedTuple):
    """One connection to an MCP server, and what the client knows of it. `checked` is where the definitions that it
    tells are compared with those that were seen before.
    """

    span: Span
    symbol: str
    framework: str
    client: McpClient
    source: ServerSource
    what: str = ""
    """The package, file, address or reason, in the words of a sentence."""
    checked: Span | None = None


class ToolChange(NamedTuple):
    """Code by which a server's tools become others while it runs: it stands in what a client can call.

    `removes`: a tool is only taken away. `written`: what the new definition says is written in the project.
    """

    span: Span
    symbol: str
    framework: str
    removes: bool = False
    written: bool = True
