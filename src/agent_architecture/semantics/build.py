"""From the program to the agent system: the last place that knows libraries.

Each part of the system is made by its own module; here they are put in order, and what is not judged is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from agent_architecture.model.confidence import Degree
from agent_architecture.model.settings import ABSENT
from agent_architecture.model.system import AgentSystem, ModelCall, Project, SiteKind
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.adapters.agent_framework import edges
from agent_architecture.semantics.adapters.graphs import Graphs
from agent_architecture.semantics.adapters.n8n import workflows as drawn_workflows
from agent_architecture.semantics.agents.agents import Agents
from agent_architecture.semantics.agents.functions_of_agents import Near
from agent_architecture.semantics.conversations.graph_channels import channels
from agent_architecture.semantics.conversations.request_owners import Askers
from agent_architecture.semantics.conversations.untrusted_text import foreign_text, untrusted_flows
from agent_architecture.semantics.conversations.writers import Writers
from agent_architecture.semantics.loops.bindings import bindings
from agent_architecture.semantics.loops.multi_user_code import Served
from agent_architecture.semantics.loops.reached_work import Work
from agent_architecture.semantics.loops.sites import sites_and_paths
from agent_architecture.semantics.matching.context import Context, called
from agent_architecture.semantics.parallel import ALONE, Jobs, shared_out
from agent_architecture.semantics.protocols.in_process import served_inside
from agent_architecture.semantics.protocols.protocols import protocols
from agent_architecture.semantics.topics.approvals.approvals import approvals
from agent_architecture.semantics.topics.coordination.handoff_content import handed
from agent_architecture.semantics.topics.coordination.nested_runs import nested_runs
from agent_architecture.semantics.topics.coordination.nesting import Nesting
from agent_architecture.semantics.topics.coordination.sharing import shared
from agent_architecture.semantics.topics.coordination.teams import teams
from agent_architecture.semantics.topics.coverage.models import models
from agent_architecture.semantics.topics.coverage.silence import silence
from agent_architecture.semantics.topics.coverage.unseen_libraries import unseen_libraries
from agent_architecture.semantics.topics.credentials.credentials import credentials
from agent_architecture.semantics.topics.credentials.forwarded import forwarded_tokens
from agent_architecture.semantics.topics.decisions.decisions import decision_points
from agent_architecture.semantics.topics.decisions.framework_routers import choosing
from agent_architecture.semantics.topics.decisions.routers import routers
from agent_architecture.semantics.topics.disclosure.disclosures import disclosures
from agent_architecture.semantics.topics.evaluations.evaluations import evaluations
from agent_architecture.semantics.topics.exposures.exposures import exposures
from agent_architecture.semantics.topics.exposures.guardrails import watched
from agent_architecture.semantics.topics.fan_outs.fan_outs import fan_outs
from agent_architecture.semantics.topics.fixes.fix_places import mends
from agent_architecture.semantics.topics.fixes.known_fixes import known_fixes
from agent_architecture.semantics.topics.goals.goals import goals
from agent_architecture.semantics.topics.instructions.client_turns import client_turns
from agent_architecture.semantics.topics.instructions.instructions import instructions
from agent_architecture.semantics.topics.mcp_offers.offers import offers
from agent_architecture.semantics.topics.memories.client_histories import sent_in
from agent_architecture.semantics.topics.memories.entries import remembered as entries
from agent_architecture.semantics.topics.memories.growing_containers import grown_lists
from agent_architecture.semantics.topics.memories.memories import memories
from agent_architecture.semantics.topics.memories.tool_state import state_holders
from agent_architecture.semantics.topics.memories.transcripts import gathered_lists
from agent_architecture.semantics.topics.outputs.outputs import model_outputs
from agent_architecture.semantics.topics.peers.published_cards import published_cards
from agent_architecture.semantics.topics.peers.task_lives import task_lives
from agent_architecture.semantics.topics.peers.task_polls import task_polls
from agent_architecture.semantics.topics.peers.webhooks import received_pushes, sent_pushes
from agent_architecture.semantics.topics.premises.premises import premises
from agent_architecture.semantics.topics.progress.pauses import pauses
from agent_architecture.semantics.topics.progress.progress import progress
from agent_architecture.semantics.topics.remote.uses import remote_uses
from agent_architecture.semantics.topics.repeats.operations import operations
from agent_architecture.semantics.topics.results.results import tool_results
from agent_architecture.semantics.topics.results.served_results import served_results
from agent_architecture.semantics.topics.retries.retries import retries
from agent_architecture.semantics.topics.supply.install_paths import install_paths
from agent_architecture.semantics.topics.touches.code_sinks import code_sinks
from agent_architecture.semantics.topics.touches.touches import touches
from agent_architecture.semantics.topics.tracing.genai_spans import genai_spans
from agent_architecture.semantics.topics.tracing.request_records import observed
from agent_architecture.semantics.topics.tracing.traced_work import traced_work
from agent_architecture.semantics.topics.trust.listed_servers import listed_servers
from agent_architecture.semantics.topics.trust.listening import reaches
from agent_architecture.semantics.topics.trust.server_trust import server_trust
from agent_architecture.semantics.topics.trust.tool_changes import tool_changes
from agent_architecture.semantics.topics.trust.unbound_tools import unbound_tools
from agent_architecture.semantics.topics.waits.waits import waits
from agent_architecture.semantics.topics.written_agents.agents import written_agents
from agent_architecture.semantics.topics.written_agents.handoffs import handing
from agent_architecture.sources.roles import filled_in
from agent_architecture.sources.source import Language, Role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from agent_architecture.model.memory import Collection
    from agent_architecture.model.outputs import UntrustedFlow
    from agent_architecture.model.protocols import ServedInside
    from agent_architecture.model.resilience import FanOut, Pause, Progress
    from agent_architecture.model.system import Binding, FeedbackPath, Handoff, Site, Subject
    from agent_architecture.model.tracing import TracedWork
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.agents.recognised import Recognised
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.protocols.protocols import Protocols
    from agent_architecture.semantics.topics.memories.memories import Memories
    from agent_architecture.semantics.topics.written_agents.agents import Found
    from agent_architecture.sources.source import Notice
    from agent_architecture.syntax.ir import Function

_S = TypeVar("_S", bound="Subject")


def build(known: Recognised, project: Project, jobs: Jobs = ALONE) -> AgentSystem:
    """The agent system of a program, judged files only, worked out in at most so many processes."""
    (context, agents, graphs), program = known, known.context.program
    sites, paths, loops, chats = sites_and_paths(context, agents, graphs)
    spoken, drawn, remembered = protocols(context, sites), drawn_workflows(context), memories(context, agents)
    work, bound = Work(context, agents), bindings(context, agents, sites)  # tool sets name further tools
    kits, hosted = unbound_tools(context, agents, sites, bound, spoken)
    programs = (*sites, *drawn.sites, *spoken.servers, *spoken.clients, *kits)
    judged = _judged_roles(program, tuple(site.span.path for site in programs))

    def kept(entities: Iterable[_S]) -> tuple[_S, ...]:
        return _kept(program, judged, entities)

    spread, kept_runs = fan_outs(work, graphs, sites, bound), progress(work, graphs, sites, loops, remembered.writes)
    inside = kept(served_inside(context, agents.all_tools() if sites else (), spoken.mcp_clients, spoken.mcp_starts))
    flows = untrusted_flows(context, agents, kept(bound), (one for one in inside if not one.started))
    growing = _growing(context, (loops, chats), paths, remembered)
    traced, paused = traced_work(work, agents, sites, loops, _ids(inside)), pauses(work, graphs, kept_runs, bound)
    first = First(
        work, graphs, judged, sites, paths, loops, bound, remembered, flows, spread, kept_runs, traced, paused,
        hosted,
    )  # fmt: skip
    found = shared_out(further_questions(first, (*programs, *spoken.configured)), *jobs, _entities(first))
    evals, own, by_hand = found.pop("evals"), kept((*programs, *spoken.configured)), written_agents(work, sites, loops)
    system = AgentSystem(
        _judged(project, judged, (*evals.notices, *_unseen(context, agents, project, programs, own))),
        sites=own,
        agents=kept((*agents.agents, *drawn.agents, *by_hand.agents)),
        tools=kept((*agents.all_tools(), *drawn.tools)),
        handoffs=kept((*_delegations(work, by_hand), *drawn.handoffs)),
        model_calls=kept(_model_calls(context, agents)),
        feedback_paths=kept((*paths, *drawn.paths)),
        eval_suites=evals.suites,
        ci_jobs=evals.ci_jobs,
        fan_outs=kept(spread),
        progress=kept(kept_runs),
        pauses=kept(paused),
        bindings=kept((*bound, *drawn.bindings)),
        untrusted_flows=kept(flows),
        install_paths=install_paths(context, kept((*sites, *spoken.servers)), kept(agents.all_tools()), judged),
        memories=kept((*remembered.memories, *drawn.memories)),
        collections=kept((*growing, *channels(context, agents, graphs, paths, remembered.asked))),
        traced_work=kept(traced),
        remembered=kept(entries(work, agents, bound, remembered)),
        served_inside=inside,
        mends=evals.mends,
        **found,
    )
    spoken_of = _speaking(_remembering(system, program, judged, remembered), program, judged, spoken)
    return _repeated(_written(spoken_of, work, graphs, judged, loops), work, judged)


def _ids(inside: Iterable[ServedInside]) -> frozenset[int]:
    """The tools that are called through a server of the project, by their ids."""
    return frozenset(id(one.tool) for one in inside)


def _delegations(work: Work, written: Found) -> Iterator[Handoff]:
    """The edges between agents, those of libraries first."""
    yield from (*work.agents.handoffs, *nested_runs(work), *edges(work.context, work.agents))
    yield from handing(work.context.program, written)


def _unseen(
    context: Context, agents: Agents, project: Project, programs: tuple[Site, ...], own: tuple[Site, ...]
) -> Iterator[Notice]:
    """What there is of agents that no site stands for."""
    yield from unseen_libraries(context, project, _frameworks(programs))
    yield from () if own else silence(context, agents)


class First(NamedTuple):
    """What is worked out before everything else, and what all further questions rest on."""

    work: Work
    graphs: Graphs
    judged: frozenset[Role]
    sites: tuple[Site, ...]
    paths: tuple[FeedbackPath, ...]
    loops: tuple[HandWritten, ...]
    bound: tuple[Binding, ...]
    remembered: Memories
    flows: tuple[UntrustedFlow, ...]
    spread: tuple[FanOut, ...]
    runs: tuple[Progress, ...]
    traced: tuple[TracedWork, ...]
    paused: tuple[Pause, ...]
    hosted: frozenset[int]
    """The ids of tools that only a host's agents call."""


