"""Tools that a dispatcher looks up by the name that the model wrote: `tools[name].run(args)`, `registry.get(name)(x)`.

What makes the objects of a registry tools is that code inside an agent's loop takes one of them by a name that comes
from the model's answer, and runs it. How the model is told of them does not matter: it may stand in the prompt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.classes import ITSELF
from agent_architecture.names.flow import ends
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Const, Entries, Instance
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.agents.offered.entries import entries
from agent_architecture.semantics.agents.offered.name_spaces import beginning, of_itself, of_name_space
from agent_architecture.semantics.agents.offered.registries import of_methods, of_registry
from agent_architecture.semantics.agents.offered.tool_descriptions import SAYING, Described
from agent_architecture.semantics.agents.offered.trace import Trace
from agent_architecture.semantics.agents.ready_made_tools import SAID
from agent_architecture.semantics.callgraph.lookups import STARTING, TAKING, lookups
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.callgraph.lookups import Lookup
    from agent_architecture.semantics.callgraph.reach import Extent
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.sources.source import Span

KINDS: Final = frozenset({"type", "kind", "role", "event", "status", "format", "provider"})
"""Parts of an answer, or of what was looked up by it, that say of which kind it is, not which tool it asks for."""


class Run(NamedTuple):
    """A tool, and the call that runs it when the model asks for it."""

    tool: Described
    call: ir.Call


class Dispatchers:
    """The look-ups of agents' loops, found on demand."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._program: Program = context.program
        self._asked: dict[int, bool] = {}
        self._found: dict[tuple[int, bool, str, str], tuple[Described, ...]] = {}
        self.places: dict[int, dict[Span, None]] = {}
        """Where collections that are looked up have a tool among others, by the id of the node that defines it."""

    def runs(self, inside: Extent) -> Iterator[Run]:
        """The tools that code looks up by what the model wrote, each with the calls that run it."""
        for node in inside.nodes():
            if isinstance(node, ir.Call):
                yield from (Run(tool, node) for tool in self._picked(node))

    def _picked(self, call: ir.Call) -> Iterator[Described]:
        """What a call may run that is looked up by the model's words. A function of the project that is given the
        answer may pick one of its own words by it (`tools[choose_tool(answer)["name"]]`): so it picks a way to show the
        answer, too, and only what is described for a model is a tool.
        """
        callee = call.callee
        if isinstance(callee, ir.Member) and callee.name in TAKING:
            return
        found = tuple(lookups(self._program, callee.target if isinstance(callee, ir.Member) else callee))
        asked = [self._run_by(callee, self.held(one)) for one in found if self._is_asked_for(one.key)]
        if asked:
            yield from next(filter(None, asked), ())
        else:
            chosen = next((one for one in found if self._is_chosen(one.key)), None)
            tools = () if chosen is None else self.held(chosen)
            yield from (tool for tool in tools if not tool.entries.keys().isdisjoint(SAYING))

    def _run_by(self, callee: ir.Expr, tools: tuple[Described, ...]) -> tuple[Described, ...]:
        """Those of these tools that a call may run: plain functions, and what a library makes, have no methods but
        those that run them: `connections[name].close()` runs none.
        """
        if not isinstance(callee, ir.Member) or STARTING.search(callee.name):
            return tools
        return tuple(tool for tool in tools if not isinstance(tool.node, ir.Function) and not self.is_made(tool.node))

    def runs_kept(self, inside: Extent) -> Iterator[Run]:
        """The tools that a library's maker defines and that code takes out of a collection by any computed name, each
        with the calls that run it: whoever makes a tool makes it for a model, so its word need not be followed.
        """
        for call in (node for node in inside.nodes() if isinstance(node, ir.Call)):
            for looked in self._computed(call):
                yield from (Run(tool, call) for tool in self.held(looked) if self.is_made(tool.node))

    def look_through(self) -> None:
        """Find the places of all tools that code of the project looks up by computed names."""
        named = {name for module in self._program.modules for name in module.index.calls if STARTING.search(name)}
        scopes = {id(scope): scope for name in sorted(named) for scope in self._program.scopes_calling(name)}
        for scope in scopes.values():
            for call in self._program.structure(scope).calls:
                for looked in self._computed(call):
                    self.held(looked)

    def _computed(self, call: ir.Call) -> Iterator[Lookup]:
        """The look-ups by computed names of what a call runs by a method that is there for it: `tools[name].run()`."""
        callee = call.callee
        found = lookups(self._program, callee.target) if isinstance(callee, ir.Member) else ()
        if isinstance(callee, ir.Member) and STARTING.search(callee.name):
            yield from (looked for looked in found if not self._is_constant(looked.key))

    def _is_constant(self, key: ir.Expr) -> bool:
        """Whether code says itself what it looks up."""
        values = self._program.value_of(key)
        return bool(values) and all(isinstance(value, Const) for value in values)

    def is_made(self, node: ir.Node) -> bool:
        """Whether a library's maker or decorator makes a tool of a node that runs: no schema alone."""
        made = self._context.at(node, "tool")
        if made is None or not isinstance(node, ir.Call):
            return made is not None
        return "function" in made.row.relations or made.row.properties.keys() <= SAID

    def _is_asked_for(self, key: ir.Expr) -> bool:
        """Whether a key comes from what a model answered."""
        if isinstance(key, ir.Literal) or _last(key) in KINDS:
            return False
        known = self._asked.get(id(key))
        if known is None:
            known = self._asked[id(key)] = self.is_answered(key)
        return known

    def _is_chosen(self, key: ir.Expr) -> bool:
        """Whether a key comes from a function of the project that is given what a model answered."""
        given = (argument.value for choice in _choices(self._program, key) for argument in choice.args)
        return any(self.is_answered(expr) for expr in given)

    def is_answered(self, expr: ir.Expr) -> bool:
        """Whether an expression comes from what a model answered."""
        return self.asked_at(expr) is not None

    def asked_at(self, expr: ir.Expr) -> ir.Node | None:
        """The call of a model whose answer an expression comes from."""
        origins = (origin for origin in ends(self._program, expr) if origin.kind == "call")
        return next((o.node for o in origins if self._context.at(o.node, "model_call", "run") is not None), None)

    def held(self, looked: Lookup) -> tuple[Described, ...]:
        """The tools that a look-up may give."""
        key = id(looked.container), looked.in_it, looked.part, beginning(self._program, looked.key)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = tuple(self._in(looked, key[-1]))
        return found

    def _in(self, looked: Lookup, begin: str) -> Iterator[Described]:
        container, program = looked.container, self._program
        values = program.value_of(container)
        listed = {id(t.node): t for v in values if isinstance(v, Entries) for t in of_registry(program, v)}
        listed |= {id(tool.node): tool for tool in of_name_space(program, container, begin)}
        if not looked.in_it:
            is_own = isinstance(container, ir.Name) and container.id in ITSELF
            owners = (value for value in values if isinstance(value, Instance))
            methods = (t for v in owners for t in (of_itself(program, v, begin) if is_own else of_methods(program, v)))
            listed |= {id(tool.node): tool for tool in methods}
        trace = Trace(self._context)
        trace.kept_in(container, looked.part)
        made = {id(node): Described(node, "", {}) for node in trace.known.values() if self.is_made(node)}
        found = listed | made | trace.tools
        for place, node in entries(self._program, trace.held.values(), found):
            self.places.setdefault(node, {})[place] = None
        yield from found.values()


def _choices(program: Program, key: ir.Expr) -> Iterator[ir.Call]:
    """The calls of the project's functions whose result a key is, or is a part of."""
    while isinstance(key, (ir.Index, ir.Member)):
        key = key.target
    written: list[ir.Expr] = [key]
    if isinstance(key, ir.Name):
        written = [one.value for one in visible_bindings(program, key) if one.value is not None and not one.steps]
    for expr in written:
        call = expr.value if isinstance(expr, ir.Await) else expr
        if isinstance(call, ir.Call) and any(True for _ in program.callees(call)):
            yield call


def _last(key: ir.Expr) -> str:
    match key:
        case ir.Member(name=name):
            return name
        case ir.Index(key=ir.Literal(value=str() as text)):
            return text
        case ir.Call(callee=callee):
            return callee_name(callee)
        case _:
            return ""


def unique(runs: Iterable[Run]) -> dict[int, Run]:
    """The first run of each tool, by the id of its node."""
    return {id(run.tool.node): run for run in reversed(tuple(runs))}
