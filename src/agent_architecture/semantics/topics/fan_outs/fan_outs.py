"""Fan-outs: places where agents, models or tools are started several times at once, how many, and what bounds them.

Only what reaches an agent run, a model call or a tool counts. States widths and limits; the detector judges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.resilience import FanOut
from agent_architecture.model.settings import ABSENT, Origin, Setting, unknown
from agent_architecture.model.system import SiteKind
from agent_architecture.names import flow
from agent_architecture.names.made_once import made_for_all
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Func
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.agents.functions_of_agents import Near
from agent_architecture.semantics.agents.provider_tools import is_run_by_provider
from agent_architecture.semantics.bounds.spawn_limits import is_only_one
from agent_architecture.semantics.bounds.spawns import SAME, Spawn, loop_around, spawned, width_of
from agent_architecture.semantics.loops.sites import exported_at, run_agents
from agent_architecture.semantics.matching.context import called, dotted
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.picked_tools import picks
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.semantics.topics.fan_outs.limits import limit_of, limiters, limits_of_runs, meant, own_limit
from agent_architecture.semantics.topics.fan_outs.sent_steps import sent_to
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Site
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.adapters.graphs import Graphs
    from agent_architecture.semantics.loops.reached_work import Reached, Work
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.topics.fan_outs.sent_steps import Sent
    from agent_architecture.sources.source import Span

RUNNING: Final = ("invoke", "run", "generate", "stream")
"""Methods of agents that run them."""
CALLBACKS: Final = frozenset({"map", "flatMap", "forEach"})
REACHING: Final = ("network_read", "network_write", "browser", "execute_process", "execute_shell")
"""Effects that cost somebody something for each: other machines, processes of this one."""


class Started(NamedTuple):
    """A fan-out before it is merged with others: `node` is its call, `is_pool` when a pool of fixed size runs it."""

    fan_out: FanOut
    node: ir.Call
    spawn: Spawn
    starts: str
    is_pool: bool


def fan_outs(work: Work, graphs: Graphs, sites: Iterable[Site], near: Near) -> tuple[FanOut, ...]:
    """Every fan-out of a project that runs an agent, in no order."""
    known = tuple(sites)
    if all(site.kind in {SiteKind.MCP_SERVER, SiteKind.MCP_CLIENT} for site in known):
        return ()
    tools = work.agents.functions()
    matches = work.context.of_kind("fan_out")
    found = [started for match in matches for started in _of_match(work, graphs, match, tools, near)]
    found.extend(_unawaited(work))
    return (*(started.fan_out for started in _merged(found)), *_by_frameworks(work, graphs, known))


def _merged(found: list[Started]) -> Iterator[Started]:
    """One fan-out where tasks are started in a loop and then joined: the join, or the pool that runs them."""
    dropped: set[int] = set()
    for join in (one for one in found if one.starts == "all"):
        for start in (one for one in found if one.starts == "one"):
            if any(node.span.contains(start.node.span) for node in join.spawn.work):
                dropped.add(id(join) if start.is_pool else id(start))
    seen: set[tuple[str, int]] = set()
    for started in found:
        place = (started.spawn.node.span.path, started.spawn.node.span.line)
        if id(started) not in dropped and (started.starts != "one" or place not in seen):
            seen.add(place)
            yield started


# ----------------------------------------------------------------------------------------------------------- by library
def _of_match(work: Work, graphs: Graphs, match: Match, tools: dict[int, ir.Function], near: Near) -> Iterator[Started]:
    if not isinstance(match.node, ir.Call):
        return
    starts = str(effective(work.context, match, "starts").value or "")
    if starts == "one" and is_only_one(work.context, match.node):
        return
    for spawn in _spawns(work, match, match.node, starts, tools):
        reached = work.inside(*spawn.work, *((match.node,) if starts == "one" else ()))
        by_model = spawn.source is None and not isinstance(spawn.node, ir.Loop)
        by_model = by_model or (spawn.source is not None and _is_by_model(work, spawn.source, tools))
        sent = sent_to(work, graphs, match.node) if _is_send(match) else None
        acts = reached.acts or _asks(work, match) or (sent is not None and _acts(work, sent))
        if not (acts or (by_model and _dispatches(spawn)) or _reaches_out(work, spawn, reached, near)):
            continue
        limit = own_limit(work, match, match.node)
        fan_out = _fan_out(work, match, spawn, reached, limit)._replace(by_model=by_model)
        if sent is not None:
            fan_out = _of_step(work, fan_out, sent)
        yield Started(fan_out, match.node, spawn, starts, "width" in match.row.properties and starts == "one")


def _reaches_out(work: Work, spawn: Spawn, reached: Reached, near: Near) -> bool:
    """Whether an agent's code starts requests to other machines, or processes, one for each of something."""
    if spawn.source is None or not near.to_agent(work.context.program.scope_of(spawn.node)):
        return False
    names = work.context.packs.effect_names(*REACHING)
    calls = [node for node in reached.nodes if isinstance(node, ir.Call)]
    named = (call for call in calls if callee_name(call.callee) in names)
    if any(row.effect in REACHING for call in named for row, _ in work.effects.rows(call)):
        return True
    found = (api for call in calls for api in resolved(work.context.program, call.callee))
    return any(
        row.kind == "source" and row.name == "web" for api in found for row in work.context.packs.flows(api.path)
    )


