"""What the project's agents, tools, servers and clients prove themselves with, and who else gets it. Facts; detectors
judge. A secret itself is never part of an entity.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from agent_architecture.model.confidence import Confidence
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.sources.source import Span


class CredentialSource(StrEnum):
    """Where a credential comes from."""

    ENVIRONMENT = "environment"
    """A variable of the process that reads it."""
    STORE = "store"
    """A secret manager, a key ring, a person who is asked."""
    HOST = "host"
    """A reference in a configuration file, which its host fills in."""
    WRITTEN = "written"
    """It stands in the project."""
    LIBRARY = "library"
    """A library reads it by itself."""
    WHOLE_ENVIRONMENT = "whole_environment"
    """All variables of the process."""
    ARGUMENT = "argument"
    """A model gives it to a tool."""
    SCOPE = "scope"
    """What is asked for with it."""
    ACCOUNT = "account"
    """The account of whoever owns the whole server signs in with it."""


class Credential(NamedTuple):
    """A credential where it is read, written or handed over. `symbol` is its name, or what receives it."""

    span: Span
    symbol: str
    framework: str
    source: CredentialSource
    held: str = ""
    """The name that it is read into."""
    owner: str = ""
    """What it is handed to: a client, a tool, a server."""
    broad: str = ""
    """A scope or an account that leaves nothing out."""
    readers: tuple[str, ...] = ()
    """The tools that only read and use it; `changers` those that change something."""
    changers: tuple[str, ...] = ()
    open_endpoint: Span | None = None
    """A server that asks nobody who calls, whose tools use it."""
    stand_in: bool = False
    """What is written is a word that only stands in for one, and is taken where a variable is not set."""
    shown: Span | None = None
    """Where a model gets to see it."""
    confidence: Confidence = Confidence.HIGH
