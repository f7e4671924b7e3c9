"""What the steps of a graph whose steps are code hand each other: a state that all of them change, and the fields of
the node that comes next.

`ctx.state.notes` is what any step put there (pydantic-graph), `self.pages` in a node what whoever made it gave it.
Follows states by key within one graph. Must not know what is read from them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.classes import ITSELF, enclosing_class
from agent_architecture.names.keyed_reads import part_read
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Entries, Instance
from agent_architecture.semantics.adapters.pydantic_graphs import RUN, pydantic_graphs
from agent_architecture.semantics.conversations.graph_writes import filled
from agent_architecture.semantics.conversations.handed_events import given_for
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.packs.addresses import parse_address
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context

STATE: Final = "state"
"""What the context of a step holds the state as."""
INPUT: Final = parse_address("state")
"""The state that a run starts a graph with."""
ADDING: Final = frozenset({"append", "extend", "add", "insert", "update"})


class StepStates:
    """The states of such graphs, and the fields of their nodes, read on demand."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._groups = dict[int, int]()
        """The ids of step functions, with the graph that each belongs to."""
        self._members = dict[int, list[ir.Function]]()
        self._nodes = set[int]()
        """The ids of classes that are nodes."""
        self._put: dict[int, dict[str, list[ir.Expr]]] = {}
        for key, graph in context.once(pydantic_graphs).items():
            self._members[key] = [function for run in graph.actions.values() for function in run]
            self._groups |= {id(function): key for function in self._members[key]}
        for functions in self._members.values():
            of_nodes = (enclosing_class(context.program, f) for f in functions if f.name == RUN)
            self._nodes |= {id(cls) for cls in of_nodes if cls is not None}

    def read(self, node: ir.Expr) -> tuple[ir.Expr, ...]:
        """What an expression that reads a key of a state, or a field of a node, takes its value from."""
        if not self._groups or not isinstance(node, (ir.Member, ir.Index, ir.Call)):
            return ()
        read = part_read(node)
        if read is None:
            return ()
        if isinstance(read.mapping, ir.Name) and read.mapping.id in ITSELF:
            cls = enclosing_class(self._context.program, node)
            return () if cls is None or id(cls) not in self._nodes else self._of_field(cls, read.key)
        group = self._group(read.mapping)
        return () if group is None else tuple(self._table(group).get(read.key, ()))

    def _of_field(self, cls: ir.Class, field: str) -> tuple[ir.Expr, ...]:
        return tuple(dict.fromkeys(given_for(self._context.program, cls, field)))

    def _group(self, state: ir.Expr) -> int | None:
        """The graph whose state an expression is."""
        if not isinstance(state, ir.Member) or state.name != STATE or not isinstance(state.target, ir.Name):
            return None
        for binding in visible_bindings(self._context.program, state.target):
            if binding.kind == "parameter" and id(binding.node) in self._groups:
                return self._groups[id(binding.node)]
        return None

    def _table(self, group: int) -> dict[str, list[ir.Expr]]:
        """What is put under each key of a state."""
        found = self._put.get(group)
        if found is None:
            found = self._put[group] = {}
            for key, value in (*self._changes(group), *self._started(group)):
                found.setdefault(key, []).append(value)
        return found

    def _changes(self, group: int) -> Iterator[tuple[str, ir.Expr]]:
        """What steps put into the state: `ctx.state.notes = x`, `ctx.state.notes.append(x)`."""
        for function in self._members[group]:
            for node in own_nodes(function):
                match node:
                    case ir.Assign(target=(ir.Member() | ir.Index()) as target, value=value) if value is not None:
                        put, given = part_read(target), [value]
                    case ir.Call(callee=ir.Member(name=name, target=target), args=args) if name in ADDING:
                        put, given = part_read(target), [argument.value for argument in args]
                    case _:
                        continue
                if put is not None and self._group(put.mapping) == group:
                    yield from ((put.key, each) for each in given)

    def _started(self, group: int) -> Iterator[tuple[str, ir.Expr]]:
        """What runs of the project start a graph with."""
        program = self._context.program
        for run in self._context.of_kind("run"):
            if not isinstance(run.node, ir.Call) or all(id(a.node) != group for a in run_agents(self._context, run)):
                continue
            for value in at_call(program, run.arguments, run.api.receiver, INPUT).values:
                if isinstance(value, Entries):
                    yield from value.entries
                elif isinstance(value, Instance) and value.call is not None:
                    yield from filled(program, value.cls, value.call).entries
