"""What tools return to their model: whether its type is declared, failures are told apart, and its size is bounded.

Looks into the code of the tool and of the functions that it calls. What the provider's or a library's own tools return
cannot be read.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from agent_architecture.model.confidence import Confidence, confidence_of
from agent_architecture.model.effects import GuardStage
from agent_architecture.model.outputs import Boundary
from agent_architecture.model.results import ToolResult
from agent_architecture.model.settings import ABSENT, Origin
from agent_architecture.names.exits import answers
from agent_architecture.names.in_place import given_back_to, with_helpers
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.control.argument_tests import says_no
from agent_architecture.semantics.conversations.answered_fields import only_fields
from agent_architecture.semantics.conversations.asked_sizes import asked_of, is_open
from agent_architecture.semantics.conversations.collected import collected, is_cut, spelled
from agent_architecture.semantics.conversations.echoes import echoed
from agent_architecture.semantics.conversations.foreign_servers import SERVERS
from agent_architecture.semantics.conversations.foreign_servers import is_foreign as is_foreign_server
from agent_architecture.semantics.conversations.result_checks import (
    bounds_size,
    declares_type,
    failing,
    fixes_shape,
    fixes_type,
    is_plain,
    returned,
    size_bounds,
)
from agent_architecture.semantics.conversations.tool_results import PART, delegates
from agent_architecture.semantics.effects.served_tool_calls import REMOTE_TOOLS
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.matching.effective import effective, written_values
from agent_architecture.semantics.matching.wrappers import around
from agent_architecture.semantics.taint.boundaries import Boundaries, of_way
from agent_architecture.semantics.topics.results.hidden_parts import awaited_part, hidden_call
from agent_architecture.semantics.topics.trust.definition_checks import LISTING
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.outputs import UntrustedFlow
    from agent_architecture.model.system import Binding, Tool
    from agent_architecture.names import flow
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.callgraph.reach import Extent
    from agent_architecture.semantics.conversations.asked_sizes import Asked
    from agent_architecture.semantics.conversations.tool_results import Brought, Tools
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

RUNNING: Final = frozenset(
    {
        "execute_shell", "execute_process", "execute_code", "browser", "network_read", "read_file",
        "database_read", "database",
    }
)  # fmt: skip
"""Effects whose result is as long, and says, whatever it likes: also of the project's own files and tables."""
CLOSED: Final = frozenset({Boundary.SCHEMA_ONLY, Boundary.QUARANTINED})
SAID: Final = frozenset({"user", "model"})
"""Text of the people and models that take part."""
OUTSIDE: Final = frozenset({"web", "mail", "peer", "tool"})
"""Origins of what a call to the outside brings."""
ASKING: Final = ("network_read", "network_write", "browser", "execute_shell", "execute_process")
Groups: TypeAlias = "tuple[tuple[ir.Node, ...], ...]"


def tool_results(  # noqa: PLR0913, PLR0917 - what is known of tools before
    context: Context,
    agents: Agents,
    foreign: Tools,
    bindings: tuple[Binding, ...],
    flows: Iterable[UntrustedFlow],
    hosted: frozenset[int],
) -> Iterator[ToolResult]:
    """The results of all tools, and of calls to the outside in other code; none of tools that only a host's agents call
    (`hosted` are their ids).
    """
    guards = {id(b.tool): g.span for b in bindings for g in b.mediated if g.stage is GuardStage.POST_TOOL}
    results = _Results(context, agents, foreign, guards)
    yield from (results.of_tool(tool) for tool in agents.all_tools() if id(tool) not in hosted)
    yield from results.of_servers(bindings)
    yield from results.of_calls(flows)


