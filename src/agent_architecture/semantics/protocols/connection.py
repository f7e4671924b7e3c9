"""One connection to an MCP server, from wherever its properties stand, in the words of the model.

Spells transports alike, tells a command from a URL, and says how firmly what a command fetches is chosen.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Final

from agent_architecture.model.protocols import McpClient
from agent_architecture.model.settings import ABSENT, Origin, Setting, default, unknown, written
from agent_architecture.model.supply import Pin
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.manifests.install_commands import launched
from agent_architecture.semantics.matching.properties import readable

if TYPE_CHECKING:
    from agent_architecture.model.protocols import Parts
    from agent_architecture.model.settings import Scalar
    from agent_architecture.semantics.matching.properties import Source
    from agent_architecture.sources.source import Span

INSIDE: Final = "memory"
"""The transport to a server in the same process."""
TRANSPORTS: Final = (
    ("stdio", "stdio"), ("local", "stdio"), ("websocket", "websocket"), ("sse", "sse"), ("http", "http"),
    ("remote", "http"), ("inmemory", INSIDE),
)  # fmt: skip
"""What the spellings of transports contain, in small letters alone, and the words of the model for them."""


class Place(NamedTuple):
    """Where a client stands, what it is called, whose it is, and where it is opened."""

    span: Span
    symbol: str
    framework: str
    opened: Span
    configured: bool = False


def connection(source: Source, place: Place, *, name: str = "") -> McpClient:
    """The client whose properties `source` gives; `name` is the key under which it stands."""
    command, url = _parted(source.setting("command"), source.setting("url"))
    arguments = _behind(command, source.parts("arguments"))
    named = source.setting("name")
    return McpClient(
        *place,
        name=written(name, place.span) if name and named.origin is not Origin.WRITTEN else named,
        transport=_transport(source.setting("transport"), command, url),
        command=command,
        arguments=arguments,
        working_directory=source.setting("working_directory"),
        environment=source.parts("environment"),
        url=url,
        headers=source.parts("headers"),
        auth=source.setting("auth"),
        allowed=source.parts("allowed"),
        denied=source.parts("denied"),
        approval=source.setting("approval"),
        caches=source.setting("caches"),
        pinned=_pinned(command, arguments),
        prefix=source.setting("prefix"),
        time_limit=source.setting("time_limit"),
        disabled=source.setting("disabled"),
    )


def _behind(command: Setting, arguments: Parts) -> Parts:
    """The arguments of a program; some hosts write both in one list, the program first."""
    first = arguments.entries[0].value if arguments.entries else None
    is_program = first is not None and command.is_known and first.values == command.values
    return arguments._replace(entries=arguments.entries[1:]) if is_program else arguments


def _parted(command: Setting, url: Setting) -> tuple[Setting, Setting]:
    """Some libraries take both in one place: a text that cannot be a URL is a command."""
    command, url = readable(command), readable(url, names=False)
    texts = [value for value in url.values if isinstance(value, str)]
    if command is ABSENT and texts and not any("://" in text or text.startswith(("/", "$", "{")) for text in texts):
        return url, ABSENT
    return command, url


def _transport(said: Setting, command: Setting, url: Setting) -> Setting:
    if said.origin is not Origin.ABSENT:
        return said._replace(values=tuple(dict.fromkeys(spelled(v) for v in said.values if v is not None)))
    if command.origin is not Origin.ABSENT:
        return default("stdio", "its command")
    return ABSENT if url.origin is Origin.ABSENT else default("http", "its URL")


def spelled(value: Scalar) -> Scalar:
    """A transport in the words of the model: `streamable-http`, `StreamableHTTPClientTransport()` are `http`."""
    word = re.sub(r"[^a-z]", "", str(value).rpartition(":")[2].lower())
    return next((meaning for spelling, meaning in TRANSPORTS if spelling in word), value)


def _pinned(command: Setting, arguments: Parts) -> Setting:
    """How firmly the package is chosen that a command fetches before it starts it."""
    if command.origin is Origin.UNKNOWN:
        return unknown(command.source, command.span)
    text = command.value
    if not isinstance(text, str):
        return ABSENT
    argv: list[str | None] = [*_words(text)] if not arguments.entries else [text]
    argv += [_text(part.value) for part in arguments.entries]
    if not arguments.complete:
        argv.append(None)
    found = launched(argv)
    if found is None:
        return ABSENT
    if found.pin is Pin.UNKNOWN:
        return unknown("arguments that are computed", arguments.span)
    return written(found.pin.value, command.span, found.name) if command.span is not None else ABSENT


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def _text(setting: Setting) -> str | None:
    return setting.value if len(setting.values) == 1 and isinstance(setting.value, str) else None
