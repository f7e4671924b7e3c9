"""What rows and shapes recognise in a program: matches, agents, and the graphs that libraries build of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.records import NamedTuple
from agent_architecture.semantics.adapters.agent_framework import workflows
from agent_architecture.semantics.adapters.agent_programs import started_agents
from agent_architecture.semantics.adapters.asking_graphs import asking_graphs, without_plain_graphs
from agent_architecture.semantics.adapters.autogen import graph_flows
from agent_architecture.semantics.adapters.crewai_flows import flows
from agent_architecture.semantics.adapters.crewai_project import complete_projects
from agent_architecture.semantics.adapters.deployments import exported_agents
from agent_architecture.semantics.adapters.google_adk import pipelines, root_agents
from agent_architecture.semantics.adapters.graphs import Built, Graphs
from agent_architecture.semantics.adapters.haystack import without_plain_pipelines
from agent_architecture.semantics.adapters.langgraph import built_graphs
from agent_architecture.semantics.adapters.mastra_workflows import mastra_workflows, without_plain_workflows
from agent_architecture.semantics.adapters.semantic_kernel import orchestrated
from agent_architecture.semantics.adapters.strands import orchestrations
from agent_architecture.semantics.agents.abstract_methods import without_abstract
from agent_architecture.semantics.agents.agents import Agents
from agent_architecture.semantics.agents.posted_requests import posted
from agent_architecture.semantics.agents.shapes.connections import connections
from agent_architecture.semantics.agents.shapes.constructors import constructed
from agent_architecture.semantics.agents.shapes.interface_models import interface_models
from agent_architecture.semantics.agents.shapes.requests import requests
from agent_architecture.semantics.agents.shapes.servers import servers
from agent_architecture.semantics.agents.shapes.tool_requests import tool_requests
from agent_architecture.semantics.matching.context import Context
from agent_architecture.semantics.matching.imported_roots import imported_roots
from agent_architecture.semantics.matching.matches import matches
from agent_architecture.semantics.matching.own_library import without_own

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.manifests.versions import Versions
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.packs.packs import Packs


class Recognised(NamedTuple):
    """The matches of a program, its agents, and the graphs that libraries build of them."""

    context: Context
    agents: Agents
    graphs: Graphs


def recognised(program: Program, packs: Packs, versions: Versions) -> Recognised:
    """What rows and shapes recognise in a program: the matches, the agents, and the graphs that libraries build."""
    complete_projects(program, packs)
    called = {name for module in program.modules for name in module.index.calls}
    packs.alike.meet(called, frozenset(imported_roots(program)))
    context = Context(program, packs, versions, without_own(packs, versions.files, _matches(program, packs)))
    agents = Agents(context)
    exported = (*exported_agents(context), *root_agents(context))
    return Recognised(context, agents, Graphs(context, agents, _graphs(context), exported))


def _matches(program: Program, packs: Packs) -> tuple[Match, ...]:
    """What rows of packs name, and requests to model APIs."""
    named = (*without_plain_pipelines(program, packs, matches(program, packs)), *posted(program, packs))
    named = (*named, *started_agents(program, packs))
    known = frozenset(id(match.node) for match in named)
    shaped = (*constructed(program, packs, named), *connections(program, packs, known))
    shaped = (*shaped, *servers(program, packs, known | {id(match.node) for match in shaped}))
    asked = (*requests(program, packs, known), *interface_models(program, packs, known))
    asked = (*asked, *tool_requests(program, packs, known | {id(match.node) for match in asked}))
    found = without_abstract(program, (*named, *asked, *shaped))
    asking = without_plain_workflows(program, packs, tuple(found))
    return without_plain_graphs(program, packs, asking)


def _graphs(context: Context) -> dict[int, Built]:
    """The graphs that libraries build, each read by its own adapter."""
    readers = (
        built_graphs, flows, graph_flows, pipelines, workflows, orchestrations, orchestrated, mastra_workflows,
        asking_graphs,
    )  # fmt: skip
    return {node: graph for read in readers for node, graph in context.once(read).items()}
