"""What tools bring in: the text that a tool returns, and the tools whose results a framework feeds to its model.

Says of a tool whether others wrote what it returns, and what stands in between. Says nothing of hand-written loops.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.effects import GuardStage
from agent_architecture.model.outputs import Boundary, Slot, UntrustedFlow
from agent_architecture.model.touches import Choice
from agent_architecture.names import flow
from agent_architecture.names.exits import answers
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.callgraph.endings import answers_of
from agent_architecture.semantics.callgraph.tool_arguments import of_function
from agent_architecture.semantics.conversations.collected import LISTS
from agent_architecture.semantics.conversations.effects_of_tools import InCode
from agent_architecture.semantics.conversations.foreign_servers import SERVERS, is_foreign
from agent_architecture.semantics.conversations.reports_back import reports_back
from agent_architecture.semantics.conversations.text_provenance import CONTENT, MESSAGE
from agent_architecture.semantics.effects.unread_calls import UnreadCalls
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.effective import effective, written_values
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.taint.boundaries import names_in, of_way, weakest
from agent_architecture.semantics.taint.sources import READING
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agent_architecture.model.effects import Guard
    from agent_architecture.model.protocols import ServedInside
    from agent_architecture.model.system import Binding, Tool
    from agent_architecture.names.flow_paths import Calls
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.conversations.text_provenance import Reading
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.taint.boundaries import Boundaries
    from agent_architecture.semantics.taint.sources import Source, Sources
    from agent_architecture.sources.source import Span

ORDER: Final = ("web", "mail", "retrieval", "peer", "tool", "file", "memory", "user")
"""Of several origins of one text, the one that is named."""
OUTPUT: Final = frozenset({"execute_shell", "execute_code"})
"""Effects with an output that anybody may have written, where a model writes what is run."""


OUTSIDE: Final = frozenset({"web", "mail", "peer"})
"""Origins of what an agent reads that strangers write, in its answer, too."""
OPEN: Final = frozenset({Boundary.NONE, Boundary.UNKNOWN, Boundary.DELIMITED})

PART: Final = "part"
"""What a way passed that goes through a part which is taken of a larger text or list."""
UNNAMED: Final = "tools"
"""The name of what stands for tools of a list that cannot be read."""


class Brought(NamedTuple):
    """Text of others that a tool or a message takes in."""

    origin: str
    boundary: Boundary
    source: Span
    trail: tuple[Span, ...] = ()
    confidence: Confidence = Confidence.HIGH
    said: bool = False
    """Whether it was taken out of a record of a conversation."""
    again: bool = False
    """Whether it was taken out of a message that code makes, where it is judged."""
    near: Span | None = None
    """A part of the same text of which nothing tells what it says."""


class Tools:
    """What tools return, found on demand and remembered."""

    def __init__(
        self, context: Context, agents: Agents, sources: Sources, boundaries: Boundaries, reading: Reading
    ) -> None:
        self._context = context
        self._agents = agents
        self._sources = sources
        self._boundaries = boundaries
        self._reading = reading
        self._known: dict[int, tuple[tuple[Brought, ...], Tool]] = {}
        self._running = agents.running()
        self._whole = frozenset(match.node.span for match in context.of_kind("agent", "run"))
        """The calls that make or run an agent: what is bound there beside lists is its own."""

    def brings(self, tool: Tool) -> tuple[Brought, ...]:
        """What others wrote of what a tool returns; nothing for a tool that returns what the project computes."""
        found = self._known.get(id(tool))
        if found is None:
            self._known[id(tool)] = (), tool  # an agent that is its own tool brings in nothing by that
            function = self._agents.code.get(id(tool))
            brought = self._of_branches(tool) if function is None else self._of_code(tool, function)
            found = self._known[id(tool)] = tuple(brought), tool
        return found[0]

    def _of_code(self, tool: Tool, function: ir.Function) -> Iterator[Brought]:
        """What a tool's function returns; where no way to it can be read, the output of the commands and programs that
        it runs for the model.
        """
        found = tuple(self.returned(function))
        yield from found
        says = any(not isinstance(text, ir.Literal) for text in self._context.program.structure(function).returns)
        if found or not says or self._boundaries.returns_no_text(function):
            return
        inside = InCode(self._context, self._agents.facts.effects, tool, of_function(function))
        for touch in inside.touches():
            if touch.effect.kind in OUTPUT and touch.choice is Choice.ALL:
                yield Brought("tool", Boundary.NONE, touch.effect.span, (), Confidence.MEDIUM)
                return

    def _of_branches(self, tool: Tool) -> Iterator[Brought]:
        """What a dispatcher's branches for a tool return; where one of them returns nothing itself, what they do."""
        bodies = self._agents.facts.dispatch.bodies(tool.name, tool.span.path)
        returned = [tuple(answers(ir.walk(*body.statements))) for body in bodies]
        if not returned or not all(returned) or tool.is_agent:
            yield from self._declared(tool)
            return
        for text in (text for texts in returned for text in texts):
            yield from self.in_text(text)

    def _declared(self, tool: Tool) -> Iterator[Brought]:
        """A library's own tool, or one that a dispatcher runs, by its effects."""
        yield from self._of_agent(tool) if tool.is_agent else ()
        for effect in tool.effects:
            if effect.kind in READING or effect.kind in OUTPUT:
                kept = effect.kind == "read_file" and "root" in tool.isolation.values  # in a folder of its own
                origin = "tool" if kept else READING.get(effect.kind, "tool")
                yield Brought(origin, Boundary.NONE, effect.span, effect.trail, Confidence.MEDIUM)

    def returned(self, function: ir.Function) -> Iterator[Brought]:
        """What others wrote of what a function returns."""
        structure = self._context.program.structure(function)
        yields = ((function, inner.value) for inner in structure.yields if inner.value is not None)
        typed = self._boundaries.returns_no_text(function)
        given = (*answers_of(self._context.program, function), *yields)
        near = None if typed else next(filter(None, (self.untold(self.origins(text)) for _, text in given)), None)
        for own, text in given:
            for brought in (*self.in_text(text), *self._told(text)):
                checked = self._boundaries.is_checked(own, text, names_in(text))
                stands = Boundary.SANITISED if checked else Boundary.SCHEMA_ONLY if typed else Boundary.NONE
                yield brought._replace(boundary=max(brought.boundary, stands, key=tuple(Boundary).index), near=near)

    def untold(self, origins: Iterable[flow.Origin]) -> Span | None:
        """A part of a text that holds words of which nothing tells whose they are: what files are called that stand in
        a folder, the answer of a call that no pack knows.
        """
        for origin in origins:
            if origin.kind == "call" and isinstance(origin.node, ir.Call) and of_way(origin.passed) in OPEN:
                listed = any(LISTS.search(api.path) for api in resolved(self._context.program, origin.node.callee))
                if listed or self._context.once(UnreadCalls).has(origin.node):
                    return origin.node.span
        return None

    def _told(self, text: ir.Expr) -> Iterator[Brought]:
        """What agents that code runs read of others, where a text is what they answered."""
        for origin in self.origins(text):
            run = self._context.at(origin.node, "run") if origin.kind == "call" else None
            for agent in run_agents(self._context, run) if run is not None else ():
                yield from self.read_by(agent)

    def _of_agent(self, tool: Tool) -> Iterator[Brought]:
        """What the agent reads of others that answers for a tool."""
        for agent in delegates(self._context, tool):
            yield from self.read_by(agent)

    def read_by(self, agent: Match) -> Iterator[Brought]:
        """What the tools of an agent bring in from outside: a model that has written it anew makes it no safer; an
        answer with a schema is told by its fields.
        """
        if "output_schema" in agent.row.properties and written_values(self._context, agent, "output_schema"):
            return
        for tool in self._agents.agent_of(agent).tools:
            for brought in self.brings(tool):
                if brought.origin in OUTSIDE and brought.boundary in OPEN:
                    yield brought._replace(boundary=Boundary.NONE, trail=(), confidence=Confidence.MEDIUM)

    def origins(self, text: ir.Expr, calls: Calls = ()) -> tuple[flow.Origin, ...]:
        """Where a text begins, and what it passed, where the code around it was entered by these calls; what a model
        gives to the tool around it begins there.
        """
        around = self._context.program.scope_of(text)
        own = around if isinstance(around, ir.Function) and id(around) in self._running else None
        reading = self._reading if own is None else _Inside(self._context, self._reading, self._running)
        return flow.origins(self._context.program, text, reading, calls)

    def passing(self, text: ir.Expr, parts: frozenset[int]) -> tuple[flow.Origin, ...]:
        """Where a text begins; whether it passed one of these expressions, by their ids, on its way: `PART`."""
        return flow.origins(self._context.program, text, _Passing(self._reading, parts))

    def in_text(self, text: ir.Expr) -> Iterator[Brought]:
        """What others wrote of a text, and what stands on the way."""
        yield from self.among(self.origins(text))

    def among(self, origins: Iterable[flow.Origin], *, marked: bool = False) -> Iterator[Brought]:
        """What of these origins is others' text; `marked` when constant text marks all of it as data."""
        around = frozenset({str(Boundary.DELIMITED)}) if marked else frozenset[str]()
        for origin in origins:
            source = self._source(origin)
            if source is not None:
                boundary = of_way(origin.passed | around)
                said, again = CONTENT in origin.passed, MESSAGE in origin.passed
                yield Brought(
                    source.origin,
                    boundary,
                    source.node.span,
                    origin.trail,
                    source.confidence,
                    said,
                    again,
                )

    def _source(self, origin: flow.Origin) -> Source | None:
        if origin.kind == "call" and isinstance(origin.node, ir.Call):
            return self._sources.of_call(origin.node)
        return self._sources.declared(origin)

    # ------------------------------------------------------------------------------------------------------- bindings
    def entering(self, bindings: Iterable[Binding], by_hand: frozenset[str]) -> Iterator[UntrustedFlow]:
        """One flow for each tool that a framework runs for an agent and that brings in what others wrote."""
        for binding in bindings:
            if (binding.asked or binding.span).path not in by_hand:
                yield from self._of_binding(binding)

    def served(self, inside: Iterable[ServedInside]) -> Iterator[UntrustedFlow]:
        """The same for the tools of the project's own servers that its agents call in the same process."""
        for one in inside:
            screened = any(self._is_screen(guard) for guard in one.tool.guards)
            for brought in worst(self.brings(one.tool)):
                yield _flow(one, brought, Boundary.SANITISED if screened else brought.boundary)

    def heard(self) -> Iterator[UntrustedFlow]:
        """What agents read of others whose reports come back, as results, to the one that gave them work."""
        for edge, target in reports_back(self._context, self._agents):
            for one in worst(self.read_by(target)):
                yield UntrustedFlow(
                    edge.span, edge.symbol, edge.framework, one.origin, Slot.TOOL, one.boundary, one.source,
                    fed=True, confidence=one.confidence,
                )  # fmt: skip

    def _of_binding(self, binding: Binding) -> Iterator[UntrustedFlow]:
        found = self._of_server(binding) if binding.dynamic else self.brings(binding.tool)
        screened = any(self._is_screen(guard) for guard in (*binding.mediated, *binding.tool.guards))
        for brought in worst(found):
            each = _flow(binding, brought, Boundary.SANITISED if screened else brought.boundary)
            yield each._replace(built_in=binding.dynamic and binding.tool.span in self._whole)

    def _is_screen(self, guard: Guard) -> bool:
        """Whether a guard behind a tool looks for injected instructions in what it returns."""
        if guard.stage is not GuardStage.POST_TOOL:
            return False
        functions = (f for m in self._context.program.modules for f in m.index.functions if f.name_span == guard.span)
        return any(map(self._boundaries.is_screen, functions))

    def _of_server(self, binding: Binding) -> tuple[Brought, ...]:
        """The tools of a server of somebody else, or of a toolkit that says what it does."""
        match = next((m for m in self._context.of_kind(*SERVERS) if m.node.span == binding.tool.span), None)
        if match is None:  # a configuration describes it, under the name that the code says
            own = binding.tool.name == UNNAMED or any(True for _ in self._context.of_kind("mcp_server"))
            return () if own else (Brought("tool", Boundary.NONE, binding.tool.span, (), Confidence.MEDIUM),)
        origin = READING.get(str(effective(self._context, match, "effect").value))
        if origin is None and is_foreign(self._context, match):
            origin = "tool"
        return () if origin is None else (Brought(origin, Boundary.NONE, match.node.span, (), Confidence.MEDIUM),)


