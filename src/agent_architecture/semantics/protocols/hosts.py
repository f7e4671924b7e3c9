"""Hosts of MCP servers: the entries of their configuration files, as the document rows of the packs describe them.

A row without a command and a URL at its place says something of all servers at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.protocols import HostConfig, Part, Parts
from agent_architecture.model.settings import Origin
from agent_architecture.semantics.matching.documents import entries
from agent_architecture.semantics.matching.properties import InDocument, of_node
from agent_architecture.semantics.protocols.connection import Place, connection
from agent_architecture.semantics.protocols.policies import joined, policies
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.model.protocols import McpClient
    from agent_architecture.semantics.matching.context import Context

KIND: Final = "mcp_client"


def host_configs(context: Context) -> tuple[HostConfig, ...]:
    """The files that tell hosts of servers, by path; an entry that two rows describe is read by the first."""
    found: dict[tuple[str, str], HostConfig] = {}
    read: set[int] = set()
    for row in context.packs.documents:
        if row.kind != KIND:
            continue
        for path, key, node in entries(context, row):
            if id(node) in read:
                continue
            source = InDocument(row, node, key)
            span = key.span if key is not None else node.span
            pack = row.where.pack
            config = found.get((path, pack)) or HostConfig(span, path.rpartition("/")[2], pack)
            client = _client(source, Place(span, _symbol(source, path), pack, span, configured=True))
            if client is not None:
                read.add(id(node))
                found[path, pack] = config._replace(clients=(*config.clients, client))
            elif not isinstance(node, ir.Map) and source.setting("approval").origin is not Origin.ABSENT:
                found[path, pack] = config._replace(approval=source.setting("approval"))
            elif isinstance(node, ir.List) and source.parts("allowed").origin is Origin.WRITTEN:
                found[path, pack] = config._replace(servers=_listed(node))
    for config in policies(context):
        place = config.span.path, config.framework
        found[place] = joined(found[place], config) if place in found else config
    return tuple(sorted(found.values(), key=lambda config: config.span))


def _client(source: InDocument, place: Place) -> McpClient | None:
    """The client of an entry; None where it says neither what to start nor where to connect."""
    if not isinstance(source.node, ir.Map):
        return None
    client = connection(source, place)
    nothing = client.command.origin is Origin.ABSENT and client.url.origin is Origin.ABSENT
    return None if nothing else client


def _listed(node: ir.List) -> Parts:
    """The servers of a list: by their names, or as objects that say which part of a server is meant."""
    items = [item for item in node.items if isinstance(item, ir.Literal)]
    inner = (entry.value for item in node.items if isinstance(item, ir.Map) for entry in item.entries)
    entries = tuple(Part("", of_node(item)) for item in (*items, *inner))
    return Parts(Origin.WRITTEN, entries, span=node.span)


def _symbol(source: InDocument, path: str) -> str:
    name = source.setting("name").value
    return str(name) if name else path.rpartition("/")[2]