def _spawns(work: Work, match: Match, call: ir.Call, starts: str, tools: dict[int, ir.Function]) -> Iterator[Spawn]:
    program = work.context.program
    address = match.row.properties.get("items")
    if starts == "all" and address is not None:
        for expr in expressions(program, call, address):
            yield from list(spawned(program, expr))[:1]
    elif starts == "each" and address is not None:
        for expr in expressions(program, call, address)[:1]:
            handed = (node for argument in call.args for node in _body_of(work, argument.value))
            yield Spawn((call, *handed), expr, call)
    elif starts == "each":
        yield Spawn((call,), None, call)  # as many as a plan of the library's own model has
    elif starts == "one":
        given = tuple(argument.value for argument in call.args)
        functions = tuple(node for expr in given for node in _body_of(work, expr))
        around = _repeated(work, call)
        if around is not None:
            yield Spawn((*given, *functions), *around)
        elif not _is_send(match) and _is_run_by_tool(program, program.scope_of(call), tools):
            yield Spawn((*given, *functions), None, call)


def _is_run_by_tool(program: Program, scope: ir.Scope, tools: dict[int, ir.Function]) -> bool:
    """Whether a function is a tool, or one that a tool calls."""
    callers = program.callers(scope) if isinstance(scope, ir.Function) else ()
    return id(scope) in tools or any(id(site.scope) in tools for site in callers)


def _body_of(work: Work, expr: ir.Expr) -> tuple[ir.Node, ...]:
    """The body of a function that is handed over to be run: `submit(f, x)`, `Thread(target=f)`."""
    if not isinstance(expr, (ir.Function, ir.Name, ir.Member)):
        return ()
    values = work.context.program.value_of(expr)
    return tuple(node for value in values if isinstance(value, Func) for node in value.function.body)


def _repeated(work: Work, call: ir.Call) -> tuple[ir.Expr | None, ir.Node] | None:
    """What a call is repeated for, and the loop or mapping around it."""
    program = work.context.program
    loop = loop_around(program, call)
    if loop is not None:
        return loop.source, loop
    scope = program.scope_of(call)
    if isinstance(scope, ir.Function) and not scope.name and not isinstance(scope.outer, ir.Class):
        for outer in program.structure(scope.outer).calls:
            handed = any(argument.value is scope for argument in outer.args)
            if handed and isinstance(outer.callee, ir.Member) and outer.callee.name in CALLBACKS:
                return outer.callee.target, outer
    return None


def _unawaited(work: Work) -> Iterator[Started]:
    """`items.forEach(async (item) => …)`: nobody waits, so all run at once."""
    for site in work.context.program.calls("forEach"):
        callee = site.call.callee
        function = site.call.args[0].value if site.call.args else None
        if not isinstance(callee, ir.Member) or not isinstance(function, ir.Function) or not function.is_async:
            continue
        spawn = Spawn(function.body, callee.target, site.call)
        reached = work.inside(*spawn.work)
        if reached.acts:
            width = width_of(work.context.program, callee.target)
            limit = limit_of(work, spawn, reached)
            fan_out = FanOut(
                site.call.span,
                called(site.call),
                "",
                width,
                limit,
                items=dotted(callee.target),
                starts=_started(reached),
                requests=_requested(reached),
            )
            yield Started(fan_out, site.call, spawn, "each", is_pool=False)


