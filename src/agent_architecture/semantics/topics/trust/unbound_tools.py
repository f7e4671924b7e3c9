"""Whose agents call a tool: the project's own, or those of a host that the project only serves.

A bare server and a toolkit have no agent here: what their tools answer, and how often they are called, is judged where
the agent lives. One answer for all sheets that ask.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.select import imported
from agent_architecture.semantics.agents.mcp_listed import HANDLER
from agent_architecture.semantics.agents.toolkits import Takers, toolkits
from agent_architecture.semantics.topics.trust.server_trust import used_servers
from agent_architecture.sources.source import Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agent_architecture.model.system import Binding, Site
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.protocols.protocols import Protocols
    from agent_architecture.sources.source import Span


def unbound_tools(
    context: Context, agents: Agents, sites: Sequence[Site], bindings: Iterable[Binding], spoken: Protocols
) -> tuple[tuple[Site, ...], frozenset[int]]:
    """The toolkits of a project, and the ids of the tools that only a host's agents call."""
    apart = _beside(context.program, sites)
    taken = frozenset(_taken(context.program, agents, sites, bindings, apart))
    handlers = (m for m in context.of_kind("tool") if m.row.constants.get("name") == HANDLER)
    servers = frozenset(match.node.span.path for match in handlers)
    kits = toolkits(context, agents, (*sites, *spoken.servers), Takers(taken, servers, apart))
    used = used_servers(context, spoken.mcp_clients, {site.span.path for site in spoken.servers})
    bare = servers - used
    if not sites:  # what a server's file imports, and no agent can take, is the server's
        serving = {site.span.path for site in spoken.servers} - used
        bare |= imported(context.program.exports.specifiers, serving)
    return kits, _hosted(agents, taken, kits, bare, used)


def _taken(
    program: Program, agents: Agents, sites: Sequence[Site], bindings: Iterable[Binding], apart: frozenset[Role]
) -> Iterator[Span]:
    """Where the tools stand that some agent of the project is seen to take: an agent of an example or a test takes none
    of the application's, where that has agents of its own.
    """
    takers = [(site.span.path, site.tools) for site in sites]
    takers += [(agent.span.path, agent.tools) for agent in agents.agents]
    takers += [(binding.span.path, (binding.tool,)) for binding in bindings]
    for path, tools in takers:
        role = _role(program, path)
        yield from (tool.span for tool in tools if role not in apart or role is _role(program, tool.span.path))


def _beside(program: Program, sites: Iterable[Site]) -> frozenset[Role]:
    """The roles of files that only show or try the application: of tests alone, where only examples run an agent."""
    roles = {_role(program, site.span.path) for site in sites}
    return frozenset({Role.EXAMPLE, Role.TEST}) if roles & {Role.APP, Role.CONFIG} else frozenset({Role.TEST})


def _role(program: Program, path: str) -> Role:
    file = program.table.file(path)
    return Role.APP if file is None else file.role


def _hosted(
    agents: Agents, taken: frozenset[Span], kits: Iterable[Site], bare: frozenset[str], used: frozenset[str]
) -> frozenset[int]:
    """The ids of tools that only a host's agents call: those of toolkits (`kits`), and those of servers that no program
    of the project connects to (`bare` are the files of such servers, `used` those of the others).
    """
    kept = {tool.span for kit in kits for tool in kit.tools}
    handlers = (tool for tool in agents.known_tools() if tool.name == HANDLER)  # they run what their servers list
    return frozenset(
        id(tool)
        for tool in (*agents.all_tools(), *handlers)
        if tool.span not in taken
        and (tool.span in kept or tool.span.path in bare or _is_of_bare_server(tool.annotations, tool.span, used))
    )


def _is_of_bare_server(annotations: object, span: Span, used: frozenset[str]) -> bool:
    return annotations is not None and span.path not in used
