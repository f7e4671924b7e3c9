"""The edges of a picture: who runs, calls, hands over to and serves whom, and what stands in between.

What the model ties together is an edge of that degree. What it does not, and what stands alone in the file of exactly
one agent or run, is tied to that by a guess, and drawn as one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree, weakest
from agent_architecture.model.graph import binds
from agent_architecture.model.system import PROTOCOL_SITES, Confidence, SiteKind
from agent_architecture.picture.nodes import approvals, check_of, key_of, source_key
from agent_architecture.picture.parts import Edge, EdgeKind, NodeKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Agent, AgentSystem, Binding, Site, Tool
    from agent_architecture.picture.nodes import Drawn, Key
    from agent_architecture.picture.parts import Check, Node
    from agent_architecture.sources.source import Span

DEGREES: Final = dict(zip(Confidence, Degree, strict=True))
"""How a text is known to arrive, from how sure its verdicts are."""
GUESSED_BY: Final = {
    NodeKind.MCP_CLIENT: EdgeKind.CONNECTS,
    NodeKind.PEER: EdgeKind.CONNECTS,
    NodeKind.MEMORY: EdgeKind.REMEMBERS,
    NodeKind.ROUTER: EdgeKind.ROUTES,
}
ACTORS: Final = (
    frozenset({NodeKind.AGENT}),
    frozenset({NodeKind.RUN, NodeKind.LOOP, NodeKind.EXPORTED_GRAPH, NodeKind.DISPATCH}),
)
"""Who may be meant by what stands alone in a file, agents before runs."""


def edges_of(system: AgentSystem, drawn: Drawn) -> tuple[Edge, ...]:
    """The edges between the nodes, each once, by their ends."""
    known: dict[tuple[str, str], Edge] = {}
    for edge in (*_stated(system, drawn), *_placed(system, drawn)):
        ends = edge.source, edge.target
        if edge.source != edge.target:
            known.setdefault(ends, edge)
    for edge in _guessed(drawn.nodes, known.values()):
        known.setdefault((edge.source, edge.target), edge)
    return tuple(known[ends] for ends in sorted(known))


# --------------------------------------------------------------------------------------------------- what is followed
def _stated(system: AgentSystem, drawn: Drawn) -> Iterator[Edge]:
    bound: dict[Key, list[Binding]] = {}
    for binding in system.bindings:
        bound.setdefault(key_of(binding.tool), []).append(binding)
    for handoff in system.handoffs:
        ends = drawn.of(handoff.source), drawn.of(handoff.target)
        yield Edge(*ends, EdgeKind.HANDS_OVER, handoff.span, handoff.degree)
    owners: list[Agent | Site] = [*_agents(system)]
    for site in system.sites:
        if site.kind not in PROTOCOL_SITES:
            yield from (Edge(drawn.of(site), drawn.of(agent), EdgeKind.RUNS, site.span, site.degree)
                        for agent in site.agents)  # fmt: skip
            owners.append(site)
    for owner in owners:
        yield from (_call(owner, tool, bound.get(key_of(tool), ()), drawn) for tool in _own(owner))
    yield from _started(system, drawn)


def _agents(system: AgentSystem) -> Iterator[Agent]:
    """All agents that have a node."""
    known = (
        *system.agents,
        *(agent for site in system.sites for agent in site.agents),
        *(agent for edge in system.handoffs for agent in (edge.source, edge.target)),
    )
    yield from {key_of(agent): agent for agent in known}.values()


def _own(owner: Agent | Site) -> tuple[Tool, ...]:
    """The tools that an agent or site has by itself: a run has those of its agents, too."""
    agents = getattr(owner, "agents", ())
    theirs = {key_of(tool) for agent in agents for tool in agent.tools}
    return tuple(tool for tool in owner.tools if key_of(tool) not in theirs)


def _call(owner: Agent | Site, tool: Tool, bindings: Iterable[Binding], drawn: Drawn) -> Edge:
    own = [binding for binding in bindings if binds(binding, owner)]
    checks: list[Check] = []
    for binding in own:
        checks += [*map(check_of, binding.mediated), *approvals(binding.gate)]
    place = own[0].span if own else owner.span
    degree = weakest((owner.degree, tool.degree))
    return Edge(drawn.of(owner), drawn.of(tool), EdgeKind.CALLS, place, degree, tuple(dict.fromkeys(checks)))


def _started(system: AgentSystem, drawn: Drawn) -> Iterator[Edge]:
    """Agents that start others inside their own run, and texts of others that reach runs."""
    at: dict[Span, str] = {}
    for node in drawn.nodes:
        if any(node.kind in kinds for kinds in ACTORS):
            at.setdefault(node.span, node.id)
    for nested in system.nested:
        if nested.source in at and nested.target in at:
            degree = DEGREES[nested.confidence]
            yield Edge(at[nested.source], at[nested.target], EdgeKind.STARTS, nested.span, degree)
    for exposure in system.exposures:
        source, target = drawn.ids.get(source_key(exposure)), drawn.ids.get(key_of(exposure.site))
        if source is not None and target is not None:
            checks = tuple(map(check_of, exposure.screens))
            yield Edge(source, target, EdgeKind.REACHES, exposure.source, DEGREES[exposure.confidence], checks)


# ------------------------------------------------------------------------------------------------- one place, one file
def _placed(system: AgentSystem, drawn: Drawn) -> Iterator[Edge]:
    """What stands at one place is one thing: the tools that a connection brings, the agent that is a peer elsewhere."""
    opened = {client.opened: client.span for client in system.mcp_clients}
    ends: dict[Span, str] = {}
    for node in drawn.nodes:
        if node.kind in {NodeKind.MCP_CLIENT, NodeKind.PEER}:
            ends[node.span] = node.id
    for node in drawn.nodes:
        if node.kind in {NodeKind.TOOL, NodeKind.AGENT, NodeKind.RUN}:
            end = ends.get(node.span) or ends.get(opened.get(node.span, node.span))
            if end is not None:
                yield Edge(node.id, end, EdgeKind.CONNECTS, node.span)
    yield from _served(system, drawn)


def _served(system: AgentSystem, drawn: Drawn) -> Iterator[Edge]:
    """A server and its tools: of those in its own file it is inferred, elsewhere the nearest one is guessed."""
    servers = [site for site in system.sites if site.kind is SiteKind.MCP_SERVER]
    for tool in system.tools:
        if tool.annotations is not None and servers:
            near = max(servers, key=lambda site: _shared_folders(site.span.path, tool.span.path))
            degree = Degree.INFERRED if near.span.path == tool.span.path else Degree.GUESSED
            server = drawn.ids["server", near.span, near.symbol]
            yield Edge(server, drawn.of(tool), EdgeKind.SERVES, tool.span, degree)


def _shared_folders(path: str, other: str) -> int:
    """How many folders, from the top, two files have in common; the file itself counts as one."""
    pairs = zip(path.split("/"), other.split("/"), strict=False)
    return next((at for at, (left, right) in enumerate(pairs) if left != right), len(path))


def _guessed(nodes: Iterable[Node], edges: Iterable[Edge]) -> Iterator[Edge]:
    tied = {end for edge in edges for end in (edge.source, edge.target)}
    files: dict[str, list[Node]] = {}
    for node in nodes:
        files.setdefault(node.span.path, []).append(node)
    for group in files.values():
        actor = _actor(group)
        for node in group if actor is not None else ():
            if actor is not None and node.kind in GUESSED_BY and node.id not in tied:
                yield Edge(actor.id, node.id, GUESSED_BY[node.kind], node.span, Degree.GUESSED)


def _actor(group: Iterable[Node]) -> Node | None:
    """The one agent of a file, else its one run; None where there are several, or none."""
    for kinds in ACTORS:
        found = [node for node in group if node.kind in kinds]
        if found:
            return found[0] if len(found) == 1 else None
    return None
