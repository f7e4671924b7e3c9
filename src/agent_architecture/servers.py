"""MCP servers and A2A agents, the project's own and those that it connects to, as a reader names them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from agent_architecture.model.protocols import EndpointRole
from agent_architecture.model.system import SiteKind
from agent_architecture.records import NamedTuple
from agent_architecture.sources.source import Span

if TYPE_CHECKING:
    from agent_architecture.model.settings import Setting
    from agent_architecture.model.system import AgentSystem

SERVED: Final = "served"
USED: Final = "used"
A2A: Final = "a2a"


class Server(NamedTuple):
    """An MCP server or A2A agent: the project's own (`role` is `served`), or one that it connects to (`used`).

    `target` is the host or the program, never an argument or a credential; "" where it cannot be read.
    """

    span: Span
    framework: str
    role: str
    name: str
    transport: str = ""
    target: str = ""


def servers_of(system: AgentSystem) -> Iterator[Server]:
    """All that is served, and all that is connected to and not switched off."""
    for site in system.sites:
        if site.kind is SiteKind.MCP_SERVER:
            yield Server(site.span, site.framework, SERVED, site.symbol)
    for client in system.mcp_clients:
        if client.disabled.values != (True,):
            name = _text(client.name) or client.symbol
            target = _host(client.url) or _text(client.command).replace("\\", "/").rpartition("/")[2]
            yield Server(client.span, client.framework, USED, name, _text(client.transport), target)
    for end in system.a2a_endpoints:
        role = SERVED if end.role is EndpointRole.SERVER else USED
        yield Server(end.span, end.framework, role, end.symbol, A2A, _host(end.url))


def _text(setting: Setting) -> str:
    return "" if setting.value is None else str(setting.value)


def _host(url: Setting) -> str:
    """The host that an address names, without its port and credentials."""
    try:
        return urlsplit(_text(url)).hostname or ""
    except ValueError:  # brackets that are no IPv6 address
        return ""
