"""What the parts of an agent system are worked out from: sites and what they rest on, and the services that several
parts ask, each made once.

What is here is told whole, whatever the roles of its files; `kept` leaves out what is not judged.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeVar

from agent_architecture.model.system import AGENT_ELSEWHERE, SiteKind
from agent_architecture.semantics.adapters.mcp_toolbox import tools_files
from agent_architecture.semantics.adapters.n8n import workflows as drawn_workflows
from agent_architecture.semantics.agents.functions_of_agents import Near
from agent_architecture.semantics.callgraph.deployments import deployments
from agent_architecture.semantics.callgraph.unreached import Unreached
from agent_architecture.semantics.conversations.graph_state import States
from agent_architecture.semantics.conversations.request_owners import Askers
from agent_architecture.semantics.conversations.untrusted_text import foreign_text, untrusted_flows
from agent_architecture.semantics.conversations.writers import Writers
from agent_architecture.semantics.conversations.written_statements import written_statements
from agent_architecture.semantics.loops.bindings import bindings
from agent_architecture.semantics.loops.multi_user_code import Served
from agent_architecture.semantics.loops.old_registrations import old_registrations
from agent_architecture.semantics.loops.reached_work import Work
from agent_architecture.semantics.loops.sites import sites_and_paths
from agent_architecture.semantics.protocols.in_process import served_inside
from agent_architecture.semantics.protocols.protocols import protocols
from agent_architecture.semantics.topics.coordination.nesting import Nesting
from agent_architecture.semantics.topics.declared_agents.agents import declared_agents
from agent_architecture.semantics.topics.fan_outs.fan_outs import fan_outs
from agent_architecture.semantics.topics.memories.memories import memories
from agent_architecture.semantics.topics.progress.pauses import pauses
from agent_architecture.semantics.topics.progress.progress import progress
from agent_architecture.semantics.topics.tracing.traced_work import traced_work
from agent_architecture.semantics.topics.trust.unbound_tools import unbound_tools
from agent_architecture.semantics.topics.written_agents.agents import written_agents
from agent_architecture.sources.languages import is_python
from agent_architecture.sources.roles import filled_in
from agent_architecture.sources.source import Language, Role
from agent_architecture.syntax.ir import Call, Class, Function, Name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.model.outputs import UntrustedFlow
    from agent_architecture.model.system import Binding, Site, Subject
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.agents.recognised import Recognised
    from agent_architecture.semantics.conversations.tool_results import Tools
    from agent_architecture.semantics.conversations.written_statements import WrittenStatement
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span

_S = TypeVar("_S", bound="Subject")
BY_CALLS: Final = frozenset({SiteKind.RUN, SiteKind.HAND_WRITTEN_LOOP, SiteKind.DISPATCH, SiteKind.MCP_CLIENT})
"""Sites that are there when their code is run: they offer nothing to anybody."""
AROUND: Final = ("breaker", "limiter", "retry", "span")
"""What decorators put around a function."""
LISTED: Final = "listed"
"""What decorators say of a function or class that somebody else has to list for it to run."""


class Wiring:
    """What is worked out before everything else, in this order, and what all further parts rest on."""

    def __init__(self, known: Recognised) -> None:
        self.context, self.agents, self.graphs = known
        context, agents, graphs = known
        self.program: Program = context.program
        self.work = Work(context, agents)
        states = context.once(States)
        self.sites, self.paths, self.loops, self.chats = sites_and_paths(context, agents, graphs, states)
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
        self.judged = self._judged_roles()
        self.written = written_agents(self.work, self.sites, self.loops)
        self.declared = declared_agents(context, (*agents.agents, *self.drawn.agents), agents.all_tools())
        """The agents of documents, which code of the project or a host makes of them."""
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
    def visited(self) -> Served:
        """What runs for several users, pages that ask their visitors included: the console of each is its server's."""
        return Served(self.work, self.graphs, with_pages=True)

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
    def statements(self) -> tuple[WrittenStatement, ...]:
        """The database statements that a model wrote and that code runs by itself."""
        tools = frozenset(map(id, self.agents.functions().values()))
        return written_statements(self.context, self.agents.facts.effects, tools)

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
        for those that an old copy of a function would put on a server if somebody called it with one, and for runs
        where some are reached: where none is, each is what the project is about.
        """
        waiting = old_registrations(self.context)
        running = [
            *(site.span for site in self.programs if site.kind in BY_CALLS),
            *(match.node.span for match in self.context.of_kind("run")),
        ]
        tools = [
            *(site.span for site in self.programs if site.kind is SiteKind.TOOLKIT),
            *(tool.span for tool in self.agents.all_tools()),
            *(node.span for node in self.agents.running().values()),
        ]
        acting = [
            *(one.span for one in self.programs if one.kind not in {*BY_CALLS, SiteKind.TOOLKIT}),
            *(agent.span for agent in self.agents.agents),
        ]
        acting, tools = ([at for at in places if not _is_in(at, waiting)] for places in (acting, tools))
        wrapping, places = _wrapping(self.context), self.context.once(deployments)
        known = frozenset(match.node.span for match in self.context.matches if isinstance(match.node, Class))
        made = {one.span: one.symbol for one in self.programs if one.kind not in {*BY_CALLS, SiteKind.TOOLKIT}}
        made |= {agent.span: agent.symbol for agent in self.agents.agents}
        answers = Unreached(self.program, places, acting, tools, running, wrapping, known, agents=made)
        idle = answers.idle()
        if not idle:
            return answers
        again = [span for span in running if is_python(span.path) in idle]
        others = [span for span in running if is_python(span.path) not in idle]
        return Unreached(self.program, places, acting, tools, others, wrapping, known, again, made)

    def _judged_roles(self) -> frozenset[Role]:
        """Application files are judged; where none of them has a site that something reaches, the examples are the
        application.
        """
        by_role = {role: [s for s in self.programs if _role(self.program, s.span.path) is role] for role in _JUDGED}
        own = (*by_role[Role.APP], *by_role[Role.CONFIG])
        if by_role[Role.EXAMPLE] and all(self.unreached.holds(site.span) for site in own):
            return frozenset(_JUDGED)
        return frozenset({Role.APP, Role.CONFIG})

    def kept(self, entities: Iterable[_S]) -> tuple[_S, ...]:
        """The entities in files that are judged and in code that something reaches, by position."""
        of_judged = (each for each in entities if _role(self.program, each.span.path) in self.judged)
        alive = (each for each in of_judged if not self.unreached.holds(each.span))
        return tuple(sorted(alive, key=lambda each: (each.span, each.symbol)))


_JUDGED: Final = (Role.EXAMPLE, Role.APP, Role.CONFIG)


def _is_in(place: Span, spans: tuple[Span, ...]) -> bool:
    return any(span.contains(place) for span in spans)


def _wrapping(context: Context) -> frozenset[Span]:
    """The places of libraries' decorators that stand around a function or class and hand it to nobody; those that make
    a tool of it, too, where they are no method of what keeps tools.
    """
    found: set[Span] = set()
    for match in context.of_kind(*AROUND, LISTED, "tool"):
        node, kind = match.node, match.row.kind
        if (isinstance(node, Class) and kind == LISTED) or (
            isinstance(node, Function) and (kind != "tool" or _is_plain(context, node))
        ):
            alone = node.decorators if len(node.decorators) == 1 else ()
            found |= {each.span for each in (*alone, *filter(None, (match.arguments,)))}
    return frozenset(found)


def _is_plain(context: Context, function: Function) -> bool:
    """Whether a function has one decorator, of a library by its own name, that does not say that it registers."""
    names = [each.callee if isinstance(each, Call) else each for each in function.decorators]
    return len(names) == 1 and all(
        isinstance(name, Name)
        and not name.id.startswith("register")
        and all(binding.kind == "import" for binding in context.program.visible(name))
        for name in names
    )


def _role(program: Program, path: str) -> Role:
    file = program.table.file(path)
    is_form = file is not None and file.role is Role.EXAMPLE and file.language is Language.ENV
    return filled_in(path) if is_form else file.role if file is not None else Role.APP
