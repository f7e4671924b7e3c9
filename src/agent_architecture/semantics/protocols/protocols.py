"""All that speaks MCP or A2A in a project, and the sites that it makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.protocols import EndpointRole
from agent_architecture.model.system import Site, SiteKind
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.adapters.mcp_toolbox import tools_files
from agent_architecture.semantics.agents.mcp_servers import server_sites
from agent_architecture.semantics.protocols.a2a import endpoints
from agent_architecture.semantics.protocols.cards import agent_cards
from agent_architecture.semantics.protocols.clients import code_clients
from agent_architecture.semantics.protocols.clients_by_hand import hand_written_clients
from agent_architecture.semantics.protocols.hosts import host_configs
from agent_architecture.semantics.protocols.servers_by_hand import hand_written_servers
from agent_architecture.semantics.protocols.starts import mcp_starts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.model.protocols import A2AEndpoint, AgentCard, HostConfig, McpClient, McpStart
    from agent_architecture.model.system import Subject
    from agent_architecture.semantics.matching.context import Context


class Protocols(NamedTuple):
    """What was found. `servers` and `clients` are sites in programs, `configured` those in the files of hosts."""

    servers: tuple[Site, ...]
    clients: tuple[Site, ...]
    configured: tuple[Site, ...]
    mcp_clients: tuple[McpClient, ...]
    mcp_starts: tuple[McpStart, ...]
    host_configs: tuple[HostConfig, ...]
    a2a_endpoints: tuple[A2AEndpoint, ...]
    agent_cards: tuple[AgentCard, ...]


def protocols(context: Context, agent_sites: tuple[Site, ...]) -> Protocols:
    """Servers, clients, hosts and agents; a line where an agent is run or exported is no second site."""
    taken = {(site.span.path, site.span.line) for site in agent_sites}
    clients = tuple(code_clients(context))
    configs = host_configs(context)
    configured = tuple(client for config in configs for client in config.clients)
    agents = tuple(endpoints(context))
    served = {role: [_site(agent, SiteKind.A2A) for agent in agents if agent.role is role] for role in EndpointRole}
    connected = [
        Site(found.site, found.symbol, found.client.framework, SiteKind.MCP_CLIENT, degree=found.degree)
        for found in clients
    ]
    written = (*server_sites(context), *hand_written_servers(context), *tools_files(context).sites)
    return Protocols(
        _once(taken, (*written, *served[EndpointRole.SERVER])),
        _once(taken, (*connected, *served[EndpointRole.CLIENT], *hand_written_clients(context))),
        _once(taken, (_site(client, SiteKind.MCP_CLIENT) for client in configured)),
        (*(found.client for found in clients), *configured),
        mcp_starts(context),
        configs,
        agents,
        tuple(agent_cards(context)),
    )


def _site(subject: Subject, kind: SiteKind) -> Site:
    return Site(subject.span, subject.symbol, subject.framework, kind)


def _once(taken: set[tuple[str, int]], sites: Iterable[Site]) -> tuple[Site, ...]:
    """One site a line, and none where there is one."""
    kept: dict[tuple[str, int], Site] = {}
    for site in sites:
        kept.setdefault((site.span.path, site.span.line), site)
    return tuple(site for line, site in kept.items() if line not in taken)
