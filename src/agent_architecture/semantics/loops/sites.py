"""Agent call sites and feedback paths: where frameworks run agents, where agents are only exported, where code
dispatches by hand.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from agent_architecture.model.confidence import strongest, weakest
from agent_architecture.model.settings import ABSENT
from agent_architecture.model.system import Bound, BoundKind, FeedbackPath, PathKind, Site, SiteKind
from agent_architecture.names.lookup import only_value
from agent_architecture.names.values import OPEN_MAPPING, SPREAD, Api, Const, Unknown
from agent_architecture.semantics.adapters.agent_programs import PACK as PROGRAMS
from agent_architecture.semantics.agents.exported import unrun
from agent_architecture.semantics.agents.provider_tools import is_run_by_provider
from agent_architecture.semantics.agents.shaped_tools import shaped
from agent_architecture.semantics.agents.shapes.constructors import held
from agent_architecture.semantics.bounds.deadlines import deadline_around
from agent_architecture.semantics.loops.answer_sinks.executed_answers import ActedOn
from agent_architecture.semantics.loops.budgets import Ceilings
from agent_architecture.semantics.loops.hand_written import hand_written
from agent_architecture.semantics.loops.idle_graphs import is_idle
from agent_architecture.semantics.loops.single_dispatches import dispatching
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from agent_architecture.model.settings import Setting
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.adapters.graphs import Graphs
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span


def sites_and_paths(
    context: Context, agents: Agents, graphs: Graphs
) -> tuple[tuple[Site, ...], tuple[FeedbackPath, ...], tuple[HandWritten, ...], tuple[HandWritten, ...]]:
    """All sites, one for each (file, line), the feedback paths, and the hand-written ones among them, by position;
    and the chats.
    """
    pairs: list[tuple[Site | None, FeedbackPath | None]] = []
    ceilings = Ceilings(context, agents, run_agents)
    runs = [match for match in context.of_kind("run") if not (graphs.exported and match.row.constants.get("remote"))]
    steps = [match for match in runs if match.row.constants.get("inside")]
    begun = [match for match in runs if not match.row.constants.get("inside")]
    own = [match for match in begun if not is_idle(context.program, graphs, run_agents(context, match))]
    by_node = {id(match.node): _run(context, agents, graphs, match, ceilings) for match in own}
    pairs.extend(by_node.values())
    pairs.extend(_exported(context, agents, graphs, runs, ceilings))
    calls = [*context.of_kind("model_call"), *own, *(match for match in steps if run_agents(context, match))]
    acted = ActedOn(context, agents.facts.effects)
    paths = {node: path for node, (_, path) in by_node.items() if path is not None}
    loops, chats = hand_written(context, calls, paths, acted.listed())
    running = frozenset(id(loop.scope) for loop in loops if loop.site is not None)
    kept = held(context.matches, context.program) if running else frozenset()
    pairs = [pair for pair in pairs if pair[0] is None or pair[0].span not in kept]
    for loop in loops:
        asked = (ask for ask in loop.asks if ask.row.kind == "model_call" or not run_agents(context, ask))
        tools = [
            tool for ask in asked for tool in agents.tools_of(ask)
        ]  # an agent that is run has its tools for itself
        site = ceilings.of_asks(loop.site, loop.asks) if loop.site is not None else None
        if site is not None:
            tools += agents.by_hand.tools_of(site, loop.inside, running)
            degree = weakest((strongest(ask.degree for ask in loop.asks), loop.degree))
            site = site._replace(tools=tuple(dict.fromkeys(tools)), degree=degree)
        pairs.append((site, loop.path))
    covered = {id(ask.node) for loop in loops if loop.site is not None for ask in loop.asks}
    choosing = frozenset[int]().union(*(loop.choosing for loop in loops if loop.site is not None))
    pairs.extend((site, None) for site in _dispatches(context, agents, choosing, ceilings))
    headers = frozenset(loop.path.span for loop in loops if loop.site is not None)
    pairs.extend((site, None) for site in _acted(acted, agents, headers, choosing, ceilings))
    pairs.extend((site, None) for site in _run_elsewhere(context, agents, covered, ceilings))
    agents.by_hand.around((m for m in context.of_kind("model_call") if id(m.node) not in covered), running)
    agents.by_hand.further()
    shaped(context, agents)
    return *_unique(pairs), loops, chats


def _unique(
    pairs: list[tuple[Site | None, FeedbackPath | None]],
) -> tuple[tuple[Site, ...], tuple[FeedbackPath, ...]]:
    """One site and one path a line; a framework's run counts before the loop around it, should they share one."""
    sites: dict[tuple[str, int], Site] = {}
    paths: dict[tuple[str, int], FeedbackPath] = {}
    for site, path in pairs:
        if site is not None:
            sites.setdefault((site.span.path, site.span.line), site)
        if path is not None:
            paths.setdefault((path.span.path, path.span.line), path)
    return tuple(sorted(sites.values(), key=_place)), tuple(sorted(paths.values(), key=_place))