class _Inside(NamedTuple):
    """A reader for the code of a tool: its parameters are what a model gives it, whoever else calls it."""

    context: Context
    reading: Reading
    tools: Mapping[int, ir.Function]

    def __call__(self, node: ir.Expr, passed: frozenset[str]) -> Iterable[flow.Step | flow.Origin] | str | None:
        if isinstance(node, ir.Name):
            bindings = visible_bindings(self.context.program, node)
            own = [self.tools.get(id(binding.node)) for binding in bindings if binding.kind == "parameter"]
            if len(own) == len(bindings) == 1 and own[0] is not None:
                return [flow.Origin("parameter", own[0], node.id)]
        return self.reading(node, passed)


class _Passing(NamedTuple):
    """A reader that notes which way passed one of some expressions."""

    reading: Reading
    parts: frozenset[int]

    def __call__(self, node: ir.Expr, passed: frozenset[str]) -> Iterable[flow.Step | flow.Origin] | str | None:
        return PART if id(node) in self.parts else self.reading(node, passed)


def _flow(bound: Binding | ServedInside, brought: Brought, boundary: Boundary) -> UntrustedFlow:
    return UntrustedFlow(
        bound.tool.span,
        bound.symbol,
        bound.framework,
        brought.origin,
        Slot.TOOL,
        boundary,
        brought.source,
        brought.trail,
        fed=True,
        confidence=brought.confidence,
        near=brought.near,
    )


def delegates(context: Context, tool: Tool) -> Iterator[Match]:
    """The project's agents that answer for a tool: for each call that makes it, the first."""
    for match in context.of_kind("handoff"):
        address = match.row.relations.get("target")
        if match.node.span == tool.span and address is not None:
            read = at_call(context.program, match.arguments, match.api.receiver, address)
            yield from context.made_by(read.values, "agent")[:1]


def worst(found: Iterable[Brought]) -> tuple[Brought, ...]:
    """One of each origin: the one with the weakest boundary."""
    groups: dict[str, list[Brought]] = {}
    for brought in found:
        groups.setdefault(brought.origin, []).append(brought)
    return tuple(
        next(each for each in groups[word] if each.boundary is weakest(b.boundary for b in groups[word]))
        for word in sorted(groups)
    )
