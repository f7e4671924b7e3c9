"""Which agents start which inside their own runs: as tools, in the code of tools, in hooks, in the passes of a loop.

A hand-written loop that several classes inherit is one agent for each class that is made. Facts; detectors judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.coordination import Nested, Through
from agent_architecture.model.system import PathKind, SiteKind
from agent_architecture.names import classes
from agent_architecture.names.values import ClassValue, Func, Instance, Items
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.topics.coordination.depths import stopped_at
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.system import Site, Tool
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.loops.hand_written import HandWritten
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

HOOKS: Final = ("guards", "callbacks")
"""Relations whose functions a library calls around a run."""


class Known(NamedTuple):
    """An agent: where it is made, and what a reader would call it."""

    span: Span
    name: str


class Code(NamedTuple):
    """What a stretch of code may run, without the passes of the loops that it starts."""

    functions: tuple[ir.Function, ...]
    nodes: tuple[ir.Node, ...]


class Nesting:
    """Asks for each tool, hook and loop once what it starts."""

    def __init__(self, work: Work, loops: tuple[HandWritten, ...], sites: Iterable[Site]) -> None:
        self._context = work.context
        self._agents = work.agents
        every = tuple(sites)
        self._tools = {site.span: site.tools for site in every}
        bare = (site for site in every if site.kind is SiteKind.RUN and site.tools and not site.agents)
        self._bare = {site.span: Known(site.span, site.symbol) for site in bare}
        """Runs that are given tools and no agent: each is one."""
        known = (loop for loop in loops if loop.site is not None and loop.site.span in self._tools)
        ordered = sorted(known, key=lambda loop: loop.path.kind is PathKind.LOOP)
        self._loops = tuple({id(loop.scope): loop for loop in ordered}.values())
        """One for each function: a loop and a recursion of it are one agent."""
        self._passes = {id(node) for loop in self._loops for node in loop.inside.own}
        self._homes: dict[Span, HandWritten] = {loop.path.span: loop for loop in self._loops}
        self._owners: dict[Span, HandWritten] | None = None

    def all(self) -> tuple[Nested, ...]:
        """Every agent inside another one, each once for a line."""
        found: dict[tuple[Span, Span, Span], Nested] = {}
        for each in (*self.as_tools(), *self.in_tools(), *self.in_hooks(), *self.in_loops()):
            found.setdefault((each.span, each.source, each.target), each)
        return tuple(found.values())

    def loop_of(self, agent: Span) -> HandWritten | None:
        """The hand-written loop that an agent which stands at a place runs: the loop itself, or a class that has it."""
        if self._owners is None:
            self._owners = dict(self._classes())
        return self._homes.get(agent) or self._owners.get(agent)

    def _classes(self) -> Iterator[tuple[Span, HandWritten]]:
        for loop in reversed(self._loops):
            base = classes.enclosing_class(self._context.program, loop.scope)
            family = (base, *self._context.program.subclasses(base)) if base is not None else ()
            yield from ((cls.name_span, loop) for cls in family)

    # ---------------------------------------------------------------------------------------------------------- tools
    def as_tools(self) -> Iterator[Nested]:
        """Agents among the tools of others, and sub-agents whose answer comes back."""
        for match in self._context.of_kind("agent"):
            source = self._agents.agent_of(match)
            relations = ("tools", "agents", "handoffs") if match.row.constants.get("hears_back") else ("tools",)
            for expr, values in self._agents.bound(match, *relations):
                offered = self._offered(values) if expr is not match.node else ()  # what it brings along is no agent
                for target in (self._agents.agent_of(made) for made in offered):
                    symbol = f"{source.symbol} → {target.symbol}"
                    yield Nested(expr.span, symbol, source.framework, Through.TOOL, source.span, target.span)

    def _offered(self, values: Iterable[Value]) -> Iterator[Match]:
        for made in self._context.made_by(values, "handoff", "agent"):
            address = made.row.relations.get("target")
            if made.row.kind == "agent":
                yield made
            elif address is not None:
                read = at_call(self._context.program, made.arguments, made.api.receiver, address)
                yield from self._context.made_by(read.values, "agent")

    def in_tools(self) -> Iterator[Nested]:
        """Agents that the code of tools runs."""
        holders: dict[int, list[Known]] = {}
        for agent in self._agents.agents:
            for tool in agent.tools:
                holders.setdefault(id(tool), []).append(Known(agent.span, agent.symbol))
        for loop in self._loops:
            offered = self._offered_by_hand(loop)
            for tool in self._tools[loop.site.span] if loop.site is not None else ():
                if offered and tool.name not in offered:
                    continue
                holders.setdefault(id(tool), []).extend(self._methods(loop, tool) or (_of_loop(loop),))
        for span, known in self._bare.items():
            for tool in self._tools[span]:
                holders.setdefault(id(tool), []).append(known)
        for tool in self._agents.all_tools():
            function = self._agents.code.get(id(tool))
            owners = holders.get(id(tool)) or [known for loop in self._loops for known in self._methods(loop, tool)]
            if function is not None and owners:
                yield from self._starting(tool.span, owners, function, Through.TOOL, tool.framework)

    def _offered_by_hand(self, loop: HandWritten) -> frozenset[str]:
        """The names of the tools that the requests of a loop offer; none where some cannot be read: code may know how
        to run further ones.
        """
        asks = [ask for ask in loop.asks if ask.row.kind == "model_call"]
        tools = [tool for ask in asks for tool in self._agents.tools_of(ask)]
        unread = any(id(ask.node) in self._agents.open_ended for ask in asks)
        return frozenset() if unread else frozenset(tool.name for tool in tools)

    def _methods(self, loop: HandWritten, tool: Tool) -> tuple[Known, ...]:
        """The classes that have a tool's code as a method, and inherit a hand-written loop."""
        function = self._agents.code.get(id(tool))
        cls = classes.enclosing_class(self._context.program, function) if function is not None else None
        base = classes.enclosing_class(self._context.program, loop.scope)
        if cls is None or base is None or base not in classes.lineage(self._context.program, cls):
            return ()
        return tuple(self._of_class(loop, each) for each in (cls, *self._context.program.subclasses(cls)))

    # -------------------------------------------------------------------------------------------------- hooks and loops
    def in_hooks(self) -> Iterator[Nested]:
        """Agents that hooks, guards and callbacks of another one run."""
        for match in self._context.of_kind("agent", "run"):
            around = [match] if match.row.kind == "agent" else run_agents(self._context, match)
            sources = [Known(agent.span, agent.symbol) for agent in map(self._agents.agent_of, around)]
            for function in self._hooks(match) if sources else ():
                pack = match.row.where.pack
                yield from self._starting(function.name_span, sources, function, Through.CALLBACK, pack)

    def _hooks(self, match: Match) -> Iterator[ir.Function]:
        for relation in HOOKS:
            for value in self._each(self._agents.values(match, relation, receivers_too=False)):
                made = self._context.made(value, "guard")
                node = made.node if made is not None else None
                if made is not None and "function" in made.row.relations:
                    read = at_call(self._context.program, made.arguments, None, made.row.relations["function"])
                    yield from (one.function for one in read.values if isinstance(one, Func))
                if isinstance(node, ir.Function):
                    yield node
                elif isinstance(value, Func):
                    yield value.function
                elif isinstance(value, Instance):
                    yield from (each for each in value.cls.body if isinstance(each, ir.Function))

    def _each(self, values: Iterable[Value]) -> Iterator[Value]:
        for value in values:
            if isinstance(value, Items):
                for item in value.items:
                    yield from self._context.program.value_of(item)
            else:
                yield value

    def in_loops(self) -> Iterator[Nested]:
        """Agents that the passes of a hand-written agent's loop run by themselves."""
        runs = {match.node.span: match for match in self._context.of_kind("run")}
        for loop in (each for each in self._loops if each.path.kind is PathKind.LOOP):
            inner = [one for one in loop.path.inner if one.span != loop.path.span]
            places = {path.span: path.framework for path in inner}
            places |= {ask.node.span: ask.row.where.pack for ask in loop.asks if ask.row.kind == "run"}
            started = {span: tuple(self._started_at(span, runs.get(span))) for span in places}
            if not (self.asks_itself(loop) or len(inner) > 1 or _are_several(started.values())):
                continue
            source = _of_loop(loop)
            for span, targets in started.items():
                for target in targets:
                    symbol = f"{source.name} → {target.name}"
                    yield Nested(span, symbol, places[span], Through.LOOP, source.span, target.span)

    def asks_itself(self, loop: HandWritten) -> bool:
        """Whether the passes of a loop ask a model, and do not only run agents: what loops inside it ask is theirs."""
        own = frozenset(map(id, loop.inside.nodes()))
        return any(ask.row.kind == "model_call" and id(ask.node) in own for ask in loop.asks)

    def _started_at(self, span: Span, run: Match | None) -> Iterator[Known]:
        """The agents that run at a place: a hand-written one, those of a run."""
        at = next((each for each in self._loops if each.path.span == span), None)
        if at is not None:
            yield _of_loop(at)
        for match in run_agents(self._context, run) if run is not None else ():
            agent = self._agents.agent_of(match)
            yield Known(agent.span, agent.symbol)

    # ---------------------------------------------------------------------------------------------------- what is run
    def _starting(
        self, at: Span, sources: Iterable[Known], function: ir.Function, through: Through, framework: str
    ) -> Iterator[Nested]:
        code = self._code(function)
        targets = tuple(self._started(code))
        if not targets:
            return
        limit, from_caller = stopped_at(self._context, code.functions)
        for source in sources:
            for target, confidence in targets:
                symbol = f"{source.name} → {target.name}"
                yield Nested(at, symbol, framework, through, source.span, target.span, limit, from_caller, confidence)

    def _code(self, function: ir.Function) -> Code:
        inside = extent(self._context.program, function.body, self._passes)
        return Code((function, *(each for each, _ in inside.called)), tuple(inside.nodes()))

    def _started(self, code: Code) -> Iterator[tuple[Known, Confidence]]:
        for node in code.nodes:
            run = self._context.at(node, "run") if isinstance(node, ir.Call) else None
            for match in run_agents(self._context, run) if run is not None else ():
                agent = self._agents.agent_of(match)
                yield Known(agent.span, agent.symbol), Confidence.HIGH
            if run is not None and node.span in self._bare:
                yield self._bare[node.span], Confidence.HIGH
        for loop in self._loops:
            if any(loop.scope is function for function in code.functions):
                made = tuple(self._made(loop, code))
                for known in made or (_of_loop(loop),):
                    yield known, Confidence.HIGH if made else Confidence.MEDIUM

    def _made(self, loop: HandWritten, code: Code) -> Iterator[Known]:
        """The classes of agents that inherit a loop and that the code names: it makes an object of them, or has one
        made.
        """
        program = self._context.program
        base = classes.enclosing_class(program, loop.scope)
        family = {} if base is None else {cls.name: cls for cls in (base, *program.subclasses(base))}
        found: dict[int, ir.Class] = {}
        for node in code.nodes if family else ():
            cls = family.get(node.id if isinstance(node, ir.Name) else node.name if isinstance(node, ir.Member) else "")
            if cls is not None and isinstance(node, (ir.Name, ir.Member)):
                found |= {id(cls): cls for value in program.value_of(node) if value == ClassValue(cls)}
        yield from (self._of_class(loop, cls) for cls in found.values())

    def _of_class(self, loop: HandWritten, cls: ir.Class) -> Known:
        self._homes.setdefault(cls.name_span, loop)
        return Known(cls.name_span, cls.name)


def _are_several(started: Iterable[tuple[Known, ...]]) -> bool:
    """Whether two of several places certainly start different agents."""
    found = [{target.span for target in targets} for targets in started if targets]
    return any(not each & found[0] for each in found)


def _of_loop(loop: HandWritten) -> Known:
    return Known(loop.path.span, loop.path.symbol)
