"""Agent call sites and feedback paths: where frameworks run agents, where agents are only exported, where code
dispatches by hand.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import strongest, weakest
from agent_architecture.model.settings import ABSENT
from agent_architecture.model.system import Bound, BoundKind, FeedbackPath, PathKind, Site, SiteKind
from agent_architecture.names.classes import enclosing_class
from agent_architecture.names.evaluate import is_super
from agent_architecture.names.lookup import only_value
from agent_architecture.names.values import Api, ClassValue, Const, Instance, Unknown
from agent_architecture.semantics.adapters.agent_programs import PACK as PROGRAMS
from agent_architecture.semantics.adapters.fast_agent import asked_agents
from agent_architecture.semantics.adapters.langgraph_tool_nodes import asking_steps
from agent_architecture.semantics.agents.exported import unrun
from agent_architecture.semantics.agents.provider_tools import is_run_by_provider
from agent_architecture.semantics.agents.shaped_tools import shaped
from agent_architecture.semantics.agents.shapes.constructors import held
from agent_architecture.semantics.bounds.client_limits import as_sent
from agent_architecture.semantics.bounds.deadlines import deadline_around
from agent_architecture.semantics.loops.answer_sinks.executed_answers import ActedOn
from agent_architecture.semantics.loops.budgets import Ceilings
from agent_architecture.semantics.loops.hand_written import hand_written
from agent_architecture.semantics.loops.idle_graphs import asks_no_model, is_idle, turns_without_model
from agent_architecture.semantics.loops.single_dispatches import dispatching
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from agent_architecture.model.settings import Setting
    from agent_architecture.model.system import Agent, Tool
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.adapters.graphs import Graphs
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.loops.answer_sinks.answer_sources import KeptStates
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

ENDING: Final = frozenset({PROGRAMS, "llama-index"})
"""Packs whose time limits end a run as a whole (workflows/runtime: WorkflowTimeoutError)."""


def sites_and_paths(
    context: Context, agents: Agents, graphs: Graphs, states: KeptStates | None = None
) -> tuple[tuple[Site, ...], tuple[FeedbackPath, ...], tuple[HandWritten, ...], tuple[HandWritten, ...]]:
    """All sites, one for each (file, line), the feedback paths, and the hand-written ones among them, by position;
    and the chats. `states` is what steps of graphs hand each other.
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
    acted = ActedOn(context, agents.facts.effects, states)
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
        return asked_agents(context, match) if own is None else (own,)
    callee = match.node.callee if isinstance(match.node, ir.Call) else None
    on = dict.fromkeys((match.api.receiver, *_alike(context, match.api.receiver, callee)))
    reads = (at_call(context.program, match.arguments, each, address) for each in on for address in addresses)
    values = [value for read in reads for value in read.values]
    if match.api.receiver in values and isinstance(callee, ir.Member):
        values.extend(context.program.value_of(callee.target))  # a registry gives any of its agents
    return context.made_by(values, "agent") or tuple(_taken_in(context, callee))


def _taken_in(context: Context, callee: ir.Expr | None) -> Iterator[Match]:
    """The agents whose objects run a method of a base of theirs, or of a mixin: `super().run(…)`."""
    cls = (
        enclosing_class(context.program, callee) if isinstance(callee, ir.Member) and is_super(callee.target) else None
    )
    family = () if cls is None else (cls, *context.program.subclasses(cls))
    for match in context.of_kind("agent") if family else ():
        made = match.node.callee if isinstance(match.node, ir.Call) else None
        values = () if made is None else context.program.value_of(made)
        if any(isinstance(value, ClassValue) and value.cls in family for value in values):
            yield match


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
    limit, is_sent = as_sent(context.program, _loosest(context, match, found))
    symbol = called(match.node)
    run = tuple(agent for m in found for agent in (_run_as(context, agents, m, match), *agents.members(m)))
    tools = tuple(dict.fromkeys(tool for agent in run for tool in agent.tools)) or agents.tools_of(match)
    site = Site(match.node.span, symbol, match.row.where.pack, SiteKind.RUN, run, tools, limit)
    asks = not asks_no_model(context, graphs, found)
    site = ceilings.of_run(site, match, *found)._replace(degree=match.degree, asks_model=asks)
    repeats = not _is_single_step(limit) and (not found or any(graphs.repeats(m) for m in found))
    if not repeats or match.row.constants.get("remote") or (asks and turns_without_model(context, graphs, found)):
        return site, None  # whoever serves a remote agent bounds it
    path = FeedbackPath(site.span, symbol, site.framework, PathKind.RUN, limit, graphs.bounds(found))
    around = deadline_around(context, match.node, context.program.scope_of(match.node))
    return site, path._replace(deadline=around or _own_deadline(context, match, found), sent_limit=is_sent)