def _entities(first: First) -> tuple[object, ...]:
    """What further answers may contain, and what is told apart by being the same thing."""
    agents = first.work.agents
    own = (*first.sites, *first.bound, *first.traced, *first.paused, *first.runs, *first.paths)
    return (ABSENT, *agents.all_tools(), *agents.agents, *own)


def further_questions(first: First, sites: tuple[Site, ...]) -> Mapping[str, Callable[[], object]]:
    """The questions to ask; where no code was parsed and no agent found at `sites`, only for evaluations, in tests."""
    questions = _questions(first)
    if first.work.context.program.modules or sites:
        return questions
    return {**dict.fromkeys(questions, tuple), "evals": questions["evals"]}


def _questions(first: First) -> Mapping[str, Callable[[], object]]:
    """The questions that rest on none of each other, by the part of the system that they answer: those that take
    longest come first, so that nobody waits for the last one.
    """
    work, graphs, judged, sites, paths, loops, bound, remembered, flows, spread, runs, traced, paused, hosted = first
    context, agents, program = work.context, work.agents, work.context.program

    def kept(found: Iterable[_S]) -> tuple[_S, ...]:
        return _kept(program, judged, found)

    return {
        "evals": lambda: evaluations(context, kept(sites), judged),
        "disclosures": lambda: kept(disclosures(context, agents, Served(work, graphs))),
        "premises": lambda: kept(premises(work, agents, graphs, bound, remembered.writes, loops)),
        "model_outputs": lambda: kept(model_outputs(context, agents, hosted)),
        "decision_points": lambda: kept(
            decision_points(context, agents, graphs, traced, sites, paths, loops, runs, paused)
        ),
        "tool_results": lambda: kept(
            tool_results(context, agents, foreign_text(context, agents), bound, flows, hosted)
        ),
        "remote_uses": lambda: kept(remote_uses(work, graphs, hosted, bound, loops, paths, spread)),
        "state_holders": lambda: kept(state_holders(context, agents, remembered.places)),
        "retries": lambda: kept(retries(work, sites)),
        "waits": lambda: kept(waits(work, graphs, bound, loops)),
    }


