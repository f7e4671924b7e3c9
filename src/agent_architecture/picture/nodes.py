"""The nodes of a picture: each thing of the system once, with what it does, what guards it, and what it is called."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, TypeVar

from agent_architecture.model.effects import Gate, Shaped
from agent_architecture.model.system import PROTOCOL_SITES, SiteKind
from agent_architecture.picture.parts import Check, Doing, Node, NodeKind
from agent_architecture.records import NamedTuple
from agent_architecture.servers import A2A, SERVED, servers_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from agent_architecture.model.effects import Effect, Guard
    from agent_architecture.model.exposure import Exposure
    from agent_architecture.model.system import Agent, AgentSystem, Site, Subject, Tool
    from agent_architecture.servers import Server
    from agent_architecture.sources.source import Span

KINDS: Final = {
    SiteKind.RUN: NodeKind.RUN,
    SiteKind.EXPORTED_GRAPH: NodeKind.EXPORTED_GRAPH,
    SiteKind.HAND_WRITTEN_LOOP: NodeKind.LOOP,
    SiteKind.DISPATCH: NodeKind.DISPATCH,
    SiteKind.TOOLKIT: NodeKind.TOOLKIT,
}
QUIET: Final = frozenset({"log", "environment"})
"""Effects that nearly every program has: drawn, they would hide the others."""
APPROVAL: Final = "approval"
SHAPES: Final = (Shaped.NOT, Shaped.UNKNOWN, Shaped.PARTLY, Shaped.WHOLLY)

Key = tuple[str, "Span", str]
"""What an entity is found by: what it is, where it stands, what it is called."""
_T = TypeVar("_T", "Site", "Agent", "Tool")


class Drawn(NamedTuple):
    """All nodes by place, and the node of each entity by its key."""

    nodes: tuple[Node, ...]
    ids: Mapping[Key, str]

    def of(self, entity: Site | Agent | Tool) -> str:
        """The id of an entity's node."""
        return self.ids[key_of(entity)]


def key_of(entity: Site | Agent | Tool) -> Key:
    """What an entity is found by. Entities refer to each other; to compare them whole would compare the system."""
    return type(entity).__name__, entity.span, getattr(entity, "name", entity.symbol)


def nodes_of(system: AgentSystem) -> Drawn:
    """The nodes of a system, those that are only referred to included."""
    made = [*_entities(system), *_others(system), *_sources(system.exposures)]
    unique = dict(reversed(made))  # the first one of a key stays
    ordered = sorted(unique.items(), key=lambda item: (item[1].span, item[1].kind, item[1].name, item[0]))
    seen: Counter[str] = Counter()
    nodes, ids = [], {}
    for key, node in ordered:
        stem = f"{node.kind}:{node.span.path}:{node.span.line}:{node.span.col}"
        seen[stem] += 1
        named = stem if seen[stem] == 1 else f"{stem}:{seen[stem]}"
        nodes.append(node._replace(id=named))
        ids[key] = named
    return Drawn(tuple(nodes), ids)


def _entities(system: AgentSystem) -> Iterator[tuple[Key, Node]]:
    sites = [site for site in system.sites if site.kind not in PROTOCOL_SITES]
    ends = (agent for edge in system.handoffs for agent in (edge.source, edge.target))
    agents = _once((*system.agents, *(agent for site in sites for agent in site.agents), *ends))
    bound = (*(tool for agent in agents for tool in agent.tools), *(tool for site in sites for tool in site.tools))
    tools = _once((*system.tools, *bound))
    own: dict[Span, list[Effect]] = {}
    for touch in system.touches:
        if touch.site is not None:
            own.setdefault(touch.site.span, []).append(touch.effect)
    fed: dict[Span, set[str]] = {}
    for flow in system.untrusted_flows:
        if flow.fed:
            fed.setdefault(flow.span, set()).add(flow.origin)
    yield from ((key_of(site), _site(site, own.get(site.span, ()))) for site in sites)
    yield from ((key_of(agent), _agent(agent)) for agent in agents)
    yield from ((key_of(tool), _tool(tool, fed.get(tool.span, ()))) for tool in tools)


def _once(entities: Iterable[_T]) -> tuple[_T, ...]:
    """Each of some sites, agents or tools once."""
    return tuple({key_of(entity): entity for entity in entities}.values())


