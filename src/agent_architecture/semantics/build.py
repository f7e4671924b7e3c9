"""From the program to the agent system: the table of contents of `semantics`, and the last place that knows libraries.

Each part of the system is made by its own room; here they stand in order, each with what it rests on. What all of them
rest on is in `wiring.py`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.model.settings import ABSENT
from agent_architecture.model.system import AgentSystem, ModelCall, SiteKind
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.adapters.agent_framework import edges
from agent_architecture.semantics.conversations.asked_sizes import asked_of
from agent_architecture.semantics.conversations.graph_channels import channels
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.parallel import ALONE, Jobs, shared_out
from agent_architecture.semantics.topics.approvals.approvals import approvals
from agent_architecture.semantics.topics.coordination.handoff_content import contents_of_handoffs
from agent_architecture.semantics.topics.coordination.nested_runs import nested_runs
from agent_architecture.semantics.topics.coordination.sharing import shared
from agent_architecture.semantics.topics.coordination.teams import teams
from agent_architecture.semantics.topics.coverage.models import models
from agent_architecture.semantics.topics.coverage.silence import silence
from agent_architecture.semantics.topics.coverage.unseen_libraries import unseen_libraries
from agent_architecture.semantics.topics.credentials.credentials import credentials
from agent_architecture.semantics.topics.credentials.forwarded import forwarded_tokens
from agent_architecture.semantics.topics.decisions.chosen_agents import chosen_agents
from agent_architecture.semantics.topics.decisions.decisions import decision_points
from agent_architecture.semantics.topics.decisions.framework_routers import choosing
from agent_architecture.semantics.topics.decisions.routers import routers
from agent_architecture.semantics.topics.disclosure.disclosures import disclosures
from agent_architecture.semantics.topics.evaluations.evaluations import evaluations
from agent_architecture.semantics.topics.exposures.exposures import exposures
from agent_architecture.semantics.topics.exposures.guardrails import watched
from agent_architecture.semantics.topics.fixes.fix_places import mends
from agent_architecture.semantics.topics.fixes.known_fixes import known_fixes
from agent_architecture.semantics.topics.goals.goals import goals
from agent_architecture.semantics.topics.instructions.client_turns import client_turns
from agent_architecture.semantics.topics.instructions.instructions import instructions
from agent_architecture.semantics.topics.mcp_offers.configured_offers import configured_offers
from agent_architecture.semantics.topics.mcp_offers.offers import offers
from agent_architecture.semantics.topics.memories.assemblies import assemblies
from agent_architecture.semantics.topics.memories.client_histories import sent_in
from agent_architecture.semantics.topics.memories.entries import remembered
from agent_architecture.semantics.topics.memories.growing_containers import grown_lists
from agent_architecture.semantics.topics.memories.tool_state import state_holders
from agent_architecture.semantics.topics.memories.transcripts import gathered_lists
from agent_architecture.semantics.topics.outputs.outputs import model_outputs
from agent_architecture.semantics.topics.outputs.shown import shown_answers
from agent_architecture.semantics.topics.outputs.tool_orders import tool_orders
from agent_architecture.semantics.topics.peers.published_cards import published_cards
from agent_architecture.semantics.topics.peers.task_lives import task_lives
from agent_architecture.semantics.topics.peers.task_polls import task_polls
from agent_architecture.semantics.topics.peers.webhooks import received_pushes, sent_pushes
from agent_architecture.semantics.topics.premises.premises import premises
from agent_architecture.semantics.topics.remote.uses import remote_uses
from agent_architecture.semantics.topics.repeats.operations import operations
from agent_architecture.semantics.topics.results.configured_results import configured_results
from agent_architecture.semantics.topics.results.results import tool_results
from agent_architecture.semantics.topics.results.served_results import served_results
from agent_architecture.semantics.topics.retold.retold import retold
from agent_architecture.semantics.topics.retries.retries import retries
from agent_architecture.semantics.topics.supply.install_paths import install_paths
from agent_architecture.semantics.topics.touches.code_sinks import code_sinks
from agent_architecture.semantics.topics.touches.touches import touches
from agent_architecture.semantics.topics.touches.unread_calls import unread_calls
from agent_architecture.semantics.topics.tracing.genai_spans import genai_spans
from agent_architecture.semantics.topics.tracing.request_records import observed
from agent_architecture.semantics.topics.trust.listed_servers import listed_servers
from agent_architecture.semantics.topics.trust.listening import reaches
from agent_architecture.semantics.topics.trust.server_trust import server_trust
from agent_architecture.semantics.topics.trust.tool_changes import tool_changes
from agent_architecture.semantics.topics.waits.waits import waits
from agent_architecture.semantics.topics.written_agents.handoffs import handing
from agent_architecture.semantics.wiring import Wiring
from agent_architecture.sources.source import Role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from agent_architecture.model.coordination import Team
    from agent_architecture.model.decisions import DecisionPoint
    from agent_architecture.model.goals import Goal
    from agent_architecture.model.memory import Collection, Memory
    from agent_architecture.model.results import ServedResult
    from agent_architecture.model.system import Handoff, Project, Site
    from agent_architecture.model.tracing import TracedWork
    from agent_architecture.semantics.agents.recognised import Recognised
    from agent_architecture.sources.source import Notice, Span


class Part(NamedTuple):
    """A part of the system: the field of `AgentSystem`, and what gives its entities, in any order.

    `made` is handed what all rests on, and the system as far as it stands: the parts that the table names before.
    """

    field: str
    made: Callable[[Wiring, AgentSystem], Iterable[Any]]
    is_whole: bool = False
    """It tells by itself what is judged, and gives its entities in their order."""


# ----------------------------------------------------------------------------------------- parts of more than one line
def _at_work(wiring: Wiring) -> tuple[Site, ...]:
    """The sites of agents and servers: what software arrives for."""
    return wiring.kept((*wiring.sites, *wiring.spoken.servers))


def _delegations(wiring: Wiring) -> Iterator[Handoff]:
    """The edges between agents, those of libraries first."""
    chosen = tuple(chosen_agents(wiring.work))
    told = {(edge.source.span, edge.target.span) for edge in chosen}
    nested = (edge for edge in nested_runs(wiring.work) if (edge.source.span, edge.target.span) not in told)
    yield from (*wiring.agents.handoffs, *nested, *edges(wiring.context, wiring.agents), *chosen)
    yield from handing(wiring.program, wiring.written)


def _model_calls(wiring: Wiring, _system: AgentSystem) -> Iterator[ModelCall]:
    for match in wiring.context.of_kind("model_call"):
        has_tools = bool(wiring.agents.tools_of(match))
        yield ModelCall(match.node.span, called(match.node), match.row.where.pack, has_tools, match.degree)


def _decision_points(w: Wiring, _system: AgentSystem) -> Iterable[DecisionPoint]:
    return decision_points(w.context, w.agents, w.graphs, w.traced, w.sites, w.paths, w.loops, w.runs, w.pauses)


def _collections(wiring: Wiring, system: AgentSystem) -> tuple[Collection, ...]:
    """What grows in loops and chats by hand, beside the runs of libraries, in graphs, and in what clients send."""
    context, known = wiring.context, wiring.memories
    grown = tuple(grown_lists(context, (*wiring.loops, *wiring.chats), known))
    gathered = gathered_lists(context, wiring.loops, wiring.paths, grown)
    in_graphs = channels(context, wiring.agents, wiring.graphs, wiring.paths, known.asked)
    found = wiring.kept((*grown, *known.shown, *gathered, *in_graphs))
    sent = sent_in(context, wiring.writers, wiring.agent_sites, (*system.memories, *found))
    code = wiring.agents.code
    asked = {id(code[id(one)]): asked_of(one, code[id(one)]) for one in system.tools if id(one) in code}
    judged: tuple[Memory | Collection, ...] = (*system.memories, *found, *sent)
    put_together = assemblies(context, wiring.writers, system.untrusted_flows, judged, asked)
    return (*found, *sent, *wiring.kept(put_together))


def _goals(w: Wiring, system: AgentSystem) -> Iterable[Goal]:
    paths, texts = system.feedback_paths, system.instructions
    return goals(w.context, w.agents, w.graphs, system.sites, paths, w.loops, texts)


def _teams(wiring: Wiring, system: AgentSystem) -> Iterable[Team]:
    known = tuple(edge for edge in system.handoffs if edge.degree is not Degree.GUESSED)
    return teams(wiring.work, wiring.graphs, wiring.nesting, wiring.agent_sites, known)


def _codes(wiring: Wiring) -> dict[int, Span]:
    """Where the code of tools stands, by the id of the tool."""
    return {key: function.span for key, function in wiring.agents.code.items()}


def _answers(w: Wiring) -> Iterable[ServedResult]:
    return (*served_results(w.context, w.agents, w.foreign), *configured_results(w.configured))


def _asking(system: AgentSystem) -> tuple[Site, ...]:
    """The sites that may ask a model."""
    return tuple(site for site in system.sites if site.asks_model)


def _of_models(system: AgentSystem) -> tuple[TracedWork, ...]:
    """The work that traces tell of, but for runs that come to no model."""
    none = system.without_model
    return tuple(work for work in system.traced_work if work.span not in none)


def _server_files(system: AgentSystem) -> tuple[str, ...]:
    return tuple(site.span.path for site in system.sites if site.kind is SiteKind.MCP_SERVER)


# ------------------------------------------------------------------------------------------------------------ the table
FIRST: Final = (
    Part("sites", lambda w, _: (*w.programs, *w.spoken.configured)),
    Part("agents", lambda w, _: (*w.agents.told_apart(), *w.drawn.agents, *w.written.agents, *w.declared)),
    Part("tools", lambda w, _: (*w.agents.all_tools(), *w.drawn.tools, *w.configured.tools)),
    Part("handoffs", lambda w, _: (*_delegations(w), *w.drawn.handoffs)),
    Part("model_calls", _model_calls),
    Part("feedback_paths", lambda w, _: (*w.paths, *w.drawn.paths)),
    Part("bindings", lambda w, _: (*w.bound, *w.drawn.bindings)),
    Part("memories", lambda w, _: (*w.memories.memories, *w.drawn.memories)),
    Part("memory_writes", lambda w, _: w.memories.writes),
    Part("memory_reads", lambda w, _: w.memories.reads),
    Part("memory_limits", lambda w, _: w.memories.limits),
    Part("mcp_clients", lambda w, _: w.spoken.mcp_clients),
    Part("mcp_starts", lambda w, _: w.spoken.mcp_starts),
    Part("host_configs", lambda w, _: w.spoken.host_configs),
    Part("a2a_endpoints", lambda w, _: w.spoken.a2a_endpoints),
    Part("agent_cards", lambda w, _: w.spoken.agent_cards),
    Part("served_inside", lambda w, _: w.inside),
    Part("untrusted_flows", lambda w, _: w.flows),
    Part("fan_outs", lambda w, _: w.fan_outs),
    Part("progress", lambda w, _: w.runs),
    Part("pauses", lambda w, _: w.pauses),
    Part("traced_work", lambda w, _: w.traced),
    Part("remembered", lambda w, _: remembered(w.work, w.agents, w.bound, w.memories)),
    Part("install_paths", lambda w, s: install_paths(w.context, _at_work(w), s.tools, w.judged), is_whole=True),
)
"""What the wiring knows already, or what is told of it alone."""

APART: Final = (
    Part("disclosures", lambda w, _: disclosures(w.context, w.agents, w.near, w.served, w.visited)),
    Part(
        "premises",
        lambda w, _: premises(
            w.work, w.agents, w.graphs, w.bound, w.memories.writes, w.loops, w.memories.named, w.statements
        ),
    ),
    Part("model_outputs", lambda w, _: model_outputs(w.context, w.agents, w.hosted)),
    Part("decision_points", _decision_points),
    Part("tool_results", lambda w, _: tool_results(w.context, w.agents, w.foreign, w.bound, w.flows, w.hosted)),
    Part("remote_uses", lambda w, _: remote_uses(w.work, w.graphs, w.hosted, w.bound, w.loops, w.paths, w.fan_outs)),
    Part("state_holders", lambda w, _: state_holders(w.context, w.agents, w.memories.places)),
    Part("retries", lambda w, _: retries(w.work, w.sites, w.loops, w.graphs.run_by_steps(), w.near)),
    Part("waits", lambda w, _: waits(w.work, w.served, w.near, w.loops)),
)
"""What takes longest and rests on none of each other, so that processes share it: the longest first, so that nobody
waits for the last one.
"""

LAST: Final = (
    Part("retellings", lambda _, s: retold(s)),
    Part("instructions", lambda w, _: instructions(w.context, w.writers)),
    Part("collections", _collections),
    Part("goals", _goals),
    Part("client_turns", lambda w, _: client_turns(w.context, w.writers)),
    Part("exposures", lambda w, s: exposures(w.work, w.graphs, w.writers, w.loops, s)),
    Part("nested", lambda w, _: w.nesting.all()),
    Part("shared", lambda w, s: shared(w.work, w.graphs, w.near, s)),
    Part("handed", lambda w, s: contents_of_handoffs(w.work, s.handoffs)),
    Part("teams", _teams),
    Part("touches", lambda w, _: touches(w.context, w.agents, w.askers, w.statements)),
    Part("unread_calls", lambda w, _: unread_calls(w.context, w.agents)),
    Part("watched", lambda w, s: watched(w.work, w.graphs, w.writers, w.loops, s)),
    Part("shown", lambda w, s: shown_answers(w.work, w.graphs, w.loops, s)),
    Part("tool_orders", lambda w, s: tool_orders(s, _codes(w), w.hosted)),
    Part("approvals", lambda w, s: approvals(w.context, w.agents, s.bindings, s.host_configs, s.mcp_clients)),
    Part("code_sinks", lambda w, s: code_sinks(w.context, w.agents, w.askers, s.touches)),
    Part("routers", lambda w, _: (*routers(w.context), *choosing(w.work, w.graphs, w.loops))),
    Part("forwarded_tokens", lambda w, _: forwarded_tokens(w.context, w.served_code)),
    Part("credentials", lambda w, s: credentials(w.work, w.served, s)),
    Part("served_results", lambda w, _: _answers(w)),
    Part("mcp_offers", lambda w, _: (*offers(w.context), *configured_offers(w.context))),
    Part("server_trust", lambda w, s: server_trust(w.context, s.mcp_clients, _server_files(s)), is_whole=True),
    Part("tool_changes", lambda w, _: tool_changes(w.context)),
    Part("listed_servers", lambda w, s: listed_servers(w.context, s.mcp_clients, w.agents.functions())),
    Part("reaches", lambda w, s: reaches(w.context, s.mcp_starts), is_whole=True),
    Part("task_lives", lambda w, s: task_lives(w.context, s.a2a_endpoints)),
    Part("task_polls", lambda w, _: task_polls(w.context)),
    Part("sent_pushes", lambda w, s: sent_pushes(w.context, s.a2a_endpoints)),
    Part("received_pushes", lambda w, _: received_pushes(w.context)),
    Part("published_cards", lambda w, s: published_cards(w.context, s.a2a_endpoints, s.agent_cards)),
    Part("genai_spans", lambda w, s: genai_spans(w.context, w.agents, s.traced_work)),
    Part("observed", lambda w, s: observed(w.work, _of_models(s), _asking(s))),
    Part("operations", lambda w, s: operations(w.work, w.agents, s.touches, s.retries, s.pauses)),
    Part("models", lambda w, _: models(w.context)),
    Part("fixes", lambda w, _: known_fixes(w.context), is_whole=True),
    Part("mends", lambda w, s: (*mends(w.context), *s.mends), is_whole=True),
)
"""What rests on parts of the system that are told by then."""


def build(known: Recognised, project: Project, jobs: Jobs = ALONE) -> AgentSystem:
    """The agent system of a program, judged files only, worked out in at most so many processes."""
    wiring = Wiring(known)
    system = _with(wiring, AgentSystem(project), FIRST)
    found = shared_out(further_questions(wiring, system), *jobs, _entities(wiring))
    evals = found.pop("evals")
    notices = (*project.notices, *evals.notices, *_unseen(wiring, project))
    judged_role = Role.EXAMPLE if Role.EXAMPLE in wiring.judged else Role.APP
    told = system._replace(
        project=project._replace(judged_role=judged_role, notices=notices),
        eval_suites=evals.suites,
        ci_jobs=evals.ci_jobs,
        mends=evals.mends,
        **found,
    )
    return _with(wiring, told, LAST)


def further_questions(wiring: Wiring, system: AgentSystem) -> Mapping[str, Callable[[], Any]]:
    """What is worked out apart, by the part of the system; where no code was parsed and no site found, only the
    evaluations, which are in tests.
    """
    evals = {"evals": lambda: evaluations(wiring.context, wiring.kept(wiring.sites), wiring.judged)}
    if wiring.program.modules or wiring.programs or wiring.spoken.configured:
        return evals | {part.field: partial(_made, wiring, system, part) for part in APART}
    return evals | {part.field: tuple for part in APART}


def _with(wiring: Wiring, system: AgentSystem, parts: Iterable[Part]) -> AgentSystem:
    """The system with these parts, one after the other."""
    for part in parts:
        made: dict[str, Any] = {part.field: _made(wiring, system, part)}
        system = system._replace(**made)
    return system


def _made(wiring: Wiring, system: AgentSystem, part: Part) -> tuple[Any, ...]:
    made = part.made(wiring, system)
    return tuple(made) if part.is_whole else wiring.kept(made)


def _entities(wiring: Wiring) -> tuple[object, ...]:
    """What further answers may contain, and what is told apart by being the same thing."""
    own = (*wiring.sites, *wiring.bound, *wiring.traced, *wiring.pauses, *wiring.runs, *wiring.paths)
    return (ABSENT, *wiring.agents.all_tools(), *wiring.agents.agents, *own)


def _unseen(wiring: Wiring, project: Project) -> Iterator[Notice]:
    """What there is of agents that no site stands for."""
    yield from unseen_libraries(wiring.context, project, (site.framework for site in wiring.programs))
    yield from () if wiring.all_sites else silence(wiring.context, wiring.agents)