def _growing(
    context: Context,
    around: tuple[tuple[HandWritten, ...], tuple[HandWritten, ...]],
    paths: tuple[FeedbackPath, ...],
    found: Memories,
) -> tuple[Collection, ...]:
    """What grows in loops and chats by hand, and beside the runs of libraries."""
    loops, chats = around
    grown = tuple(grown_lists(context, (*loops, *chats), found))
    return (*grown, *found.shown, *gathered_lists(context, loops, paths, grown))


def _remembering(system: AgentSystem, program: Program, judged: frozenset[Role], found: Memories) -> AgentSystem:
    """The system with what is put into its memories, and what keeps them small."""
    return system._replace(
        memory_writes=_kept(program, judged, found.writes),
        memory_reads=_kept(program, judged, found.reads),
        memory_limits=_kept(program, judged, found.limits),
    )


def _together(
    system: AgentSystem, work: Work, graphs: Graphs, judged: frozenset[Role], loops: tuple[HandWritten, ...]
) -> AgentSystem:
    """The system with the agents that start others, and those that work together."""
    nesting, program = Nesting(work, loops, system.agent_sites), work.context.program
    near = Near(work.context, work.agents, system.bindings, graphs.run_by_steps())
    known = tuple(edge for edge in system.handoffs if edge.degree is not Degree.GUESSED)
    return system._replace(
        nested=_kept(program, judged, nesting.all()),
        shared=_kept(program, judged, shared(work, graphs, near, system)),
        handed=_kept(program, judged, handed(work, system.handoffs)),
        teams=_kept(program, judged, teams(work, graphs, nesting, system.agent_sites, known)),
    )


