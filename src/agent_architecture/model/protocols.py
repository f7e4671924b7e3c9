"""Who speaks MCP and A2A: clients of MCP servers, the hosts that are told of them, A2A agents and their clients.

Facts; detectors judge. What is written as a list or a mapping (arguments, headers, variables) is `Parts`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import ABSENT, Origin, Setting
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.model.effects import Guard
    from agent_architecture.model.system import Tool
    from agent_architecture.sources.source import Span


class Part(NamedTuple):
    """One entry of a list or mapping; `name` is the key: a header, a variable ("" in a list). The value may be a
    secret: a reason never shows it. `optional`: on some ways it is not there.
    """

    name: str
    value: Setting
    optional: bool = False


class Parts(NamedTuple):
    """A list or mapping that belongs to a property.

    `complete` is False when more may be in it than `entries` say; `whole_environment` says that all variables of the
    process that writes it are. A property that is written as something else (a function, a text) has no entries, and
    is not complete.
    """

    origin: Origin = Origin.ABSENT
    entries: tuple[Part, ...] = ()
    complete: bool = True
    whole_environment: bool = False
    span: Span | None = None


NO_PARTS: Final = Parts()


class McpClient(NamedTuple):
    """A connection to one MCP server: in code, or an entry of a host's configuration.

    `span` is the entry, or the call that makes the session; `opened` is the call that opens it, where verdicts on
    transport and authentication stand.
    """

    span: Span
    symbol: str
    framework: str
    opened: Span
    configured: bool = False
    """Whether it is an entry of a configuration file, not of a program."""
    name: Setting = ABSENT
    transport: Setting = ABSENT
    """`stdio`, `http`, `sse`, `websocket`, or `memory` where the server is in the same process."""
    command: Setting = ABSENT
    arguments: Parts = NO_PARTS
    working_directory: Setting = ABSENT
    environment: Parts = NO_PARTS
    url: Setting = ABSENT
    headers: Parts = NO_PARTS
    auth: Setting = ABSENT
    allowed: Parts = NO_PARTS
    """The tools that it takes, where not all."""
    denied: Parts = NO_PARTS
    approval: Setting = ABSENT
    caches: Setting = ABSENT
    """Whether it keeps the definitions of tools."""
    pinned: Setting = ABSENT
    """How firmly the package that its command fetches is chosen, as a word of `supply.Pin`; ABSENT where nothing is
    fetched."""
    prefix: Setting = ABSENT
    """What it puts before the names of tools, so that those of two servers do not collide."""
    time_limit: Setting = ABSENT
    disabled: Setting = ABSENT
    signs_in: bool = False
    """Whether it gets its credential by OAuth, in code."""
    resource: Setting = ABSENT
    """Of a client that does: the server that its tokens are asked for."""


class ServedInside(NamedTuple):
    """A tool of the project's own MCP server that a client calls for an agent, in the same process or in one that it
    starts. `span` and `symbol` are the tool's, `client` is where the client is made.
    """

    span: Span
    symbol: str
    framework: str
    tool: Tool
    client: Span
    started: bool = False
    """Whether the client starts the server as a process, and its results come back by its calls alone."""


class HostConfig(NamedTuple):
    """A file that tells a host: of MCP servers, of what its tools may do without asking, of where commands run.
    `approval` is what it says of all servers at once.
    """

    span: Span
    symbol: str
    framework: str
    clients: tuple[McpClient, ...] = ()
    approval: Setting = ABSENT
    servers: Parts = NO_PARTS
    """The servers that may be connected to at all, by name, command or address; absent where any may."""
    mode: Setting = ABSENT
    """Whether a person is asked before a tool runs: `always`, `conditional`, `never`; `refused`: what no rule allows is
    not run.
    """
    asked: Parts = NO_PARTS
    """The tools that it asks for, `unasked` those that it does not ask for, as rules in the host's own words."""
    unasked: Parts = NO_PARTS
    allowed: Parts = NO_PARTS
    """The tools that there are, where not all."""
    denied: Parts = NO_PARTS
    isolation: Setting = ABSENT
    """Where commands run: a word of `vocabulary.ISOLATIONS`."""
    network: Setting = ABSENT
    guards: tuple[Guard, ...] = ()


class Proof(StrEnum):
    """What a request has to bring so that a check lets it pass."""

    TOKEN = "token"  # noqa: S105 - a word
    """A token, key or session of its own, which is verified."""
    SHARED = "shared"
    """One key that all callers have."""
    ANY = "any"
    """Something, whatever it says."""
    UNKNOWN = "unknown"


