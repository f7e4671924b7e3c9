"""Questions about the delegation graph: which edges lie on a cycle, which sites can reach an agent. Pure functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.model.system import Agent, Handoff, Site


def reachable(edges: Iterable[Handoff], start: Agent) -> frozenset[int]:
    """The ids of the agents that `start` can hand over to, through any number of edges."""
    targets: dict[int, list[Agent]] = {}
    for edge in edges:
        targets.setdefault(id(edge.source), []).append(edge.target)
    seen: set[int] = set()
    stack = list(targets.get(id(start), ()))
    while stack:
        agent = stack.pop()
        if id(agent) not in seen:
            seen.add(id(agent))
            stack.extend(targets.get(id(agent), ()))
    return frozenset(seen)


def on_cycle(edges: tuple[Handoff, ...], edge: Handoff) -> bool:
    """Whether the work can come back along this edge."""
    return edge.target is edge.source or id(edge.source) in reachable(edges, edge.target)


def sites_reaching(sites: Iterable[Site], edges: tuple[Handoff, ...], agent: Agent) -> tuple[Site, ...]:
    """The sites whose run can come to this agent."""
    return tuple(
        site for site in sites if any(start is agent or id(agent) in reachable(edges, start) for start in site.agents)
    )