def _node(kind: NodeKind, entity: Subject, name: str = "") -> Node:
    return Node("", kind, name or entity.symbol, entity.span, entity.framework)


def _site(site: Site, effects: Iterable[Effect]) -> Node:
    return _node(KINDS[site.kind], site)._replace(degree=site.degree, does=doings(effects))


def _agent(agent: Agent) -> Node:
    return _node(NodeKind.AGENT, agent)._replace(degree=agent.degree, checks=tuple(map(check_of, agent.guards)))


def _tool(tool: Tool, origins: Iterable[str]) -> Node:
    checks = (*map(check_of, tool.guards), *approvals(tool.gate))
    parameters = (f"parameters: {', '.join(tool.parameters)}",) if tool.parameters else ()
    made = _node(NodeKind.TOOL, tool, tool.name)._replace(degree=tool.degree, does=doings(tool.effects))
    return made._replace(checks=checks, notes=parameters, origins=tuple(sorted(origins)))


def doings(effects: Iterable[Effect]) -> tuple[Doing, ...]:
    """The kinds of effect in the order of their names, each at the place where a model decides most of one."""
    most: dict[str, Effect] = {}
    for effect in sorted(effects, key=lambda one: (one.kind, -SHAPES.index(one.shaped), one.span)):
        if not effect.is_record and effect.kind not in QUIET:
            most.setdefault(effect.kind, effect)
    return tuple(doing_of(effect) for effect in most.values())


def doing_of(effect: Effect) -> Doing:
    """One effect as a node shows it."""
    return Doing(effect.kind, effect.shaped, effect.span, effect.symbol)


def check_of(guard: Guard) -> Check:
    """A guard as a node or an edge shows it; one that lets everything pass when it fails does not block."""
    return Check(guard.symbol, guard.stage, guard.blocks and not guard.fails_open, guard.span)


def approvals(gate: Gate) -> Iterator[Check]:
    """The person who is asked, if any."""
    if gate.inside is not None:
        yield Check("a person approves", APPROVAL, not gate.conditional, gate.inside)
    elif set(gate.approval.values) & {"always", "conditional"}:
        yield Check("a person approves", APPROVAL, gate.always, gate.approval.span)


# --------------------------------------------------------------------------------------------- servers, memories, texts
def _others(system: AgentSystem) -> Iterator[tuple[Key, Node]]:
    for server in servers_of(system):
        yield ("server", server.span, server.name), _server(server)
    for memory in system.memories:
        node = _node(NodeKind.MEMORY, memory)
        yield ("memory", memory.span, memory.symbol), node._replace(notes=(f"keeps {memory.holds}",))
    taken = {agent.span for agent in system.agents} | {site.span for site in system.sites}
    for router in system.routers:
        if router.span not in taken:
            node = _node(NodeKind.ROUTER, router)
            yield ("router", router.span, router.symbol), node._replace(notes=(f"decides by {router.by}",))


def _server(server: Server) -> Node:
    used = NodeKind.MCP_SERVER if server.role == SERVED else NodeKind.MCP_CLIENT
    role = f"{server.role} here" if server.role == SERVED else "elsewhere"
    notes = filter(None, (role if server.transport == A2A else server.transport, server.target))
    kind = NodeKind.PEER if server.transport == A2A else used
    return Node("", kind, server.name, server.span, server.framework, notes=tuple(notes))


def _sources(exposures: Sequence[Exposure]) -> Iterator[tuple[Key, Node]]:
    """One for what reaches the runs of a file alike: what a tool brings in is said at the tool."""
    for exposure in exposures:
        origins = foreign(exposure)
        if origins:
            yield source_key(exposure), Node("", NodeKind.SOURCE, "text of others", exposure.span, origins=origins)


def foreign(exposure: Exposure) -> tuple[str, ...]:
    """Whose text reaches a run by itself, the worst first."""
    return tuple(origin for origin in exposure.origins if origin != "tool")


def source_key(exposure: Exposure) -> Key:
    """What the node of such texts is found by: one in each file of runs for the same origins."""
    nowhere = exposure.span._replace(line=0, col=0, end_line=0, end_col=0)
    return "source", nowhere, " ".join(foreign(exposure))
