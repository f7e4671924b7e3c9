"""What A2A agents publish, do with their tasks, and send to their clients. Facts; detectors judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.protocols import AccessCheck, AgentCard
from agent_architecture.model.settings import ABSENT, Setting
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.sources.source import Span


class PublishedCard(NamedTuple):
    """A card that the project shows to others. `urls` are the addresses in it, with `?` for each part that cannot be
    read; `unread` says what of the card as a whole cannot be.
    """

    span: Span
    symbol: str
    framework: str
    card: AgentCard | None
    urls: tuple[str, ...] = ()
    newest: bool = False
    """It lists its interfaces, as cards do from version 1 on."""
    requires_security: bool = False
    """It says which of its security schemes a request has to meet."""
    pushes: bool | None = None
    """Whether its server can send push notifications; None where no server of it was found."""
    extends: bool | None = None
    """Whether its server has an extended card."""
    routed: bool | None = None
    """Whether it is found at its well-known address; False: at an older one alone, or nowhere."""
    signed: Span | None = None
    """Where code beside it signs it."""
    dated: bool = False
    """Its version of the protocol has cards name that version."""
    unread: str = ""


class TaskLife(NamedTuple):
    """What a project's executor does with a task. A `Span` is where that is seen; None: nothing of the kind."""

    span: Span
    symbol: str
    framework: str
    ends: bool | None = None
    """Whether every way through it that returns brings the task to an end, or to a question; None: it makes none."""
    left: Span | None = None
    """Where it returns without."""
    fails: Setting = ABSENT
    """Whether its library ends the task when it raises."""
    caught: bool = False
    """It does so itself: what it does stands in a `try` whose handlers end the task."""
    cancels: bool | None = None
    """Whether cancelling does anything; None where nobody can read it."""
    refused: bool = False
    """Cancelling raises."""
    strange: str = ""
    """A state that the protocol does not have."""
    after: Span | None = None
    """What is sent after the end."""


class TaskPoll(NamedTuple):
    """A loop that asks for a task until it is over: the states that end it, and whether anything else does."""

    span: Span
    symbol: str
    framework: str
    states: frozenset[str] = frozenset()
    limited: bool = False


class SentPush(NamedTuple):
    """Something that posts what becomes of a task to an address that a client named.

    `auth` is `authentication` (what the client asked for), `token` (what it gave along), or nothing.
    """

    span: Span
    symbol: str
    framework: str
    url_check: Setting = ABSENT
    auth: Setting = ABSENT
    unverified: Span | None = None
    """Where the certificate of the receiver is not checked."""


class ReceivedPush(NamedTuple):
    """A route that takes such posts. `check` is what it asks of a request; `plainly`: it compares a secret as any text;
    `expected`: it looks at which task is spoken of.
    """

    span: Span
    symbol: str
    framework: str
    check: AccessCheck | None = None
    plainly: bool = False
    expected: bool = False
