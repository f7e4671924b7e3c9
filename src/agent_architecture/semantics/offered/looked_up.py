"""Tools that a dispatcher looks up by the name that the model wrote: `tools[name].run(args)`, `registry.get(name)(x)`.

What makes the objects of a registry tools is that code inside an agent's loop takes one of them by a name that comes
from the model's answer, and runs it. How the model is told of them does not matter: it may stand in the prompt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.classes import ITSELF
from agent_architecture.names.flow import ends
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Entries, Instance
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.offered.lookups import TAKING, lookups
from agent_architecture.semantics.offered.registries import of_methods, of_registry
from agent_architecture.semantics.offered.trace import Trace
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.context import Context
    from agent_architecture.semantics.offered.described import Described
    from agent_architecture.semantics.offered.lookups import Lookup
    from agent_architecture.semantics.reach import Extent

KINDS: Final = frozenset({"type", "kind", "role", "event", "status"})
"""Parts of an answer that say of which kind it is, not which tool it asks for."""


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
        found = (one for one in lookups(self._program, taken) if self._is_asked_for(one.key))
        return next(found, None)

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
        if not (isinstance(container, ir.Name) and container.id in ITSELF):  # which has more than a model is told of
            methods = (tool for v in values if isinstance(v, Instance) for tool in of_methods(self._program, v))
            listed |= {id(tool.node): tool for tool in methods}
        trace = Trace(self._context)
        trace.kept_in(container)
        yield from (listed | trace.tools).values()


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