class _Results:
    def __init__(self, context: Context, agents: Agents, foreign: Tools, guards: dict[int, Span]) -> None:
        self._context = context
        self._agents = agents
        self._foreign = foreign
        self._guards = guards
        """What looks at the results of a tool, by its id."""
        self._of_tools: set[Span] = set()
        """The calls that tools make."""
        self._running = agents.running()
        self._boundaries = context.once(Boundaries)
        self._asks = {id(match.node): match for match in context.of_kind("model_call", "run")}
        self._makers: dict[Span, Match] = {ir.place_of(match.node): match for match in context.of_kind("tool")}

    def of_tool(self, tool: Tool) -> ToolResult:
        function = self._agents.code.get(id(tool))
        own = next((guard.span for guard in tool.guards if guard.stage is GuardStage.POST_TOOL), None)
        checked = self._guards.get(id(tool), own)
        maker = self._makers.get(tool.span)
        stated = ABSENT if maker is None else effective(self._context, maker, "output_schema")
        schema = stated.origin is Origin.UNKNOWN or (stated.origin is Origin.WRITTEN and stated.value is not None)
        result = ToolResult(tool.span, tool.name or tool.symbol, tool.framework, tool, shape=checked)
        if function is None and tool.is_agent and (agent := self._delegate(tool)) is not None:
            return self._delegated(result, agent)
        if function is None:
            return self._dispatched(result._replace(declared=schema, shape=tool.span if schema else checked))
        made = self._made(result, function, tool.span if schema else None)
        return made._replace(confidence=confidence_of(tool.degree))

    def _delegate(self, tool: Tool) -> Match | None:
        """The project's agent that answers for a tool; None where it is not found."""
        return next(iter(delegates(self._context, tool)), None)

    def _delegated(self, result: ToolResult, agent: Match) -> ToolResult:
        """The answer of another agent: any text, unless it is asked for fields; a run that fails raises."""
        fields = "output_schema" in agent.row.properties and written_values(self._context, agent, "output_schema")
        if not fields:
            return result._replace(foreign=result.span)
        return result._replace(foreign=result.span, declared=True, shape=ir.place_of(agent.node))

    def _dispatched(self, result: ToolResult) -> ToolResult:
        """The result of a tool that code picks by its name: what the branch for it returns."""
        path = result.span.path
        for body in self._agents.facts.dispatch.bodies(result.symbol, path):
            texts = tuple(answers(ir.walk(*body.statements)))
            if texts:
                inside = extent(self._context.program, body.statements, set())
                groups = _groups(self._context.program, body.function, inside)
                brought = [each for text in texts for each in self._foreign.in_text(text)]
                asked = None if result.tool is None else asked_of(result.tool, body.function)
                source = _first(brought) or self._ran(texts, result.tool)
                made = self._checked(result, groups, texts, source, asked)
                return made._replace(confidence=Confidence.MEDIUM)
        return result._replace(readable=False)

    def _made(self, result: ToolResult, function: ir.Function, schema: Span | None) -> ToolResult:
        program = self._context.program
        declared = schema is not None or declares_type(function)
        if is_plain(program, function):
            return result._replace(plain=True, declared=declared)
        inside = extent(program, function.body, set())
        groups = _groups(program, function, inside)
        shape = schema or (function.name_span if fixes_type(function) else None) or result.shape
        texts = returned(program, function)
        brought = self._foreign.returned(function) if result.tool is None else self._foreign.brings(result.tool)
        source = _first(brought) or self._ran(texts, result.tool) or self._answered(function, texts, inside)
        asked = None if result.tool is None else asked_of(result.tool, function)
        made = self._checked(result._replace(declared=declared, shape=shape), groups, texts, source, asked)
        if source is None and result.tool is not None:
            made = made._replace(echoed=echoed(program, result.tool, function, _good(texts)))
        return made if made.size is not None else made._replace(size=self._cut_around(function))

    def _cut_around(self, function: ir.Function) -> Span | None:
        """Where a function that runs in the place of this one cuts what it gives back."""
        for one in around(self._context.program, function):
            structure = self._context.program.structure(one.wrapper)
            names = {each.id for each in structure.returns if isinstance(each, ir.Name)}
            stores = (node for node in structure.nodes if isinstance(node, ir.Assign) and node.value is not None)
            given = (s.value for s in stores if isinstance(s.target, ir.Name) and s.target.id in names and s.value)
            cut = bounds_size(self._context, tuple(ir.walk(*structure.returns, *given)))
            if cut is not None and one.everywhere:
                return cut
        return None

    def _checked(
        self,
        result: ToolResult,
        groups: Groups,
        texts: tuple[ir.Expr, ...],
        source: Span | None,
        asked: Asked | None = None,
    ) -> ToolResult:
        """A result with what its code does to it; `groups` are the nodes of each function, the tool's own first."""
        self._of_tools.update(node.span for group in groups for node in group if isinstance(node, ir.Call))
        program = self._context.program
        opened = partial(_is_open, program, asked)
        many = collected(program, texts, opened) if source is None else None
        near = [group for group in groups if any(node.span in {source, many} for node in group)]
        nodes = tuple(node for group in (groups[0], *near) for node in group)
        silent, errors = failing(self._context, (groups[0], *near), groups)
        size = self._bound(nodes, texts, source, asked)
        if size is not None and many is not None and not is_cut(program, texts, size):
            size = None
        return result._replace(
            hidden="" if source is not None else hidden_call(self._context, self._foreign, texts),
            awaited="" if source is not None else awaited_part(self._context, self._foreign, texts),
            foreign=source,
            collected=many,
            spelled=spelled(self._context.program, texts) if source is None else None,
            shape=result.shape or fixes_shape(self._context, nodes, texts, own=source is None),
            silent=silent,
            errors=errors,
            size=size or only_fields(self._context.program, _good(texts) or texts),
        )

    def _bound(
        self, nodes: tuple[ir.Node, ...], texts: tuple[ir.Expr, ...], source: Span | None, asked: Asked | None
    ) -> Span | None:
        """What keeps a result small. A part that is taken of something counts where what comes in at `source` passes
        one on its way to an answer; where no way from there is followed, it is believed.
        """
        bounds = tuple(size_bounds(self._context, nodes, asked))
        parts = frozenset(id(bound.part) for bound in bounds if bound.part is not None)
        first = next((bound.span for bound in bounds), None)
        if source is None or not parts:
            return first
        ways = [o for text in _good(texts) for o in self._foreign.passing(text, parts) if o.node.span == source]
        if not ways or any(PART in way.passed for way in ways):
            return first
        return next((bound.span for bound in bounds if bound.part is None), None)

    def _ran(self, texts: tuple[ir.Expr, ...], tool: Tool | None) -> Span | None:
        """A program, query or page of the tool that is part of what it returns; how much that was is none."""
        effects = {effect.span for effect in (tool.effects if tool is not None else ()) if effect.kind in RUNNING}
        for text in texts if effects else ():
            for origin in self._foreign.origins(text):
                is_part = origin.kind == "call" and origin.node.span in effects
                if is_part and of_way(origin.passed) not in CLOSED:
                    return origin.node.span
        return None

    def _answered(self, function: ir.Function, texts: tuple[ir.Expr, ...], inside: Extent) -> Span | None:
        """Where another agent, which the tool runs, wrote a part of what it returns: its model's answer, or text that
        its model gives to one of its own tools.
        """
        inner = {id(node) for node in inside.nodes() if id(node) in self._asks}
        called = {id(each) for each, _ in inside.called} - {id(function)}
        for origin in (origin for text in texts for origin in self._foreign.origins(text)):
            answers = id(origin.node) in inner and self._is_free(self._asks[id(origin.node)])
            if answers or (id(origin.node) in called and self._is_told(origin)):
                return origin.node.span
        return None

    def _is_told(self, origin: flow.Origin) -> bool:
        """Whether a text is what a model gives to some tool."""
        if origin.kind != "parameter" or id(origin.node) not in self._running:
            return False
        taken = (p for p in self._running[id(origin.node)].params if p.name == origin.name)
        return any(p.annotation is not None and not self._boundaries.admits_no_text(p.annotation) for p in taken)

    def _is_free(self, ask: Match) -> bool:
        """Whether nothing asks for an answer of a shape."""
        places = (ask, *(run_agents(self._context, ask) if ask.row.kind == "run" else ()))
        return not any(written_values(self._context, place, "output_schema") for place in places)

    # ------------------------------------------------------------------------------------------------------- servers
    def of_servers(self, bindings: Iterable[Binding]) -> Iterator[ToolResult]:
        """What the tools of each foreign server answer that an agent is given as they are: the client of the library
        raises, or marks, what failed, and cuts nothing.
        """
        whole = {binding.tool.span: binding.tool for binding in bindings if binding.dynamic and not binding.unreadable}
        for match in self._context.of_kind(*SERVERS) if whole else ():
            tool = whole.get(ir.place_of(match.node))
            if tool is not None and is_foreign_server(self._context, match):
                del whole[tool.span]
                yield ToolResult(tool.span, tool.name, tool.framework, foreign=tool.span, confidence=Confidence.MEDIUM)

    # ---------------------------------------------------------------------------------------------------- other code
    def of_calls(self, flows: Iterable[UntrustedFlow]) -> Iterator[ToolResult]:
        """Calls outside of tools that bring text into a message; what is made a number on the way is none."""
        tools = frozenset(self._agents.functions())
        texts = [flow for flow in flows if not flow.fed and flow.origin in OUTSIDE]
        spans = {flow.source: flow for flow in texts if flow.boundary not in CLOSED}
        spans = {span: flow for flow in texts for span in flow.beside} | spans
        calls = self._calls() if spans else {}
        for span, flow in spans.items():
            call = calls.get(span)
            scope = None if call is None else self._context.program.scope_of(call)
            if call is None or not isinstance(scope, ir.Function) or id(scope) in tools or span in self._of_tools:
                continue
            result = ToolResult(span, called(call), flow.framework, foreign=span, confidence=Confidence.MEDIUM)
            read = [r for r in given_back_to(self._context.program, scope) if isinstance(r, ir.Function)] or [scope]
            yield min((self._read_in(result, scope, each) for each in read), key=_checks)

    def _read_in(self, result: ToolResult, scope: ir.Function, reader: ir.Function) -> ToolResult:
        """What the function that looks at an answer does with it."""
        program = self._context.program
        nodes = program.structure(reader).nodes
        nodes = tuple(with_helpers(program, nodes if reader is scope else (*program.structure(scope).nodes, *nodes)))
        silent, errors = failing(self._context, (nodes,), (nodes,))
        return result._replace(
            shape=fixes_shape(self._context, nodes, returned(program, reader)),
            silent=silent,
            errors=errors,
            size=bounds_size(self._context, nodes),
        )

    def _calls(self) -> dict[Span, ir.Call]:
        packs = self._context.packs
        every = {*packs.effect_names(*ASKING), *packs.flow_names("source"), *REMOTE_TOOLS}
        names = sorted(every - LISTING)  # what a server has is no result
        return {site.call.span: site.call for name in names for site in self._context.program.calls(name)}