def _place(entity: Site | FeedbackPath) -> Span:
    return entity.span


def run_agents(context: Context, match: Match) -> tuple[Match, ...]:
    """The matches of the agents that a run may execute: the one that begins, and those that share its room."""
    own = context.at(match.node, "agent")  # a call that makes its agent and runs it
    addresses = [match.row.relations[name] for name in ("agent", "agents") if name in match.row.relations]
    if not addresses:
        return () if own is None else (own,)
    callee = match.node.callee if isinstance(match.node, ir.Call) else None
    on = dict.fromkeys((match.api.receiver, *_alike(context, match.api.receiver, callee)))
    reads = (at_call(context.program, match.arguments, each, address) for each in on for address in addresses)
    values = [value for read in reads for value in read.values]
    if match.api.receiver in values and isinstance(callee, ir.Member):
        values.extend(context.program.value_of(callee.target))  # a registry gives any of its agents
    return context.made_by(values, "agent")


def _alike(context: Context, receiver: Api | None, callee: ir.Expr | None) -> Iterator[Api]:
    """The other objects of its kind that a run may be of: a function returns one of several crews. Which one, the code
    alone says where it asks for it by a constant.
    """
    if receiver is None or not isinstance(callee, ir.Member):
        return
    made = only_value(context.program, callee.target) if isinstance(callee.target, ir.Name) else callee.target
    given = made.args if isinstance(made, ir.Call) else ()
    if not given or not all(isinstance(argument.value, ir.Literal) for argument in given):
        values = context.program.value_of(callee.target)
        yield from (value for value in values if isinstance(value, Api) and value.path == receiver.path)


def _run(
    context: Context, agents: Agents, graphs: Graphs, match: Match, ceilings: Ceilings
) -> tuple[Site, FeedbackPath | None]:
    found = run_agents(context, match)
    limit = _loosest(context, match, found)
    symbol = called(match.node)
    run = tuple(agent for m in found for agent in (agents.agent_of(m), *agents.members(m)))
    tools = tuple(dict.fromkeys(tool for agent in run for tool in agent.tools)) or agents.tools_of(match)
    site = Site(match.node.span, symbol, match.row.where.pack, SiteKind.RUN, run, tools, limit)
    site = ceilings.of_run(site, match, *found)._replace(degree=match.degree)
    repeats = not _is_single_step(limit) and (not found or any(graphs.repeats(m) for m in found))
    if not repeats or match.row.constants.get("remote"):
        return site, None  # whoever serves a remote agent bounds it
    path = FeedbackPath(site.span, symbol, site.framework, PathKind.RUN, limit, graphs.bounds(found))
    around = deadline_around(context, match.node, context.program.scope_of(match.node))
    return site, path._replace(deadline=around or _own_deadline(context, match))


def _loosest(context: Context, match: Match, found: tuple[Match, ...]) -> Setting:
    """The step limit of a run: its own, or that of its agent; of several agents that have one each (the members of a
    crew), the one that lets most steps pass.
    """
    if len(found) <= 1 or effective(context, match, "step_limit") is not ABSENT:
        return effective(context, match, "step_limit", *found)
    return max((effective(context, match, "step_limit", one) for one in found), key=_steps)


def _steps(limit: Setting) -> float:
    """How many steps a limit lets pass, at most: any number where there is none, or none that can be read."""
    numbers = [float(v) if isinstance(v, (int, float)) and v is not True else math.inf for v in limit.values]
    return max(numbers, default=math.inf)


def _own_deadline(context: Context, match: Match) -> Bound | None:
    """The time after which a run of a program of its own is ended by whoever started it."""
    limit = effective(context, match, "time_limit") if match.row.where.pack == PROGRAMS else ABSENT
    never = limit is ABSENT or (limit.is_known and all(value is None for value in limit.values))
    return None if never else Bound(BoundKind.DEADLINE, limit.span or match.node.span, limit)


def _is_single_step(limit: Setting) -> bool:
    """Whether a run asks its model once: the tools that it picks are run, and their results go to the caller."""
    return limit.is_known and all(value == 1 and not isinstance(value, bool) for value in limit.values)


