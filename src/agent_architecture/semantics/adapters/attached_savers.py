"""Savers that graphs are given after they were compiled: `agent.checkpointer = saver`, when a service starts; and
those of a library's registry.

Says which program such a saver belongs to: a script that runs the same graph without the service has none.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from agent_architecture.names.loads import loads
from agent_architecture.names.reached import reached
from agent_architecture.semantics.matching.read import at_call, expressions
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

ATTRIBUTE: Final = "checkpointer"
KEEPING: Final = frozenset({"agent", ATTRIBUTE})
"""Relations of a registry that keeps the runs of what is registered."""


def attached(program: Program) -> Iterator[ir.Assign]:
    """The statements that give a saver to an object that was made elsewhere."""
    for module in program.modules:
        file = program.table.file(module.path)
        if file is None or f".{ATTRIBUTE}".encode() not in file.data:
            continue
        for scope in module.code:
            for store in program.structure(scope).stores:
                if isinstance(store.target, ir.Member) and store.target.name == ATTRIBUTE:
                    of_self = isinstance(store.target.target, ir.Name) and store.target.target.id in {"self", "this"}
                    is_none = isinstance(store.value, ir.Literal) and store.value.value is None
                    if not of_self and not is_none:
                        yield store


class Attached:
    """The statements of a project, by the graph and the run that they count for."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def to(self, agents: Iterable[Match], run: ir.Node) -> Iterator[ir.Expr]:
        """What these graphs are given in the program that makes a run."""
        nodes = {id(agent.node) for agent in agents}
        for store, given in self._given:
            if nodes & given and store.value is not None and self._is_of(store.span.path, run.span.path):
                yield store.value
        yield from (expr for saver, given in self._registered if nodes & given for expr in saver)

    @cached_property
    def _registered(self) -> tuple[tuple[tuple[ir.Expr, ...], frozenset[int]], ...]:
        """What the registries of a library keep the runs in of what is registered with them, and that."""
        context = self._context
        keeping = [match for match in context.of_kind("exported") if match.row.relations.keys() >= KEEPING]
        return tuple(
            (
                tuple(expressions(context.program, match.arguments, match.row.relations[ATTRIBUTE])),
                frozenset(id(one.node) for one in context.made_by(self._in(match), "agent")),
            )
            for match in keeping
            if match.arguments is not None
        )

    def _in(self, registry: Match) -> tuple[Value, ...]:
        address = registry.row.relations["agent"]
        return at_call(self._context.program, registry.arguments, registry.api.receiver, address).values

    @cached_property
    def _given(self) -> tuple[tuple[ir.Assign, frozenset[int]], ...]:
        """Each statement, with the graphs that its object can be."""
        program = self._context.program
        found = ((store, store.target.target) for store in attached(program) if isinstance(store.target, ir.Member))
        return tuple(
            (store, frozenset(id(m.node) for m in self._context.made_by(program.value_of(graph), "agent")))
            for store, graph in found
        )

    def _is_of(self, one: str, other: str) -> bool:
        """Whether one of two modules imports the other, directly or through others."""
        return other in self._imported(one) or one in self._imported(other)

    def _imported(self, path: str) -> tuple[str, ...]:
        return reached([path], lambda each: self._edges.get(each, frozenset()))

    @cached_property
    def _edges(self) -> dict[str, frozenset[str]]:
        program = self._context.program
        return {module.path: loads(program, module) for module in program.modules}