def _speaking(system: AgentSystem, program: Program, judged: frozenset[Role], spoken: Protocols) -> AgentSystem:
    """The system with what it says over MCP and A2A."""
    return system._replace(
        mcp_clients=_kept(program, judged, spoken.mcp_clients),
        mcp_starts=_kept(program, judged, spoken.mcp_starts),
        host_configs=_kept(program, judged, spoken.host_configs),
        a2a_endpoints=_kept(program, judged, spoken.a2a_endpoints),
        agent_cards=_kept(program, judged, spoken.agent_cards),
    )


def _written(
    system: AgentSystem, work: Work, graphs: Graphs, judged: frozenset[Role], loops: tuple[HandWritten, ...]
) -> AgentSystem:
    """The system with what tools touch, the spans that code opens by hand, and what it writes down of requests."""
    context, agents = work.context, work.agents
    asked = approvals(context, agents, system.bindings, system.host_configs, system.mcp_clients)
    whole = _together(_told(system, work, graphs, judged, loops), work, graphs, judged, loops)
    askers = Askers(context, graphs, system.agent_sites, loops)
    touched = touches(context, agents, askers)
    known = credentials(work, Served(work, graphs), system.mcp_clients, system.mcp_starts, touched)
    return whole._replace(
        watched=_kept(context.program, judged, watched(work, graphs, Writers(context, agents), loops, whole)),
        approvals=_kept(context.program, judged, asked),
        code_sinks=_kept(context.program, judged, code_sinks(context, agents, askers)),
        touches=_kept(context.program, judged, touched),
        routers=_kept(context.program, judged, (*routers(context), *choosing(work, graphs, loops))),
        forwarded_tokens=_kept(context.program, judged, tuple(forwarded_tokens(context, _served(agents)))),
        credentials=_kept(context.program, judged, known),
        served_results=_kept(context.program, judged, served_results(context, agents, foreign_text(context, agents))),
        mcp_offers=_kept(context.program, judged, offers(context)),
        server_trust=server_trust(context, system.mcp_clients, _servers(system)),
        tool_changes=_kept(context.program, judged, tool_changes(context)),
        listed_servers=_kept(context.program, judged, listed_servers(context, system.mcp_clients, agents.functions())),
        reaches=reaches(context, system.mcp_starts),
        task_lives=_kept(context.program, judged, task_lives(context, system.a2a_endpoints)),
        task_polls=_kept(context.program, judged, task_polls(context)),
        sent_pushes=_kept(context.program, judged, sent_pushes(context, system.a2a_endpoints)),
        received_pushes=_kept(context.program, judged, received_pushes(context)),
        published_cards=_kept(
            context.program, judged, published_cards(context, system.a2a_endpoints, system.agent_cards)
        ),
        genai_spans=_kept(context.program, judged, genai_spans(context, agents, system.traced_work)),
        observed=_kept(context.program, judged, observed(work, system.traced_work, system.sites)),
    )