def _exported(
    context: Context, agents: Agents, graphs: Graphs, runs: list[Match], ceilings: Ceilings
) -> Iterator[tuple[Site, FeedbackPath | None]]:
    """Agents that a deployment file names, or that are only made, and that nothing in the application runs: a test or
    an example that does is no site that stands for it.
    """
    ran = [(match, run_agents(context, match)) for match in runs]
    run = {(id(m.node), _role(context, match)) for match, found in ran for m in found}
    named = {id(match.node) for match in graphs.exported}
    made = (match for match in unrun(context, agents, ran) if id(match.node) not in named)
    for match in (*graphs.exported, *made):
        if any((id(match.node), role) in run for role in (Role.APP, Role.CONFIG, _role(context, match))):
            continue
        if is_idle(context.program, graphs, (match,)):
            continue
        agent = agents.agent_of(match)
        limit = effective(context, match, "step_limit")
        if not limit.is_known and agent.step_limit.is_known:
            limit = agent.step_limit
        served = graphs.served_default(match) if limit.origin in {"absent", "default"} else ABSENT
        limit = limit if served is ABSENT else served
        limit = graphs.run_default(match) if limit.origin == "absent" else limit
        site = Site(agent.span, agent.symbol, agent.framework, SiteKind.EXPORTED_GRAPH, (agent,), agent.tools, limit)
        site = ceilings.of_run(site, match, match)._replace(degree=match.degree)
        path = FeedbackPath(site.span, site.symbol, site.framework, PathKind.RUN, limit, graphs.bounds((match,)))
        yield site, path if graphs.repeats(match) and not _is_single_step(limit) else None


def exported_at(context: Context, graphs: Graphs, sites: Iterable[Site]) -> Iterator[tuple[Site, Match]]:
    """The sites of agents that nothing in the project runs, each with the agent that is made there: those that a
    deployment names, as it names them, and those that are only made.
    """
    left = {site.span: site for site in sites if site.kind is SiteKind.EXPORTED_GRAPH}
    for match in (*graphs.exported, *context.of_kind("agent")) if left else ():
        site = left.pop(ir.place_of(match.node), None)
        if site is not None:
            yield site, match


def _role(context: Context, match: Match) -> Role:
    file = context.program.table.file(match.node.span.path)
    return Role.APP if file is None else file.role


def _dispatches(context: Context, agents: Agents, covered: frozenset[int], ceilings: Ceilings) -> Iterator[Site]:
    """Model calls that are given tools and whose answer's choice is run once, without a loop."""
    for match in context.of_kind("model_call"):
        if not isinstance(match.node, ir.Call):
            continue
        tools = agents.tools_of(match)
        if not tools and all(isinstance(given, Const) for given in agents.values(match, "tools")):
            continue
        for place in dispatching(context.program, match.node, covered):
            site = Site(place.span, called(place), match.row.where.pack, SiteKind.DISPATCH, (), tools)
            yield ceilings.of_asks(site, (match,))._replace(degree=match.degree)


def _run_elsewhere(context: Context, agents: Agents, covered: Collection[int], ceilings: Ceilings) -> Iterator[Site]:
    """Model calls that no loop repeats and whose provider calls the tools by itself before it answers: its own search,
    its interpreter, servers that it connects to. The request is the run; how often it turns is the provider's affair.
    """
    for match in context.of_kind("model_call"):
        if id(match.node) in covered or not isinstance(match.node, ir.Call):
            continue
        tools = agents.tools_of(match)
        servers = agents.values(match, "mcp_servers")
        if any(is_run_by_provider(context, agents, tool) for tool in tools) or not all(map(_is_nothing, servers)):
            site = Site(match.node.span, called(match.node), match.row.where.pack, SiteKind.RUN, (), tools)
            yield ceilings.of_asks(site, (match,))._replace(degree=match.degree)


def _is_nothing(value: Value) -> bool:
    """Whether a value names nothing: it is None, or what a spread may bring (`**kwargs`) and nobody writes."""
    if isinstance(value, Unknown):
        return value.why in {SPREAD, OPEN_MAPPING}
    return isinstance(value, Const) and value.value is None


def _acted(
    acted: ActedOn, agents: Agents, loops: frozenset[Span], covered: frozenset[int], ceilings: Ceilings
) -> Iterator[Site]:
    """Model calls whose answer is run, with or without tools: text that is executed, a call that a word of it picks."""
    for ask, place, degree in acted.found(loops, covered):
        site = Site(place.span, called(place), ask.row.where.pack, SiteKind.DISPATCH, (), agents.tools_of(ask))
        yield ceilings.of_asks(site, (ask,))._replace(degree=degree)