def _is_open(program: Program, asked: Asked | None, size: ir.Expr) -> bool:
    return asked is not None and is_open(program, asked, size)


def _checks(result: ToolResult) -> int:
    """How much is checked of a result."""
    return sum(one is not None for one in (result.shape, result.size)) + (result.silent is None or bool(result.errors))


def _good(texts: tuple[ir.Expr, ...]) -> tuple[ir.Expr, ...]:
    """The answers that do not say that something failed."""
    return tuple(text for text in texts if isinstance(text, ir.Name) or not says_no(text))


def _first(brought: Iterable[Brought]) -> Span | None:
    """Where a result takes in something of any size and shape."""
    taken = (each.source for each in brought if each.boundary not in CLOSED and each.origin not in SAID)
    return next(taken, None)


def _groups(program: Program, function: ir.Function, inside: Extent) -> Groups:
    """The nodes of a function and of those that it calls; what is written inside one of them is part of it, and what
    only gives back what it evaluates is part of those that call it.
    """
    found = [(function, inside.own), *inside.called]
    outer = {id(f): next((g for g, _ in found if g is not f and _holds(g, f)), f) for f, _ in found}
    alone = {id(f) for f, _ in found if outer[id(f)] is f}
    read = {id(f): {id(s) for s in given_back_to(program, f)} & alone for f, _ in inside.called if f is not function}
    taken = {key: scopes for key, scopes in read.items() if scopes and key not in scopes and key in alone}
    return tuple(
        tuple(
            node
            for inner, part in found
            if outer[id(inner)] is each or inner is each or id(each) in taken.get(id(inner), ())
            for node in part
        )
        for each, _ in found
        if outer[id(each)] is each and id(each) not in taken
    )


def _holds(outer: ir.Function, inner: ir.Function) -> bool:
    return outer.span.path == inner.span.path and outer.span.contains(inner.span)