def _run_as(context: Context, agents: Agents, made: Match, run: Match) -> Agent:
    """The agent that a run executes; of those that one call makes for several classes with the tools of the object that
    it is run on, where that is known: `self.writer.graph.invoke(state)`.
    """
    agent = agents.agent_of(made)
    kinds = _run_on(context, agents, made, run)
    return agent._replace(tools=_tools(kinds)) if kinds else agent


def _run_on(context: Context, agents: Agents, made: Match, run: Match) -> tuple[Agent, ...]:
    """The agents of classes that a run may execute."""
    kinds = agents.kinds[id(made.node)]
    held: set[ir.Class] = set()
    expr = run.node.callee if isinstance(run.node, ir.Call) else None
    while kinds and isinstance(expr, ir.Member) and not held:
        expr = expr.target
        held = {value.cls for value in context.program.value_of(expr) if isinstance(value, Instance)} & kinds.keys()
    return tuple(agent for cls, agent in kinds.items() if not held or cls in held)


def agents_run(context: Context, agents: Agents, run: Match) -> Iterator[Agent]:
    """The agents that a run executes, with those apart that one call makes for several classes."""
    for made in run_agents(context, run):
        yield from _run_on(context, agents, made, run) or (agents.agent_of(made),)


def _tools(several: Iterable[Agent]) -> tuple[Tool, ...]:
    return tuple(dict.fromkeys(tool for agent in several for tool in agent.tools))


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


def _own_deadline(context: Context, match: Match, found: tuple[Match, ...]) -> Bound | None:
    """The time after which a run as a whole is ended by its library, or by whoever started its program."""
    limit = effective(context, match, "time_limit", *found) if match.row.where.pack in ENDING else ABSENT
    never = limit is ABSENT or (limit.is_known and all(value is None for value in limit.values))
    return None if never else Bound(BoundKind.DEADLINE, limit.span or match.node.span, limit)


def _is_single_step(limit: Setting) -> bool:
    """Whether a run asks its model once: the tools that it picks are run, and their results go to the caller."""
    return limit.is_known and all(value == 1 and not isinstance(value, bool) for value in limit.values)


def _exported(
    context: Context, agents: Agents, graphs: Graphs, runs: list[Match], ceilings: Ceilings
) -> Iterator[tuple[Site, FeedbackPath | None]]:
    """Agents that a deployment file names, or that are only made, and that nothing in the application runs."""
    for match, left in _left(context, agents, graphs, runs):
        if is_idle(context.program, graphs, (match,)):
            continue
        agent = agents.agent_of(match)
        agent = agent._replace(tools=_tools(left)) if agents.kinds[id(match.node)] else agent
        limit = effective(context, match, "step_limit")
        if not limit.is_known and agent.step_limit.is_known:
            limit = agent.step_limit
        served = graphs.served_default(match) if limit.origin in {"absent", "default"} else ABSENT
        limit = limit if served is ABSENT else served
        limit = graphs.run_default(match) if limit.origin == "absent" else limit
        site = Site(agent.span, agent.symbol, agent.framework, SiteKind.EXPORTED_GRAPH, (agent,), agent.tools, limit)
        asks = not asks_no_model(context, graphs, (match,))
        site = ceilings.of_run(site, match, match)._replace(degree=match.degree, asks_model=asks)
        path = FeedbackPath(site.span, site.symbol, site.framework, PathKind.RUN, limit, graphs.bounds((match,)))
        turns = graphs.repeats(match) and not (asks and turns_without_model(context, graphs, (match,)))
        yield site, path if turns and not _is_single_step(limit) else None