def _fan_out(work: Work, match: Match, spawn: Spawn, reached: Reached, own: Setting) -> FanOut:
    program = work.context.program
    width = width_of(program, spawn.source) if spawn.source is not None else unknown("what runs at run time")
    recursive = _comes_back(program.scope_of(match.node), reached, match.node)
    limit = own if own is not ABSENT else limit_of(work, spawn, reached)
    runs = tuple(limits_of_runs(work)) if limit is ABSENT and _is_send(match) else ()
    limit = next((own for _, own in runs if own.is_known), limit)
    limiter = next((made for made, _ in limiters(work, spawn, reached)), None)
    is_kept = limiter is not None and made_for_all(work.context.program, limiter.node)
    per_level = recursive and limiter is not None and any(n is limiter.node for n in reached.nodes) and not is_kept
    return FanOut(
        match.node.span,
        called(match.node),
        match.row.where.pack,
        width,
        limit,
        recursive=recursive,
        items=_of_what(spawn.source),
        limit_per_level=per_level,
        starts=_started(reached),
        requests=_requested(reached),
        runs=tuple(span for span, _ in runs),
    )


def _of_what(source: ir.Expr | None) -> str:
    """What there is one for each of: `enumerate(texts)` are the texts."""
    while isinstance(source, ir.Call) and callee_name(source.callee) in SAME and source.args:
        source = source.args[0].value
    return dotted(source) if source is not None else ""


def _started(reached: Reached) -> tuple[Span, ...]:
    return tuple(match.node.span for match in reached.asks)


def _requested(reached: Reached) -> tuple[Span, ...]:
    return tuple(call.span for call in reached.requests)


def _comes_back(scope: ir.Scope, reached: Reached, start: ir.Node) -> bool:
    """Whether what is started runs the function again that starts it."""
    first = scope.body[0] if isinstance(scope, ir.Function) and scope.body else None
    return first is not None and first is not start and any(node is first for node in reached.nodes)


def _is_send(match: Match) -> bool:
    return match.api.path.endswith("Send")


def _asks(work: Work, match: Match) -> bool:
    """Whether the call itself asks a model for each of its items."""
    own = work.context.at(match.node, "model_call", "run")
    return own is not None or effective(work.context, match, "asks").value is True


def _of_step(work: Work, fan_out: FanOut, sent: Sent) -> FanOut:
    """The fan-out with what the step comes to; what the steps of a graph do stands for the run of it."""
    own, inner = work.inside(*sent.own), work.inside(*sent.inner)
    asks = own.asks if not sent.inner else tuple(ask for ask in own.asks if ask.row.kind != "run")
    starts = (*(ask.node.span for ask in asks), *_started(inner))
    return fan_out._replace(starts=starts, requests=(*_requested(own), *_requested(inner)))


def _acts(work: Work, sent: Sent) -> bool:
    """Whether the step that a `Send` names reaches a model; true where the step cannot be found."""
    return bool(sent.agents) or not sent.own or work.inside(*sent.own).acts


# --------------------------------------------------------------------------------------------------------- model-shaped
def _is_by_model(work: Work, source: ir.Expr, tools: dict[int, ir.Function]) -> bool:
    """Whether a model decides how many there are."""
    if picks(source):
        return True
    for origin in flow.ends(work.context.program, source):
        if origin.kind == "call" and work.context.at(origin.node, "model_call", "run") is not None:
            return True
        if origin.kind == "parameter" and id(origin.node) in tools:
            return True
    return False


def _dispatches(spawn: Spawn) -> bool:
    """Whether what is started are the tools that a model picked."""
    return spawn.source is not None and picks(spawn.source)


