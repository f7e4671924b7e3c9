"""Tools that a dispatcher looks up by the name that the model wrote: `tools[name].run(args)`, `registry.get(name)(x)`.

What makes the objects of a registry tools is that code inside an agent's loop takes one of them by a name that comes
from the model's answer, and runs it. How the model is told of them does not matter: it may stand in the prompt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.flow import ends
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Entries, Func
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.offered.registries import of_registry
from agent_architecture.semantics.offered.trace import Trace
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.context import Context
    from agent_architecture.semantics.offered.described import Described
    from agent_architecture.semantics.reach import Extent

TAKING: Final = frozenset({"get", "find", "pop"})
"""Methods of the languages' containers that give what stands under a key, or what a test holds for."""
KINDS: Final = frozenset({"type", "kind", "role", "event", "status"})
"""Parts of an answer that say of which kind it is, not which tool it asks for."""
DEPTH: Final = 6
"""Names and getters that are followed from a call to the look-up behind it."""


class Lookup(NamedTuple):
    """Where something is taken from, and by what."""

    container: ir.Expr
    key: ir.Expr


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
        self._found: dict[int, tuple[Described, ...]] = {}

    def runs(self, inside: Extent) -> Iterator[Run]:
        """The tools that code looks up by what the model wrote, each with the calls that run it."""
        for node in inside.nodes():
            if isinstance(node, ir.Call) and (looked := self._looked_up(node)) is not None:
                yield from (Run(tool, node) for tool in self._tools(looked))

    def _looked_up(self, call: ir.Call) -> Lookup | None:
        """The look-up by the model's words behind what a call runs."""
        callee = call.callee
        taken = callee.target if isinstance(callee, ir.Member) else callee
        if isinstance(callee, ir.Member) and callee.name in TAKING:
            return None
        found = (one for one in self._lookups(taken, DEPTH) if self._is_asked_for(one.key))
        return next(found, None)

    def _lookups(self, expr: ir.Expr, depth: int) -> Iterator[Lookup]:
        if depth <= 0:
            return
        match expr:
            case ir.Index(target=target, key=key) if not isinstance(key, (ir.Literal, ir.Slice)):
                yield Lookup(target, key)
            case ir.Call(callee=ir.Member(name=name, target=target)) if name in TAKING and expr.args:
                yield from self._taken(target, expr.args[0].value)
            case ir.Call(callee=ir.Name(id="next")) if expr.args and isinstance(expr.args[0].value, ir.Loop):
                yield from self._first(expr.args[0].value)
            case ir.Call():
                for function in self._program.callees(expr):
                    for returned in self._program.structure(function).returns:
                        yield from self._lookups(returned, depth - 1)
            case ir.Name():
                yield from self._bound(expr, depth)
            case ir.Await(value=value):
                yield from self._lookups(value, depth - 1)
            case ir.Operator(op="or" | "??", operands=operands):
                yield from (found for operand in operands for found in self._lookups(operand, depth - 1))
            case ir.Conditional(then=then, otherwise=otherwise):
                yield from (found for part in (then, otherwise) for found in self._lookups(part, depth - 1))
            case _:
                return

    def _taken(self, container: ir.Expr, argument: ir.Expr) -> Iterator[Lookup]:
        """`tools.get(name)`, `tools.find((tool) => tool.name === name)`."""
        functions = [v.function for v in self._program.value_of(argument) if isinstance(v, Func)]
        tests = [test for function in functions for test in self._program.structure(function).returns]
        for function, test in zip(functions, tests, strict=False):
            names = frozenset(param.name for param in function.params)
            yield from (Lookup(container, key) for key in _compared(test, names))
        if not functions and not isinstance(argument, ir.Literal):
            yield Lookup(container, argument)

    def _first(self, loop: ir.Loop) -> Iterator[Lookup]:
        """`next(tool for tool in tools if tool.name == name)`."""
        if loop.source is not None and loop.test is not None and isinstance(loop.target, ir.Name):
            yield from (Lookup(loop.source, key) for key in _compared(loop.test, frozenset({loop.target.id})))

    def _bound(self, name: ir.Name, depth: int) -> Iterator[Lookup]:
        for binding in visible_bindings(self._program, name):
            if binding.kind == "loop" and isinstance(binding.node, ir.Loop) and binding.node.source is not None:
                structure = self._program.structure(self._program.scope_of(name))
                for around in structure.enclosing(name, ir.If):
                    keys = _compared(around.test, frozenset({name.id}))
                    yield from (Lookup(binding.node.source, key) for key in keys)
            elif binding.kind in {"assign", "with"} and binding.value is not None and not binding.steps:
                yield from self._lookups(binding.value, depth - 1)

    def _is_asked_for(self, key: ir.Expr) -> bool:
        """Whether a key comes from what a model answered."""
        if isinstance(key, ir.Literal) or _last(key) in KINDS:
            return False
        known = self._asked.get(id(key))
        if known is None:
            known = self._asked[id(key)] = any(
                origin.kind == "call" and self._context.at(origin.node, "model_call", "run") is not None
                for origin in ends(self._program, key)
            )
        return known

    def _tools(self, looked: Lookup) -> tuple[Described, ...]:
        found = self._found.get(id(looked.container))
        if found is None:
            found = self._found[id(looked.container)] = tuple(self._in(looked.container))
        return found

    def _in(self, container: ir.Expr) -> Iterator[Described]:
        values = self._program.value_of(container)
        listed = {id(t.node): t for v in values if isinstance(v, Entries) for t in of_registry(self._program, v)}
        trace = Trace(self._context)
        trace.kept_in(container)
        yield from (listed | trace.tools).values()


def _compared(test: ir.Expr, names: frozenset[str]) -> Iterator[ir.Expr]:
    """What a part of one of these names is compared with: `tool.name == name`."""
    match test:
        case ir.Operator(op="==", operands=(one, other)):
            yield from (key for part, key in ((one, other), (other, one)) if _is_part(part, names))
        case ir.Operator(op="and", operands=operands):
            yield from (key for operand in operands for key in _compared(operand, names))
        case _:
            return


def _is_part(expr: ir.Expr, names: frozenset[str]) -> bool:
    owner = expr.callee if isinstance(expr, ir.Call) else expr
    if not isinstance(owner, (ir.Member, ir.Index)):
        return False
    while isinstance(owner, (ir.Member, ir.Index)):
        owner = owner.target
    return isinstance(owner, ir.Name) and owner.id in names


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