def _left(
    context: Context, agents: Agents, graphs: Graphs, runs: list[Match]
) -> Iterator[tuple[Match, tuple[Agent, ...]]]:
    """What makes such agents, with those that are left: a test or an example that runs one is no site that stands for
    it; of those that one call makes for several classes some may be run.
    """
    ran = [(match, run_agents(context, match)) for match in runs]
    several = (match for match in context.of_kind("agent") if agents.kinds[id(match.node)])
    found = (*several, *unrun(context, agents, ran), *graphs.exported)  # of one call the last one counts
    made = {id(match.node): match for match in found}
    for match in made.values():
        roles = {Role.APP, Role.CONFIG, context.role(match)}
        here = (run for run, found in ran if context.role(run) in roles and any(m.node is match.node for m in found))
        every = tuple(agents.kinds[id(match.node)].values()) or (agents.agent_of(match),)
        done = {id(one) for run in here for one in _run_on(context, agents, match, run) or every}
        if left := tuple(agent for agent in every if id(agent) not in done):
            yield match, left


def exported_at(context: Context, graphs: Graphs, sites: Iterable[Site]) -> Iterator[tuple[Site, Match]]:
    """The sites of agents that nothing in the project runs, each with the agent that is made there: those that a
    deployment names, as it names them, and those that are only made.
    """
    left = {site.span: site for site in sites if site.kind is SiteKind.EXPORTED_GRAPH}
    for match in (*graphs.exported, *context.of_kind("agent")) if left else ():
        site = left.pop(ir.place_of(match.node), None)
        if site is not None:
            yield site, match


def _dispatches(context: Context, agents: Agents, covered: frozenset[int], ceilings: Ceilings) -> Iterator[Site]:
    """Model calls that are given tools and whose answer's choice is run once, without a loop; those of a graph's step,
    where another step runs what was picked, are the graph's.
    """
    steps = {id(ask.node) for agent in context.of_kind("agent") for ask in asking_steps(context, agent)}
    for match in context.of_kind("model_call"):
        if not isinstance(match.node, ir.Call) or id(match.node) in steps:
            continue
        tools = agents.tools_of(match)
        if not tools and all(isinstance(given, Const) for given in agents.values(match, "tools")):
            continue
        for place in dispatching(context.program, match.node, covered, {tool.name for tool in tools}):
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
        if any(_provided(context, agents, match)) or _is_given_servers(agents, match):
            site = Site(match.node.span, called(match.node), match.row.where.pack, SiteKind.RUN, (), tools)
            yield ceilings.of_asks(site, (match,))._replace(degree=match.degree)


def _is_given_servers(agents: Agents, match: Match) -> bool:
    """Whether a request names servers; that an unreadable rest of its arguments might says nothing."""
    written = bool(agents.offers.exprs(match, "mcp_servers"))
    return any(_may_be_servers(value, written=written) for value in agents.values(match, "mcp_servers"))


def _may_be_servers(value: Value, *, written: bool) -> bool:
    return written if isinstance(value, Unknown) else not isinstance(value, Const) or value.value is not None


def _provided(context: Context, agents: Agents, match: Match) -> Iterator[bool]:
    """Whether the provider runs each tool of a request; an object that the program makes of a library's class is run
    here, unless rows say otherwise.
    """
    for expr, values in agents.bound(match, "tools"):
        for value in values:
            is_object = isinstance(value, Api) and isinstance(value.node, ir.Call)
            if not is_object or context.made(value, "tool") is not None:
                tool = agents.tool_of(expr, value, match)
                yield tool is not None and is_run_by_provider(context, agents, tool)


def _acted(
    acted: ActedOn, agents: Agents, loops: frozenset[Span], covered: frozenset[int], ceilings: Ceilings
) -> Iterator[Site]:
    """Model calls whose answer is run, with or without tools: text that is executed, a call that a word of it picks."""
    for ask, place, degree in acted.found(loops, covered):
        site = Site(place.span, called(place), ask.row.where.pack, SiteKind.DISPATCH, (), agents.tools_of(ask))
        yield ceilings.of_asks(site, (ask,))._replace(degree=degree)