# ----------------------------------------------------------------------------------------------------- by frameworks
def _by_frameworks(work: Work, graphs: Graphs, sites: tuple[Site, ...]) -> Iterator[FanOut]:
    """Sites whose library runs the tool calls of one answer in parallel."""
    by_place = {(site.span.path, site.span.line): site for site in sites}
    apart = frozenset((*_hosted(work), *_run_by_steps(work)))
    for match in work.context.of_kind("run"):
        site = by_place.pop((match.node.span.path, match.node.span.line), None)
        agents = run_agents(work.context, match)
        hosted = apart | _in_their_turn(work, agents)
        if site is None or not any(_states(place, "concurrency") for place in (match, *agents)):
            continue
        if not ({tool.span for tool in site.tools} - hosted or _have_tools(work, match, agents, hosted)):
            continue
        limit = meant(effective(work.context, match, "concurrency", *agents))
        if not _in_turn(limit):
            yield _in_parallel(site, limit)
    for site, match in exported_at(work.context, graphs, by_place.values()):
        bounded = _states(match, "concurrency")
        if not (bounded or _runs_state(work, match, "concurrency")):
            continue
        hosted = apart | _in_their_turn(work, (match,))
        if {tool.span for tool in site.tools} - hosted or _have_tools(work, match, (match,), hosted):
            limit = meant(effective(work.context, match, "concurrency")) if bounded else ABSENT
            if not _in_turn(limit):
                yield _in_parallel(site, limit)


def _in_turn(limit: Setting) -> bool:
    """Whether the library runs the tool calls of an answer one after the other, unless it is told otherwise."""
    return limit.origin is Origin.DEFAULT and limit.is_known and limit.values == (1,)


def _in_parallel(site: Site, limit: Setting) -> FanOut:
    return FanOut(
        site.span,
        site.symbol,
        site.framework,
        unknown("the model"),
        limit,
        by_model=True,
        framework_runs=True,
        confidence=Confidence.HIGH,
    )


def _runs_state(work: Work, agent: Match, name: str) -> bool:
    """Whether the calls that run an agent of this library may say something of it."""
    rows = (row for method in RUNNING for row in work.context.packs.entities(f"{agent.api.path}().{method}"))
    return any(row.kind == "run" and name in {*row.properties, *row.defaults, *row.constants} for row in rows)


def _have_tools(work: Work, run: Match, agents: tuple[Match, ...], hosted: frozenset[Span]) -> bool:
    """Whether a run may call tools that its own agents do not list: of a registry, or of those they hand over to.
    Agents that answer as tools do are some, too.
    """
    reached = [work.agents.agent_of(match) for match in agents]
    for agent in reached:  # grows
        reached += [e.target for e in work.agents.handoffs if e.source is agent and e.target not in reached]
    open_ended = (id(match.node) in work.agents.open_ended for match in (run, *agents))
    asking = [work.agents.agent_of(match) for match in agents if match.row.constants.get("hears_back")]
    asked = any(edge.source is agent for edge in work.agents.handoffs for agent in asking)
    return asked or any({tool.span for tool in agent.tools} - hosted for agent in reached) or any(open_ended)


def _hosted(work: Work) -> Iterator[Span]:
    """Where tools stand that the model's provider runs: the library starts none of them."""
    known = work.agents.known_tools()
    yield from (tool.span for tool in known if is_run_by_provider(work.context, work.agents, tool))


def _in_their_turn(work: Work, agents: tuple[Match, ...]) -> frozenset[Span]:
    """Where tools stand that a library runs on its event loop, one after the other, for they are plain functions."""
    if not all(agent.row.constants.get("in_turn") for agent in agents) or not agents:
        return frozenset()
    code = work.agents.code
    plain = (tool for tool in work.agents.known_tools() if id(tool) in code and not code[id(tool)].is_async)
    return frozenset(tool.span for tool in plain)


def _run_by_steps(work: Work) -> Iterator[Span]:
    """Where tools stand that only the project's own steps of graphs run, one after the other unless they say so."""
    graphs = tuple(work.context.of_kind("agent"))
    by_library = {tool.span for graph in graphs for tool in work.agents.tools_of(graph)}
    offered = (tool for graph in graphs for tool in work.agents.of_steps(graph))
    yield from (tool.span for tool in offered if tool.span not in by_library)


def _states(match: Match, name: str) -> bool:
    return name in match.row.properties or name in match.row.defaults or name in match.row.constants
