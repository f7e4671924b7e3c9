"""What the parts of an agent system are worked out from: sites and what they rest on, and the services that several
parts ask, each made once.

What is here is told whole, whatever the roles of its files; `kept` leaves out what is not judged.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from agent_architecture.model.system import AGENT_ELSEWHERE
from agent_architecture.semantics.adapters.mcp_toolbox import tools_files
from agent_architecture.semantics.adapters.n8n import workflows as drawn_workflows
from agent_architecture.semantics.agents.functions_of_agents import Near
from agent_architecture.semantics.agents.old_registrations import old_registrations
from agent_architecture.semantics.callgraph.unreached import Unreached
from agent_architecture.semantics.conversations.request_owners import Askers
from agent_architecture.semantics.conversations.untrusted_text import foreign_text, untrusted_flows
from agent_architecture.semantics.conversations.writers import Writers
from agent_architecture.semantics.loops.bindings import bindings
from agent_architecture.semantics.loops.multi_user_code import Served
from agent_architecture.semantics.loops.reached_work import Work
from agent_architecture.semantics.loops.sites import sites_and_paths
from agent_architecture.semantics.protocols.in_process import served_inside
from agent_architecture.semantics.protocols.protocols import protocols
from agent_architecture.semantics.topics.coordination.nesting import Nesting
from agent_architecture.semantics.topics.fan_outs.fan_outs import fan_outs
from agent_architecture.semantics.topics.memories.memories import memories
from agent_architecture.semantics.topics.progress.pauses import pauses
from agent_architecture.semantics.topics.progress.progress import progress
from agent_architecture.semantics.topics.tracing.traced_work import traced_work
from agent_architecture.semantics.topics.trust.unbound_tools import unbound_tools
from agent_architecture.semantics.topics.written_agents.agents import written_agents
from agent_architecture.sources.roles import filled_in
from agent_architecture.sources.source import Language, Role

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.model.outputs import UntrustedFlow
    from agent_architecture.model.system import Binding, Site, Subject
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.agents.recognised import Recognised
    from agent_architecture.semantics.conversations.tool_results import Tools
    from agent_architecture.syntax.ir import Function

_S = TypeVar("_S", bound="Subject")


class Wiring:
    """What is worked out before everything else, in this order, and what all further parts rest on."""

    def __init__(self, known: Recognised) -> None:
        self.context, self.agents, self.graphs = known
        context, agents, graphs = known
        self.program: Program = context.program
        self.work = Work(context, agents)
        self.sites, self.paths, self.loops, self.chats = sites_and_paths(context, agents, graphs)
        self.spoken = protocols(context, self.sites)
        self.drawn = drawn_workflows(context)
        """What is drawn and not written: workflows in files of an editor."""
        self.configured = tools_files(context)
        """The tools that a server's configuration names."""
        self.memories = memories(context, agents)
        self.bound: tuple[Binding, ...] = bindings(context, agents, self.sites)  # tool sets name further tools
        kits, self.hosted = unbound_tools(context, agents, self.sites, self.bound, self.spoken)
        """`hosted` are the ids of tools that only a host's agents call."""
        self.programs: tuple[Site, ...] = (
            *self.sites, *self.drawn.sites, *self.spoken.servers, *self.spoken.clients, *kits,
        )  # fmt: skip
        """What is written in code or drawn: sites without those that only a configuration names."""
        self.judged = _judged_roles(self.program, self.programs)
        self.written = written_agents(self.work, self.sites, self.loops)
        called = agents.all_tools() if self.sites else ()
        self.inside = self.kept(served_inside(context, called, self.spoken.mcp_clients, self.spoken.mcp_starts))
        own_servers = (one for one in self.inside if not one.started)
        self.flows: tuple[UntrustedFlow, ...] = untrusted_flows(context, agents, self.kept(self.bound), own_servers)
        self.fan_outs = fan_outs(self.work, graphs, self.sites, self.near)
        self.runs = progress(self.work, graphs, self.sites, self.loops, self.memories.writes)
        over_servers = frozenset(id(one.tool) for one in self.inside)
        self.traced = traced_work(self.work, self.sites, self.loops, over_servers, self.hosted)
        self.pauses = pauses(self.work, graphs, self.runs, self.bound)

    @cached_property
    def all_sites(self) -> tuple[Site, ...]:
        """All sites, those of configurations, too, in judged files."""
        return self.kept((*self.programs, *self.spoken.configured))

    @cached_property
    def agent_sites(self) -> tuple[Site, ...]:
        """Those of them that run an agent of the project."""
        return tuple(site for site in self.all_sites if site.kind not in AGENT_ELSEWHERE)

    @cached_property
    def near(self) -> Near:
        """Which functions belong to agents."""
        return Near(self.context, self.agents, self.bound, self.graphs.run_by_steps())

    @cached_property
    def served(self) -> Served:
        """Which functions answer many people."""
        return Served(self.work, self.graphs)

    @cached_property
    def writers(self) -> Writers:
        """Whose word a text is."""
        return Writers(self.context, self.agents)

    @cached_property
    def foreign(self) -> Tools:
        """What tools bring in from others."""
        return foreign_text(self.context, self.agents)

    @cached_property
    def askers(self) -> Askers:
        """Who asks for what a function does."""
        return Askers(self.context, self.graphs, self.agent_sites, self.loops)

    @cached_property
    def nesting(self) -> Nesting:
        """Which runs start others."""
        return Nesting(self.work, self.loops, self.agent_sites)

    @cached_property
    def served_code(self) -> tuple[Function, ...]:
        """The code of the tools of MCP servers."""
        tools = (tool for tool in self.agents.all_tools() if tool.annotations is not None)
        return tuple(code for tool in tools if (code := self.agents.code.get(id(tool))) is not None)

    @cached_property
    def unreached(self) -> Unreached:
        """Which code nothing reaches; agents, runs, tools and servers are offered to somebody wherever they are, but
        for those that an old copy of a function would put on a server if somebody called it with one.
        """
        offered: tuple[Subject, ...] = (*self.programs, *self.agents.agents, *self.agents.all_tools())
        running = (*self.agents.running().values(), *(match.node for match in self.context.of_kind("run")))
        places = (*(one.span for one in offered), *(node.span for node in running))
        waiting = old_registrations(self.context)
        return Unreached(self.program, [at for at in places if not any(span.contains(at) for span in waiting)])

    def kept(self, entities: Iterable[_S]) -> tuple[_S, ...]:
        """The entities in files that are judged and in code that something reaches, by position."""
        of_judged = (each for each in entities if _role(self.program, each.span.path) in self.judged)
        alive = (each for each in of_judged if not self.unreached.holds(each.span))
        return tuple(sorted(alive, key=lambda each: (each.span, each.symbol)))


def _judged_roles(program: Program, sites: tuple[Site, ...]) -> frozenset[Role]:
    """Application files are judged; where no application file has a site, the examples are the application."""
    roles = {_role(program, site.span.path) for site in sites}
    if Role.EXAMPLE in roles and not roles & {Role.APP, Role.CONFIG}:
        return frozenset({Role.EXAMPLE, Role.APP, Role.CONFIG})
    return frozenset({Role.APP, Role.CONFIG})


def _role(program: Program, path: str) -> Role:
    file = program.table.file(path)
    is_form = file is not None and file.role is Role.EXAMPLE and file.language is Language.ENV
    return filled_in(path) if is_form else file.role if file is not None else Role.APP
