"""Agents that are drawn: n8n's workflows, a JSON file of nodes and the connections between them.

Rows say what a type of node is (an agent, a tool and its effect, a memory) and where its properties stand. What hangs
on what is written beside the nodes, by name; following it is what this module does. A tool behind a node that asks a
person (`slackHitlTool`) is gated. Rule: n8n-core, get-input-connection-data.js; n8n-workflow, node-helpers.js (2.41).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import Gate
from agent_architecture.model.memory import Holding
from agent_architecture.model.settings import ABSENT, written
from agent_architecture.model.system import Agent, Binding, FeedbackPath, Handoff, PathKind, Site, SiteKind
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.adapters.n8n_nodes import (
    PACK,
    is_on,
    limit_of,
    memory_of,
    text_at,
    tool_of,
    workflows_in,
)
from agent_architecture.semantics.matching.documents import at, entries
from agent_architecture.semantics.matching.properties import InDocument
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agent_architecture.model.memory import Memory
    from agent_architecture.model.system import Tool
    from agent_architecture.semantics.matching.context import Context

ASKS: Final = "HitlTool"
"""How the type of a node ends that asks a person before the tools behind it run."""
TOOL: Final = "ai_tool"
MODEL: Final = "ai_languageModel"
MEMORY: Final = "ai_memory"


class Drawn(NamedTuple):
    """What workflows add to a system."""

    sites: tuple[Site, ...] = ()
    paths: tuple[FeedbackPath, ...] = ()
    agents: tuple[Agent, ...] = ()
    tools: tuple[Tool, ...] = ()
    bindings: tuple[Binding, ...] = ()
    handoffs: tuple[Handoff, ...] = ()
    memories: tuple[Memory, ...] = ()


def workflows(context: Context) -> Drawn:
    """All workflows of the project."""
    rows = [row for row in context.packs.documents if row.where.pack == PACK]
    places: dict[str, dict[int, InDocument]] = {}
    stores: dict[int, InDocument] = {}
    for row in rows:
        for path, _, node in entries(context, row):
            found = places.setdefault(path, {})
            (stores if row.kind == "memory" else found).setdefault(id(node), InDocument(row, node))
    drawn = [
        _Workflow(workflow, found, stores).drawn()
        for path, found in sorted(places.items())
        for workflow in workflows_in(context, path)
    ]
    return Drawn(
        tuple(site for part in drawn for site in part.sites),
        tuple(path for part in drawn for path in part.paths),
        tuple(agent for part in drawn for agent in part.agents),
        tuple(tool for part in drawn for tool in part.tools),
        tuple(binding for part in drawn for binding in part.bindings),
        tuple(handoff for part in drawn for handoff in part.handoffs),
        tuple(memory for part in drawn for memory in part.memories),
    )


class _Workflow:
    def __init__(self, workflow: ir.Map, places: Mapping[int, InDocument], stores: Mapping[int, InDocument]) -> None:
        self._nodes = {
            name: node
            for node in at(workflow, ("nodes", "[]"))
            if (name := text_at(node, "name")) and not is_on(node, "disabled")
        }
        self._places = {name: places[id(node)] for name, node in self._nodes.items() if id(node) in places}
        self._stores = {name: stores[id(node)] for name, node in self._nodes.items() if id(node) in stores}
        """What is a memory, some of them tools as well."""
        self._into = _by_end(next(iter(at(workflow, ("connections",)))), self._nodes)
        fed = {source for (_, kind), sources in self._into.items() if kind == TOOL for source in sources}
        self._below = frozenset(name for name, place in self._of_kind("agent") if name in fed)
        """The agents that are tools of another one."""
        self._tools: dict[str, Tool] = {}

    def drawn(self) -> Drawn:
        """What the nodes of this workflow are."""
        agents: dict[str, Agent] = {}
        bindings: list[Binding] = []
        for name, place in self._of_kind("agent", "model_call"):
            bound = [self._binding(name, *given) for given in self._given(name) if given[0] not in self._below]
            if bound or place.row.kind == "agent":
                bindings.extend(bound)
                tools = tuple(dict.fromkeys(binding.tool for binding in bound if not binding.dynamic))
                agents[name] = Agent(place.node.span, name, PACK, tools, limit_of(place.setting("step_limit")))
        edges = [
            Handoff(self._nodes[target].span, f"{name} → {target}", PACK, agents[name], agents[target])
            for name in agents
            for target, _ in self._given(name)
            if target in agents
        ]
        sites = [self._site(name, agent) for name, agent in agents.items() if name not in self._below]
        paths = (
            FeedbackPath(site.span, site.symbol, PACK, PathKind.RUN, site.step_limit)
            for site in sites
            if any(self._given(site.symbol))
        )
        stores = ((name, memory_of(name, place)) for name, place in self._stores.items())
        memories = (memory for name, memory in stores if self._is_used(name, memory))
        tools = tuple(dict.fromkeys(binding.tool for binding in bindings if not binding.dynamic))
        return Drawn(
            tuple(sites), tuple(paths), tuple(agents.values()), tools, tuple(bindings), tuple(edges), tuple(memories)
        )  # fmt: skip

    def _is_used(self, name: str, memory: Memory) -> bool:
        """Whether a memory of conversations is one: wired as a step (`main`), it keeps none."""
        asked = (sources for (_, kind), sources in self._into.items() if kind == MEMORY)
        return memory.holds is not Holding.CONVERSATION or any(name in sources for sources in asked)

    def _of_kind(self, *kinds: str) -> Iterator[tuple[str, InDocument]]:
        return ((name, place) for name, place in self._places.items() if place.row.kind in kinds)

    def _given(self, name: str) -> Iterator[tuple[str, str]]:
        """The nodes that a node is given as tools, and the node that asks a person in front of each ("": none)."""
        seen: set[str] = set()
        waiting = [(source, "") for source in reversed(self._into.get((name, TOOL), []))]
        while waiting:
            source, asks = waiting.pop()
            if source in seen:
                continue
            seen.add(source)
            if text_at(self._nodes[source], "type").endswith(ASKS):
                waiting.extend((inner, source) for inner in reversed(self._into.get((source, TOOL), [])))
            else:
                yield source, asks

    def _site(self, name: str, agent: Agent) -> Site:
        models = self._into.get((name, MODEL), [])
        limits = [limit_of(self._places[model].setting("max_tokens")) for model in models if model in self._places]
        ceiling = limits[0] if len(limits) == 1 else ABSENT
        return Site(
            agent.span, name, PACK, SiteKind.RUN, (agent,), agent.tools, agent.step_limit, max_tokens=ceiling
        )  # fmt: skip

    def _binding(self, agent: str, name: str, asks: str) -> Binding:
        tool, place = self._tool(name), self._places.get(name)
        gate = Gate(written("always", self._nodes[asks].span)) if asks else Gate()
        server = place is not None and place.row.kind == "mcp_client"
        scoped = server and place is not None and bool(place.parts("allowed").entries)
        readable = tool.effects or (place is not None and (server or "effect" not in place.row.properties))
        why = "" if readable else f"the node {name}, whose effects are not known"
        return Binding(tool.span, f"{agent} → {name}", PACK, tool, (), server, scoped, gate, why)

    def _tool(self, name: str) -> Tool:
        if name not in self._tools:
            self._tools[name] = tool_of(name, self._nodes[name], self._places.get(name))
        return self._tools[name]


def _by_end(connections: ir.Node, nodes: Mapping[str, ir.Node]) -> dict[tuple[str, str], list[str]]:
    """The nodes from which connections of a kind lead to a node."""
    found: dict[tuple[str, str], list[str]] = {}
    for start in connections.entries if isinstance(connections, ir.Map) else ():
        source = str(start.key.value) if isinstance(start.key, ir.Literal) else ""
        for kind in (TOOL, MODEL, MEMORY) if source in nodes else ():
            for end in at(start.value, (kind, "[]", "[]", "node")):
                if isinstance(end, ir.Literal) and end.value in nodes:
                    found.setdefault((str(end.value), kind), []).append(source)
    return found
