"""From the agent system to its picture: one pure function, on which every drawing of it rests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.picture.edges import edges_of
from agent_architecture.picture.nodes import nodes_of
from agent_architecture.picture.parts import Picture
from agent_architecture.picture.untrusted_paths import ways_of

if TYPE_CHECKING:
    from agent_architecture.model.system import AgentSystem


def picture_of(system: AgentSystem) -> Picture:
    """The picture of a system, the same whatever the order of its entities."""
    drawn = nodes_of(system)
    edges = edges_of(system, drawn)
    return Picture(drawn.nodes, edges, ways_of(system, drawn, edges))
