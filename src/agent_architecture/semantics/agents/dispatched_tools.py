"""The tools that hand-written agents run by name, and the further tools of the kinds that a project makes up.

Joins what `dispatch_lookups` and `tool_kinds` find with the tools that are known already: a function behind a schema is
no second tool, and an object that is itself an agent is none.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final, Protocol

from agent_architecture.names import classes
from agent_architecture.names.select import imported
from agent_architecture.names.values import Instance
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.agents.left_over_kinds import is_left_over
from agent_architecture.semantics.agents.offered.chosen_records import recorded
from agent_architecture.semantics.agents.offered.dispatch_branches import branched, handing_on
from agent_architecture.semantics.agents.offered.dispatch_lookups import Dispatchers, Run
from agent_architecture.semantics.agents.offered.tool_kinds import relatives
from agent_architecture.semantics.agents.offered.tool_makers import can_work, declared, makers_of
from agent_architecture.semantics.callgraph.callbacks import scopes_around
from agent_architecture.semantics.callgraph.callers import MANY, above
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.matching.wrappers import wrapping
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agent_architecture.model.system import Site, Tool
    from agent_architecture.semantics.agents.answer_branches import Branch
    from agent_architecture.semantics.agents.offered.offers import Offers
    from agent_architecture.semantics.agents.offered.tool_descriptions import Described
    from agent_architecture.semantics.callgraph.reach import Extent
    from agent_architecture.semantics.effects.effects import Effects
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

UPWARDS: Final = 3
"""Callers followed from a model call that no site makes, to the code that runs what it answers."""


class Running(NamedTuple):
    """A tool that code of a site or an agent, its owner, runs by its name: `call` runs it."""

    owner: str
    tool: Tool
    call: ir.Call


class Handing(NamedTuple):
    """A call by which a site hands on what a model picked, whatever that is: `ask` is the call of the model."""

    site: Site
    call: ir.Call
    ask: ir.Call


class _Agents(Protocol):
    """What is asked of the tools that are known already, and told to them: `agents.Agents` answers it."""

    offers: Offers

    @property
    def code(self) -> Mapping[int, ir.Function]: ...

    def known_tools(self) -> tuple[Tool, ...]: ...

    def defined_at(self, node: int) -> Tool | None: ...

    def functions(self) -> dict[int, ir.Function]: ...

    def of_described(self, described: Described, framework: str) -> Tool: ...


class ByHand:
    """What hand-written agents run."""

    def __init__(self, context: Context, agents: _Agents, effects: Effects) -> None:
        self._context = context
        self._effects = effects
        self._agents = agents
        self._dispatchers = Dispatchers(context)
        self.running: list[Running] = []
        self.handing: list[Handing] = []
        self._picked: set[int] = set()
        """The ids of the tools that are looked up by their own names: none is the schema of another function."""
        self._placed: dict[int, tuple[Span, ...]] | None = None
        self._reached: dict[str, frozenset[str]] = {}
        self._chosen: dict[tuple[int, ...], ir.Call] = {}

    def tools_of(self, site: Site, inside: Extent, loops: frozenset[int]) -> tuple[Tool, ...]:
        """The tools that the code of a hand-written site looks up by name; `loops` are the ids of the functions that
        are agents themselves. One whose record is known is not also what its branch calls, so they are asked in turn.
        """
        found: dict[int, Tool] = {}
        calls: dict[int, list[ir.Call]] = {}
        for described, call in chain(self._recorded(inside), self._runs(inside, loops), self._branched(inside)):
            tool = self._tool(described)
            found.setdefault(id(tool), tool)
            calls.setdefault(id(tool), []).append(call)
        self.handing += self._handing(site, inside) if not found else ()
        self.running += [Running(site.symbol, tool, self._running(calls[key])) for key, tool in found.items()]
        return tuple(found.values())

    def of_steps(self, owner: str, steps: Iterable[ir.Scope]) -> tuple[Tool, ...]:
        """The tools of libraries that the steps of a graph look up by a name, whoever put it into the state."""
        calls: dict[int, ir.Call] = {}
        found: dict[int, Tool] = {}
        for step in steps:
            for run in self._dispatchers.runs_kept(extent(self._context.program, step.body, set())):
                if self._is_none(run.tool):
                    continue
                tool = self._tool(run.tool)
                found.setdefault(id(tool), tool)
                calls.setdefault(id(tool), run.call)
        self.running += [Running(owner, tool, calls[key]) for key, tool in found.items()]
        return tuple(found.values())

    def _handing(self, site: Site, inside: Extent) -> Iterator[Handing]:
        """The calls by which a site hands the model's choice on to tools that nothing here tells of."""
        asked_at = self._dispatchers.asked_at
        for call in handing_on(self._context, self._effects, inside.nodes(), self._dispatchers.is_answered):
            asks = (node for argument in call.args if isinstance(node := asked_at(argument.value), ir.Call))
            yield from (Handing(site, call, ask) for ask in list(asks)[:1])

    def _running(self, calls: list[ir.Call]) -> ir.Call:
        """Of several calls of what was looked up (`tool.label()`, `tool.call(args)`), the first that comes to the code
        of any tool.
        """
        key = tuple(map(id, calls))
        if len(calls) > 1 and key not in self._chosen:
            codes = {id(function) for function in self._agents.code.values()}
            reached = (extent(self._context.program, (call,), set()).called for call in calls)
            running = zip(calls, (any(id(f) in codes for f, _ in functions) for functions in reached), strict=True)
            self._chosen[key] = next((call for call, runs in running if runs), calls[0])
        return self._chosen.get(key, calls[0])

    def around(self, asks: Iterable[Match], loops: frozenset[int]) -> None:
        """Find the tools that code around model calls of no site runs."""
        program = self._context.program
        seen: set[int] = set()
        for scope in above(program, (program.scope_of(ask.node) for ask in asks), UPWARDS - 1, MANY):
            inside = extent(program, scope.body, seen)
            seen |= {id(function) for function, _ in inside.called}
            for described, _ in (*self._runs(inside, loops), *self._recorded(inside)):
                self._tool(described)

    def looks_up(self, tool: Tool) -> bool:
        """Whether code looks a tool up by what a model wrote, at a site or around a model call."""
        return id(tool) in self._picked

    def _tool(self, described: Described) -> Tool:
        tool = self._agents.of_described(described, "")
        self._picked.add(id(tool))
        return tool

    def places(self, tool: Tool) -> tuple[Span, ...]:
        """Where the project has a tool among others that its code looks up by their names; nothing for any other."""
        return self._places().get(id(tool), ())

    def _places(self) -> dict[int, tuple[Span, ...]]:
        if self._placed is None:
            self._dispatchers.look_through()
            places = self._dispatchers.places.items()
            known = ((self._agents.defined_at(node), spans) for node, spans in places)
            self._placed = {id(tool): tuple(sorted(spans)) for tool, spans in known if tool is not None}
        return self._placed

    def further(self) -> None:
        """Find the other tools of the kinds that are known by now, and those that the project's own makers declare."""
        for described in tuple(relatives(self._context.program, self._agents.offers.described.values())):
            if not is_left_over(self._context.program, described):
                self._agents.of_described(described, "")
        tools = self._agents.known_tools()
        known, names = {tool.span for tool in tools}, {(tool.name, _language(tool.span)) for tool in tools}
        found = tuple(declared(self._context.program))
        kinds = {id(each) for one in found if can_work(one) for each in makers_of(self._context.program, one)}
        for described in found:
            repeats = not described.functions and (described.name, _language(described.node.span)) in names
            is_record = not any(id(each) in kinds for each in makers_of(self._context.program, described))
            if not repeats and not is_record and not any(described.node.span.contains(span) for span in known):
                self._agents.of_described(described, "")

    def _runs(self, inside: Extent, loops: frozenset[int]) -> Iterator[tuple[Described, ir.Call]]:
        for run in self._dispatchers.runs(inside):
            if not self._is_known(run) and not self._is_none(run.tool) and not self._is_agent(run.tool, loops):
                self._agents.offers.remember([run.tool] if run.tool.name else ())
                yield run

    def _is_none(self, described: Described) -> bool:
        """Whether a library makes something of the kind of a tool that is not one by itself."""
        return not described.name and self._agents.defined_at(id(described.node)) is None

    def _branched(self, inside: Extent) -> Iterator[tuple[Described, ir.Call]]:
        """The functions that branches run which the model's words choose; a word that is a tool's name runs that, and
        whoever starts itself again goes round.
        """
        names, answered = {tool.name for tool in self._agents.known_tools()}, self._dispatchers.is_answered
        own = tuple(scopes_around(self._context.program.scope_of(inside.own[0]))) if inside.own else ()
        for tool, branch, call in branched(self._context, self._effects, inside.nodes(), answered):
            is_own = any(tool.node is scope for scope in own)
            is_named = is_own or branch.word in names or self._is_known(Run(tool, call)) or self._hands_on(call)
            if not is_named and not self._is_operation(branch, call):
                self._agents.offers.remember([tool])
                yield tool, call

    def _recorded(self, inside: Extent) -> Iterator[tuple[Described, ir.Call]]:
        """The records of tools that are found by the model's word, each with a call of the branch that runs it."""
        answered, held = self._dispatchers.is_answered, self._dispatchers.held
        for tool, call in recorded(self._context, self._effects, inside.nodes(), answered, held):
            place = tool.node.span
            if not any(t.span != place and t.span.contains(place) for t in self._agents.known_tools()):
                self._agents.offers.remember([tool])
                yield tool, call

    def _is_operation(self, branch: Branch, call: ir.Call) -> bool:
        """Whether a branch stands in the code of a known tool and asks what the model gave that: it is one operation of
        the tool (`case "insert"` of an editor). A tool in which a model is asked runs what that one picks.
        """
        program, known = self._context.program, self._agents.functions()
        known |= {id(function): function for function in self._agents.code.values()}
        scope = program.scope_of(call)
        while isinstance(scope, ir.Function) and id(scope) not in known:
            scope = scope.outer
        if not isinstance(scope, ir.Function):
            return False
        asked = self._dispatchers.asked_at(branch.choice)
        return asked is None or not any(node is asked for node in extent(program, scope.body, set()).nodes())

    def _hands_on(self, call: ir.Call) -> bool:
        """Whether a call comes to code that looks a tool up by its name: it runs the model's choice, and is none."""
        return any(True for _ in self._dispatchers.runs(extent(self._context.program, (call,), set())))

    def _is_known(self, run: Run) -> bool:
        """Whether a function is what a known tool runs, or is called: its schema is the tool. One that only stands
        around others (`functools.wraps`) is none of its own.
        """
        function = run.tool.node
        if not isinstance(function, ir.Function):
            return False
        if run.tool.name == function.name and wrapping(self._context.program, function) is not None:
            return True
        is_named = any(self._may_describe(other, function, run) for other in self._agents.known_tools())
        return is_named or id(function) in self._agents.functions()

    def _may_describe(self, other: Tool, function: ir.Function, run: Run) -> bool:
        """Whether another tool may be the schema of a function that is looked up: not where it runs another function,
        of a program that the dispatching file knows nothing of.
        """
        is_namesake = other.name == run.tool.name and _language(other.span) == _language(function.span)
        if not is_namesake or id(other) in self._picked or other.span == function.name_span:
            return False
        code = self._agents.code.get(id(other))
        return code is None or code is function or other.span.path in self._known_in(run.call.span.path)

    def _known_in(self, path: str) -> frozenset[str]:
        """The files that a file leads to by its imports, itself included."""
        if path not in self._reached:
            found = imported(self._context.program.exports.specifiers, {path})
            self._reached[path] = frozenset({path, *found})
        return self._reached[path]

    def _is_agent(self, tool: Described, loops: frozenset[int]) -> bool:
        """Whether an object that is looked up runs an agent's loop of its own."""
        program = self._context.program
        owners = [tool.node] if isinstance(tool.node, ir.Class) else []
        if isinstance(tool.node, ir.Call):
            owners = [value.cls for value in program.value_of(tool.node) if isinstance(value, Instance)]
        family = [cls for owner in owners for cls in classes.lineage(program, owner)]
        return any(id(node) in loops for cls in family for node in cls.body)


def _language(span: Span) -> bool:
    return is_python(span.path)