class AccessCheck(NamedTuple):
    """Something in front of a server that turns requests away which bring no valid credential."""

    span: Span
    symbol: str
    framework: str
    proof: Proof
    conditional: bool = False
    """Whether it is only there under a condition."""
    audience: Setting = ABSENT
    """Whom a token has to be meant for."""
    signature: Setting = ABSENT
    """Whether it is checked who issued a token, where the code says so."""
    verifies: bool = False
    """Whether code of the project asks a library to verify a token."""


class ForwardedToken(NamedTuple):
    """A credential that a caller of the project's server sent, in a request that the server makes elsewhere."""

    span: Span
    symbol: str
    framework: str
    source: Span


class McpInput(NamedTuple):
    """A header, variable or option that a file which describes a server asks of whoever installs it."""

    span: Span
    symbol: str
    framework: str
    required: Setting = ABSENT
    secret: Setting = ABSENT
    value: Setting = ABSENT
    """What it is without being asked."""


class McpStart(NamedTuple):
    """How a server of the project is started, or where it is reached: a call, or a place of a file about it."""

    span: Span
    symbol: str
    framework: str
    configured: bool = False
    """Whether it stands in a file, not in a program."""
    transport: Setting = ABSENT
    """In the words of `McpClient.transport`."""
    host: Setting = ABSENT
    port: Setting = ABSENT
    path: Setting = ABSENT
    url: Setting = ABSENT
    """Where somebody runs it already."""
    auth: Setting = ABSENT
    command: Setting = ABSENT
    arguments: Parts = NO_PARTS
    environment: Parts = NO_PARTS
    registry: Setting = ABSENT
    """Where its package is published: `npm`, `pypi`, `oci`, `mcpb` …"""
    package: Setting = ABSENT
    version: Setting = ABSENT
    pinned: Setting = ABSENT
    """How firmly the package is chosen, as a word of `supply.Pin`."""
    inputs: tuple[McpInput, ...] = ()
    checks: tuple[AccessCheck, ...] = ()
    """What a request passes before it reaches the server, where it is started in a program."""


class AgentCard(NamedTuple):
    """What an A2A agent says of itself, in code or in a file."""

    span: Span
    symbol: str
    framework: str
    name: Setting = ABSENT
    description: Setting = ABSENT
    url: Setting = ABSENT
    version: Setting = ABSENT
    protocol_version: Setting = ABSENT
    provider: Setting = ABSENT
    preferred_transport: Setting = ABSENT
    extended: Setting = ABSENT
    skills: Parts = NO_PARTS
    capabilities: Parts = NO_PARTS
    security_schemes: Parts = NO_PARTS
    security: Parts = NO_PARTS
    signatures: Parts = NO_PARTS
    input_modes: Parts = NO_PARTS
    output_modes: Parts = NO_PARTS
    interfaces: Parts = NO_PARTS


class TaskExecutor(NamedTuple):
    """What carries out the tasks of an A2A agent: its class, or the object that is given."""

    span: Span
    symbol: str
    framework: str


class TaskStore(NamedTuple):
    """Where an A2A agent keeps its tasks."""

    span: Span
    symbol: str
    framework: str
    durable: Setting = ABSENT
    location: Setting = ABSENT


class PushSender(NamedTuple):
    """What sends push notifications to the URLs that clients name."""

    span: Span
    symbol: str
    framework: str
    url_check: Setting = ABSENT
    auth: Setting = ABSENT


class EndpointRole(StrEnum):
    """The side of the A2A protocol that an endpoint is on."""

    SERVER = "server"
    CLIENT = "client"


class A2AEndpoint(NamedTuple):
    """An A2A agent that the project serves, or a connection to one elsewhere. `span` is its constructor."""

    span: Span
    symbol: str
    framework: str
    role: EndpointRole
    url: Setting = ABSENT
    path: Setting = ABSENT
    auth: Setting = ABSENT
    time_limit: Setting = ABSENT
    polling: Setting = ABSENT
    validates_input: Setting = ABSENT
    url_check: Setting = ABSENT
    """What it checks the URLs with that clients want to be called back at."""
    card: AgentCard | None = None
    executor: TaskExecutor | None = None
    store: TaskStore | None = None
    push: PushSender | None = None