def _servers(system: AgentSystem) -> tuple[str, ...]:
    return tuple(site.span.path for site in system.sites if site.kind is SiteKind.MCP_SERVER)


def _told(
    system: AgentSystem, work: Work, graphs: Graphs, judged: frozenset[Role], loops: tuple[HandWritten, ...]
) -> AgentSystem:
    """The system with what models are told to do, by whom, and what stands between them and others' texts."""
    program, writers = work.context.program, Writers(work.context, work.agents)
    texts = _kept(program, judged, instructions(work.context, writers))
    aims = goals(work.context, work.agents, graphs, system.sites, system.feedback_paths, loops, texts)
    sent = sent_in(work.context, writers, system.agent_sites, (*system.memories, *system.collections))
    told = system._replace(
        instructions=texts,
        collections=(*system.collections, *_kept(program, judged, sent)),
        goals=_kept(program, judged, aims),
        client_turns=_kept(program, judged, client_turns(work.context, writers)),
    )
    return told._replace(exposures=_kept(program, judged, exposures(work, graphs, writers, loops, told)))


def _served(agents: Agents) -> tuple[Function, ...]:
    """The code of the tools of MCP servers."""
    found = (agents.code.get(id(tool)) for tool in agents.all_tools() if tool.annotations is not None)
    return tuple(function for function in found if function is not None)


def _repeated(system: AgentSystem, work: Work, judged: frozenset[Role]) -> AgentSystem:
    """The system with what is done a second time, the models that it names, and where gaps may be mended."""
    context = work.context
    program, found = context.program, operations(work, work.agents, system.touches, system.retries, system.pauses)
    changed = system._replace(operations=_kept(program, judged, found), fixes=known_fixes(context))
    return changed._replace(models=_kept(program, judged, models(context)), mends=(*mends(context), *system.mends))


def _kept(program: Program, judged: frozenset[Role], entities: Iterable[_S]) -> tuple[_S, ...]:
    """The entities in files that are judged, by position."""
    return tuple(
        sorted((e for e in entities if _role(program, e.span.path) in judged), key=lambda e: (e.span, e.symbol))
    )


def _frameworks(sites: tuple[Site, ...]) -> Iterator[str]:
    return (site.framework for site in sites)


def _judged(project: Project, roles: frozenset[Role], notices: tuple[Notice, ...]) -> Project:
    role = Role.EXAMPLE if Role.EXAMPLE in roles else Role.APP
    return project._replace(judged_role=role, notices=(*project.notices, *notices))


def _judged_roles(program: Program, sites: tuple[str, ...]) -> frozenset[Role]:
    """Application files are judged; where no application file has a site, the examples are the application."""
    roles = {_role(program, path) for path in sites}
    if Role.EXAMPLE in roles and not roles & {Role.APP, Role.CONFIG}:
        return frozenset({Role.EXAMPLE, Role.APP, Role.CONFIG})
    return frozenset({Role.APP, Role.CONFIG})


def _role(program: Program, path: str) -> Role:
    file = program.table.file(path)
    is_form = file is not None and file.role is Role.EXAMPLE and file.language is Language.ENV
    return filled_in(path) if is_form else file.role if file is not None else Role.APP


def _model_calls(context: Context, agents: Agents) -> tuple[ModelCall, ...]:
    return tuple(
        ModelCall(match.node.span, called(match.node), match.row.where.pack, bool(agents.tools_of(match)), match.degree)
        for match in context.of_kind("model_call")
    )
