"""Calls to models and other machines that are made again and again: in loops, in fan-outs, in tools. What stops them
when what they call keeps failing: a breaker around them, a fallback in their place, a time limit.

Facts; whether they are enough is for the detector.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.resilience import RemoteUse
from agent_architecture.model.settings import ABSENT, Origin, written
from agent_architecture.names.exits import answers
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.semantics.bounds.circuit_breakers import COUNTED, OwnBreakers
from agent_architecture.semantics.bounds.deadlines import deadline_around
from agent_architecture.semantics.callgraph.callers import on_ways
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.context import called, dotted
from agent_architecture.semantics.matching.effective import effective, written_values
from agent_architecture.semantics.matching.matches import call_sites
from agent_architecture.semantics.matching.picked_tools import picks
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.topics.remote.breaker_functions import THROUGH, handed_to_breakers
from agent_architecture.semantics.topics.remote.declared import declared, have_own_steps
from agent_architecture.semantics.topics.remote.elsewhere import SENDING, Elsewhere
from agent_architecture.semantics.topics.remote.fallbacks import is_again, is_flagged, written_fallback
from agent_architecture.semantics.topics.remote.item_loops import asked_for_each
from agent_architecture.semantics.topics.remote.services import CLIENT, Service, grouped, holders, service_of
from agent_architecture.semantics.topics.remote.shared_requests import Asked, hosts_of_callers, of_service
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.resilience import FanOut
    from agent_architecture.model.settings import Setting
    from agent_architecture.model.system import Binding, FeedbackPath
    from agent_architecture.semantics.adapters.graphs import Graphs
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.loops.reached_work import Reached, Work
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

ASKING: Final = frozenset({"model_call"})
"""Kinds of calls that may be one with others that ask the same service."""
IN_LOOP: Final = "in the loop at line"
"""How the reason begins for a call that a hand-written loop repeats."""
ABOVE: Final = 3
"""Callers through which a breaker is looked for."""


def in_loop(call: ir.Call, header: Span) -> str:
    """Where the loop stands that repeats a call, as the end of a sentence."""
    return f"{IN_LOOP} {header.line}" + (
        f" of {header.path.rpartition('/')[2]}" if header.path != call.span.path else ""
    )


def remote_uses(  # noqa: PLR0913, PLR0917 - where calls may be repeated
    work: Work,
    graphs: Graphs,
    hosted: frozenset[int],
    bindings: Iterable[Binding],
    loops: Iterable[HandWritten],
    paths: Iterable[FeedbackPath],
    fan_outs: Iterable[FanOut],
) -> tuple[RemoteUse, ...]:
    """Every such call once, with the first reason why it is made again and again; the calls of one agent that ask one
    service are one. `hosted` are the ids of tools that only a host's agents call.
    """
    reader = _Reader(work, graphs, frozenset(id(binding.tool) for binding in bindings), hosted)
    found: dict[Span, tuple[ir.Call, Match | None, RemoteUse]] = {}
    for node, match, where in reader.calls(tuple(loops), tuple(paths), tuple(fan_outs)):
        if node.span not in found:
            found[node.span] = (node, match, reader.use(node, match, where))
    each = [one for node, match, use in found.values() for one in reader.services(node, match, use)]
    together = grouped(each, lambda one: one.service, lambda one: reader.owners(one.node))
    return tuple(of_service([one.use for one in members]) for members in together)


class _Reader:
    def __init__(self, work: Work, graphs: Graphs, bound: frozenset[int], hosted: frozenset[int]) -> None:
        self._work = work
        self._graphs = graphs
        self._bound = bound
        agents = work.agents
        here = {id(agents.code.get(id(tool))) for tool in agents.known_tools() if id(tool) not in hosted}
        self._served = {id(agents.code.get(id(tool))) for tool in agents.known_tools() if id(tool) in hosted} - here
        """The functions that only a host's agents run."""
        self._context = work.context
        self._handed = dict(handed_to_breakers(work))
        self._own = OwnBreakers(work.context)
        self._elsewhere = Elsewhere(work)
        self._holders = holders(work.context.program, agents)
        self._owners: dict[Span, set[Span]] = {}
        """Whose tools and loops come to a call."""
        self._tools: dict[Span, str] = {}
        """The first tool that does, as the end of a sentence."""

    def service(self, node: ir.Call, match: Match | None) -> Service | None:
        """The service that a call asks. Requests to models are one where they go through one object of a client; a run
        and what an agent is declared with stand for themselves.
        """
        if match is not None and match.row.kind not in ASKING:
            return None
        found = service_of(self._context.program, self._work.effects, node, of_model=match is not None)
        return None if match is not None and found is not None and found.kind != CLIENT else found

    def services(self, node: ir.Call, match: Match | None, use: RemoteUse) -> Iterator[Asked]:
        """A call with its service; one to whatever host its function is handed, at each call of that function."""
        handed = hosts_of_callers(self._context.program, self._work.effects, node)
        for site, service in handed:
            here = self.use(site, match, self._tools.get(site.span, use.where))
            breaker = use.breaker or here.breaker
            at_site = here._replace(
                framework=use.framework,
                breaker=breaker,
                skipped=None if breaker is not None else here.skipped,
                fallback=use.fallback or here.fallback,
                time_limit=here.time_limit if use.time_limit is ABSENT else use.time_limit,
            )
            yield Asked(site, service, at_site)
        if not handed:
            yield Asked(node, self.service(node, match), use)

    def owners(self, node: ir.Call) -> frozenset[Span]:
        """The agents, loops and the function whose call it is."""
        scope = self._context.program.scope_of(node)
        own = scope.span if isinstance(scope, ir.Module) else ir.place_of(scope)
        return frozenset((*self._owners.get(node.span, ()), own))

    # --------------------------------------------------------------------------------------------------------- calls
    def calls(
        self, loops: tuple[HandWritten, ...], paths: tuple[FeedbackPath, ...], fan_outs: tuple[FanOut, ...]
    ) -> Iterator[tuple[ir.Call, Match | None, str]]:
        """The calls, what they match, and why they are repeated, as the end of a sentence. The run of a graph whose
        steps are the project's functions asks nobody: its steps do.
        """
        for loop in loops:
            for ask in loop.asks:
                if isinstance(ask.node, ir.Call):
                    whose = self._owners.setdefault(ask.node.span, set())
                    whose.add(loop.path.span)
                    yield from self._asked(ask.node, ask, in_loop(ask.node, loop.path.span), whose)
        repeating = {path.span for path in paths}
        yield from self._of_runs(repeating, fan_outs)
        yield from declared(self._work.agents, self._graphs, repeating)
        yield from self._in_tools()
        yield from self._ready_made()
        yield from self._at_once(fan_outs)
        yield from self._in_passes(loops)
        yield from self._picked()
        for chosen in self._elsewhere.chosen():
            yield chosen, None, "with the tool that a model picked"
        for node, match, each in asked_for_each(self._context, self._graphs.run_by_steps()):
            yield node, match, in_loop(node, each.header)
        yield from self._coming_back()

    def _coming_back(self) -> Iterator[tuple[ir.Call, Match | None, str]]:
        """The calls of the steps that graphs come back to, each asked by the agents whose graph it is."""
        for function in self._graphs.coming_back():
            whose = [agent.node.span for agent in self._graphs.acting(function)]
            for node in self._work.inside(*function.body).nodes:
                asked = self._context.at(node, "model_call")
                if isinstance(node, ir.Call) and (asked is not None or self._elsewhere.is_named(node)):
                    self._owners.setdefault(node.span, set()).update(whose)
                    yield node, asked, f"in repeated graph step {function.name or function.qualname}"

    def _of_runs(
        self, repeating: set[Span], fan_outs: tuple[FanOut, ...]
    ) -> Iterator[tuple[ir.Call, Match | None, str]]:
        """The runs whose own loop comes back to a model, and what fan-outs start."""
        started = {span: fan for fan in fan_outs for span in fan.starts}
        for match in self._context.of_kind("run", "model_call"):
            if not isinstance(match.node, ir.Call):
                continue
            is_run = match.row.kind == "run" and match.node.span in repeating
            if is_run and not self._is_of_steps(match):
                yield match.node, match, "in each step of the run"
            elif match.node.span in started:
                yield from self._asked(match.node, match, f"in parallel ({started[match.node.span].symbol})", ())

    def _in_tools(self) -> Iterator[tuple[ir.Call, Match | None, str]]:
        """The calls that the code of tools comes to."""
        own = (f for f in self._work.agents.running().values() if id(f) not in self._served)
        for function in own:
            where = f"in tool {function.name or function.qualname}"
            whose = (ir.place_of(function), *self._holders.get(id(function), ()))
            for node in self._work.inside(*function.body).nodes:
                if isinstance(node, ir.Call):
                    self._owners.setdefault(node.span, set()).update(whose)
                    self._tools.setdefault(node.span, where)
                    picked = self._context.at(node, "run", "model_call")
                    if picked is not None or self._elsewhere.is_asked(node):
                        yield from self._asked(node, picked, where, whose)

    def _is_of_steps(self, match: Match) -> bool:
        return match.row.kind == "run" and have_own_steps(self._graphs, run_agents(self._context, match))

    def _asked(
        self,
        node: ir.Call,
        match: Match | None,
        where: str,
        whose: Iterable[Span],
        around: frozenset[int] = frozenset(),
    ) -> Iterator[tuple[ir.Call, Match | None, str]]:
        """A call; of the run of a graph that asks nobody by itself, the calls of its steps."""
        if match is None or not self._is_of_steps(match):
            yield node, match, where
            return
        seen = around | {id(node)}
        steps = (f for agent in run_agents(self._context, match) for f in self._graphs.functions(agent))
        for step in dict.fromkeys(steps):
            for each in self._work.inside(*step.body).nodes:
                asked = self._context.at(each, "run", "model_call") if id(each) not in seen else None
                if isinstance(each, ir.Call) and (asked is not None or self._elsewhere.is_named(each)):
                    self._owners.setdefault(each.span, set()).update(whose)
                    yield from self._asked(each, asked, where, whose, seen)

    def _at_once(self, fan_outs: tuple[FanOut, ...]) -> Iterator[tuple[ir.Call, Match | None, str]]:
        """The calls to other machines that each branch of a fan-out comes to."""
        sent = {span: fan for fan in fan_outs for span in fan.requests}
        for site in call_sites(self._context.program, self._elsewhere.names if sent else frozenset()):
            node = site.call
            if node.span in sent and self._elsewhere.is_asked(node):
                yield node, None, f"in parallel ({sent[node.span].symbol})"

    def _in_passes(self, loops: tuple[HandWritten, ...]) -> Iterator[tuple[ir.Call, Match | None, str]]:
        """The calls to other machines that the passes of a loop by hand come to, tools of servers above all."""
        for loop in loops:
            for node in loop.inside.nodes() if loop.site is not None else ():
                if isinstance(node, ir.Call) and self._elsewhere.is_named(node):
                    self._owners.setdefault(node.span, set()).add(loop.path.span)
                    yield node, None, in_loop(node, loop.path.span)

    def _picked(self) -> Iterator[tuple[ir.Call, Match | None, str]]:
        """The calls to other machines in a loop over the tools that a model picked."""
        program = self._context.program
        for site in call_sites(program, self._elsewhere.names):
            for loop in program.structure(site.scope).enclosing(site.call, ir.Loop):
                if loop.source is not None and picks(loop.source) and self._elsewhere.is_asked(site.call):
                    yield site.call, None, in_loop(site.call, loop.header)

    def _ready_made(self) -> Iterator[tuple[ir.Call, Match | None, str]]:
        """The libraries' own tools that ask other machines from here; what a provider hosts is part of its answer."""
        made = {match.node.span: match for match in self._context.of_kind("tool")}
        for tool in self._work.agents.known_tools():
            match = made.get(tool.span) if id(tool) in self._bound and id(tool) not in self._work.agents.code else None
            node = match.node if match is not None else None
            asks = any(effect.span == tool.span and effect.kind in SENDING for effect in tool.effects)
            if match is None or not isinstance(node, ir.Call) or not asks:
                continue
            if effective(self._context, match, "hosted").value is not True:
                yield node, None, "as a tool" if dotted(node.callee) == tool.name else f"in tool {tool.name}"

    def use(self, node: ir.Call, match: Match | None, where: str) -> RemoteUse:
        """A call with what stops it."""
        agents = () if match is None or match.row.kind != "run" else run_agents(self._context, match)
        client = None if match is None else self._client(match)
        scope = self._context.program.scope_of(node)
        breakers, every_way = on_ways(self._context.program, node, scope, self._breaker_at, ABOVE)
        breaker = breakers[0] if breakers and every_way else self._counted(node, scope, where.startswith(IN_LOOP))
        return RemoteUse(
            node.span,
            called(node),
            "" if match is None else match.row.where.pack,
            where,
            match is not None,
            breaker,
            None if breaker is not None else next(iter(breakers), None),
            ABSENT if client is None else effective(self._context, client, "cooldown"),
            self._fallback(node, match, agents, client),
            self._time_limit(node, match, agents, client),
        )

    def _client(self, match: Match) -> Match | None:
        """The client that a request goes through: the one that its row names, else the object whose method it is."""
        address = match.row.relations.get("client")
        if address is None:
            return self._context.made(match.api, "model_client") if match.row.kind == "model_call" else None
        values = at_call(self._context.program, match.arguments, match.api.receiver, address).values
        return next(iter(self._context.made_by(values, "model_client")), None)

    def _breaker_at(self, node: ir.Node, scope: ir.Scope) -> Span | None:
        """The breaker around a call, or around its function."""
        for around in self._context.program.structure(scope).ancestors(node):
            found = self._through(around)
            if found is not None:
                return found
        if not isinstance(scope, ir.Function):
            return None
        own = self._context.at(scope, "breaker")
        if self._own.runs(scope):
            return scope.name_span
        if own is not None or id(scope) in self._handed:
            return scope.name_span if own is not None else self._handed[id(scope)]
        for decorator in scope.decorators:
            made = self._made(decorator)
            if made is not None:
                return decorator.span
        return None

    def _through(self, around: ir.Node) -> Span | None:
        if isinstance(around, ir.Call) and callee_name(around.callee) in THROUGH:
            receiver = around.callee.target if isinstance(around.callee, ir.Member) else None
            return around.span if receiver is not None and self._made(receiver) is not None else None
        if isinstance(around, ir.With):
            return next((item.value.span for item in around.items if self._made(item.value) is not None), None)
        return None

    def _made(self, expr: ir.Expr) -> Match | None:
        return next(iter(self._context.made_by(self._context.program.value_of(expr), "breaker")), None)

    def _counted(self, node: ir.Node, scope: ir.Scope, in_loop: bool) -> Span | None:
        """A counter of failures by hand in the function of a call, or around every call of it."""
        found, every_way = on_ways(
            self._context.program, node, scope, lambda place, owner: self._counted_at(place, owner, in_loop), ABOVE
        )
        return found[0] if found and every_way else None

    def _counted_at(self, node: ir.Node, scope: ir.Scope, in_loop: bool) -> Span | None:
        """A counter of failures by hand: raised where the call fails, and compared to leave. A variable of a function
        that is called anew each time forgets what failed; one of the loop that repeats the call does not.
        """
        if not isinstance(scope, ir.Function):
            return None
        body = tuple(own_nodes(scope))
        tries = [each for each in body if isinstance(each, ir.Try) and each.span.contains(node.span)]
        failed = [node for each in tries for handler in each.handlers for node in ir.walk(*handler.body)]
        raised = {
            dotted(change.target)
            for change in failed
            if isinstance(change, ir.Assign) and change.op == ir.Op.ADD and COUNTED.search(dotted(change.target))
        }
        outer = {name for each in body if isinstance(each, ir.Global) for name in each.names}
        raised = {name for name in raised if in_loop or "." in name or name in outer}
        told = tuple(self._own.recorders(failed))
        return self._own.refuses(node, body, raised, told) if raised or told else None

    # ------------------------------------------------------------------------------------------ fallbacks, time limits
    def _fallback(
        self, node: ir.Call, match: Match | None, agents: tuple[Match, ...], client: Match | None
    ) -> Span | None:
        """Another provider or model that takes over, or an answer that says that it stands in."""
        for place in (match, client, *agents):
            if place is None:
                continue
            if place.row.kind == "model_client" and written_fallback(self._work, place):
                return place.node.span
            values = (place.api, *written_values(self._context, place, "model"))
            inside = (m for m in self._context.of_kind("fallback") if place.node.span.contains(m.node.span))
            made = next(iter((*self._context.made_by(values, "fallback"), *inside)), None)
            if made is not None:
                return made.node.span
        return self._by_hand(node, asks=match is not None)

    def _by_hand(self, node: ir.Call, *, asks: bool) -> Span | None:
        scope = self._context.program.scope_of(node)
        for around in self._context.program.structure(scope).ancestors(node):
            if not isinstance(around, ir.Try) or not any(part.span.contains(node.span) for part in around.body):
                continue
            for handler in around.handlers:
                reached = self._work.inside(*handler.body)
                others = (ask.node for ask in reached.asks) if asks else self._remote(reached)
                if any(not is_again(node, other) for other in others):
                    return handler.span
                if any(map(is_flagged, answers(ir.walk(*handler.body)))):
                    return handler.span
        return None

    def _remote(self, reached: Reached) -> Iterator[ir.Call]:
        calls = (node for node in reached.nodes if isinstance(node, ir.Call))
        return (call for call in calls if any(row.effect in SENDING for row, _ in self._work.effects.rows(call)))

    def _time_limit(
        self, node: ir.Call, match: Match | None, agents: tuple[Match, ...], client: Match | None
    ) -> Setting:
        limit = deadline_around(self._context, node, self._context.program.scope_of(node))
        if limit is not None and limit.every_path:
            return limit.limit
        for place in (match, client, *agents):
            if place is not None:
                found = effective(self._context, place, "time_limit")
                if found.origin is not Origin.ABSENT:
                    return found
        given = next((a for a in node.args if a.keyword in {"timeout", "signal", "time_limit"}), None)
        return ABSENT if given is None else _written(given)


def _written(argument: ir.Argument) -> Setting:
    value = argument.value.value if isinstance(argument.value, ir.Literal) else str(argument.keyword)
    known = value if isinstance(value, (str, int, float, bool)) or value is None else str(value)
    return written(known, argument.value.span)
