"""What a picture of an agent system is made of. Frozen values; nothing here says how they are drawn."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from agent_architecture.model.confidence import Degree
from agent_architecture.model.effects import Shaped
from agent_architecture.records import NamedTuple

if TYPE_CHECKING:
    from agent_architecture.sources.source import Span


class NodeKind(StrEnum):
    """What a node stands for."""

    SOURCE = "source"
    """Text that the project did not write, where it reaches a run."""
    RUN = "run"
    EXPORTED_GRAPH = "exported_graph"
    LOOP = "loop"
    """A hand-written loop."""
    DISPATCH = "dispatch"
    TOOLKIT = "toolkit"
    AGENT = "agent"
    TOOL = "tool"
    ROUTER = "router"
    MCP_SERVER = "mcp_server"
    """A server of the project."""
    MCP_CLIENT = "mcp_client"
    """A server that the project connects to."""
    PEER = "peer"
    """An agent that speaks A2A: the project's own, or one that it connects to."""
    MEMORY = "memory"


class EdgeKind(StrEnum):
    """How two nodes belong together, as the verb between them."""

    REACHES = "reaches"
    RUNS = "runs"
    CALLS = "calls"
    HANDS_OVER = "hands over to"
    STARTS = "starts"
    """One agent starts another inside its own run, and waits for it."""
    SERVES = "serves"
    CONNECTS = "connects to"
    REMEMBERS = "remembers in"
    ROUTES = "routes by"


class Doing(NamedTuple):
    """What a node does to the world: a word of `vocabulary.EFFECTS`, the place, and how much of it a model decides."""

    kind: str
    shaped: Shaped
    span: Span
    symbol: str = ""


class Check(NamedTuple):
    """Something that stands on an edge: a guard, or a person who approves. `blocks` False: it only watches, or there
    is a way around it.
    """

    name: str
    kind: str
    """A word of `GuardStage`, or `approval`."""
    blocks: bool
    span: Span | None = None


class Node(NamedTuple):
    """One thing of the system. `id` is made of its kind, place and name, and told apart from its likes."""

    id: str
    kind: NodeKind
    name: str
    span: Span
    framework: str = ""
    degree: Degree = Degree.RESOLVED
    does: tuple[Doing, ...] = ()
    checks: tuple[Check, ...] = ()
    """What guards it wherever it is reached from."""
    notes: tuple[str, ...] = ()
    """What else a reader is told: parameters, transport and host, what a memory holds."""
    origins: tuple[str, ...] = ()
    """Whose text it brings in: words of `vocabulary.ORIGINS`."""


class Edge(NamedTuple):
    """A directed tie between two nodes, by their ids. GUESSED: only that both stand in one file says so."""

    source: str
    target: str
    kind: EdgeKind
    span: Span
    degree: Degree = Degree.RESOLVED
    checks: tuple[Check, ...] = ()


class Way(NamedTuple):
    """A way on which text that others wrote reaches an effect: through a run, its agents and a tool.

    `nodes` are the ids of all that it passes, `edges` the positions in `Picture.edges` between them. `entry` is where
    the text comes in, `checks` what stands on the way.
    """

    origins: tuple[str, ...]
    entry: Span
    nodes: tuple[str, ...]
    edges: tuple[int, ...]
    does: Doing
    checks: tuple[Check, ...] = ()


class Picture(NamedTuple):
    """The whole: nodes by place, edges by their ends, ways with the gravest effect first."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    ways: tuple[Way, ...] = ()
