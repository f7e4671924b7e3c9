"""What the steps of a graph whose steps are code hand each other: a state that all of them change, and the fields of
the node that comes next.

`ctx.state.notes` is what any step put there (pydantic-graph; Burr: `state["notes"]`, PocketFlow: `shared["notes"]`),
`self.pages` in a node what whoever made it gave it, a parameter of `exec` what `prep` gave back, `event.data` what such
events are given (LlamaIndex).
Follows states by key within one graph. Must not know what is read from them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.classes import ITSELF, enclosing_class
from agent_architecture.names.keyed_reads import part_read
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Entries, Instance
from agent_architecture.semantics.adapters.burr_applications import burr_applications
from agent_architecture.semantics.adapters.event_handlers import event_handlers, given_data
from agent_architecture.semantics.adapters.pocket_flows import DOING, ENDING, PREPARING, pocket_flows
from agent_architecture.semantics.adapters.pydantic_graphs import RUN, pydantic_graphs
from agent_architecture.semantics.conversations.graph_writes import filled
from agent_architecture.semantics.conversations.handed_events import given_for
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.packs.addresses import parse_address
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.adapters.graphs import Built
    from agent_architecture.semantics.matching.context import Context

DATA: Final = "data"
"""What an event holds what it is given as."""
STATE: Final = "state"
"""What the context of a step holds the state as."""
INPUT: Final = parse_address("state | shared | 0")
"""The state that a run starts a graph with."""
ADDING: Final = frozenset({"append", "extend", "add", "insert", "update"})


class StepStates:
    """The states of such graphs, and the fields of their nodes, read on demand."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._groups = dict[int, list[int]]()
        """The ids of step functions, with the graphs that each belongs to."""
        self._members = dict[int, list[ir.Function]]()
        self._nodes = set[int]()
        """The ids of classes that are nodes."""
        self._changing = set[int]()
        """The ids of functions that are given the state as their first parameter."""
        self._before = dict[int, list[tuple[ir.Function, ...]]]()
        """The ids of methods of nodes, with the methods whose answers their parameters are, by position."""
        self._put: dict[int, dict[str, list[ir.Expr]]] = {}
        for key, graph in context.once(pydantic_graphs).items():
            self._join(key, graph)
            of_nodes = (enclosing_class(context.program, f) for f in self._members[key] if f.name == RUN)
            self._nodes |= {id(cls) for cls in of_nodes if cls is not None}
        self._handles = bool(context.once(event_handlers))
        for key, graph in context.once(event_handlers).items():
            self._join(key, graph)
        for key, graph in context.once(burr_applications).items():
            self._join(key, graph)
            self._changing |= {id(function) for function in self._members[key]}
        for key, graph in context.once(pocket_flows).items():
            self._join(key, graph)
            self._changing |= {id(f) for f in self._members[key] if f.name in (*PREPARING, *ENDING)}
            for run in graph.actions.values():
                self._handed(run)

    def _join(self, key: int, graph: Built) -> None:
        self._members[key] = [function for run in graph.actions.values() for function in run]
        for function in self._members[key]:
            self._groups.setdefault(id(function), []).append(key)

    def _handed(self, run: list[ir.Function]) -> None:
        """`exec` is given what `prep` gave back; `post` the state, and what both gave back."""
        prepared, done = (tuple(f for f in run if f.name in names) for names in (PREPARING, DOING))
        for function in run:
            if function.name in DOING:
                self._before[id(function)] = [prepared]
            elif function.name in ENDING:
                self._before[id(function)] = [(), prepared, done]

    def read(self, node: ir.Expr) -> tuple[ir.Expr, ...]:
        """What an expression that reads a key of a state, a field of a node, or what the method before gave back, takes
        its value from.
        """
        if not self._groups:
            return ()
        if isinstance(node, ir.Name):
            return (*self._given_back(node), *self._data(node, DATA))
        if isinstance(node, ir.Member) and node.name == DATA and isinstance(node.target, ir.Name):
            return self._data(node.target, "")
        read = part_read(node) if isinstance(node, (ir.Member, ir.Index, ir.Call)) else None
        if read is None:
            return ()
        if isinstance(read.mapping, ir.Name) and read.mapping.id in ITSELF:
            cls = enclosing_class(self._context.program, node)
            return () if cls is None or id(cls) not in self._nodes else self._of_field(cls, read.key)
        return tuple(dict.fromkeys(v for key in self._of(read.mapping) for v in self._table(key).get(read.key, ())))

    def _of_field(self, cls: ir.Class, field: str) -> tuple[ir.Expr, ...]:
        return tuple(dict.fromkeys(given_for(self._context.program, cls, field)))

    def _given_back(self, name: ir.Name) -> Iterator[ir.Expr]:
        """What the method before gave back, or the part of it that a name stands for."""
        for binding in visible_bindings(self._context.program, name):
            steps = binding.steps
            if binding.kind != "parameter" and isinstance(binding.value, ir.Name) and steps:
                outer = visible_bindings(self._context.program, binding.value)
                binding = next((one for one in outer if one.kind == "parameter" and not one.steps), binding)  # noqa: PLW2901
            function = binding.node
            if binding.kind != "parameter" or not isinstance(function, ir.Function):
                continue
            names = [param.name for param in function.params if param.name not in ITSELF]
            own = binding.extra.name if isinstance(binding.extra, ir.Parameter) else ""
            before = self._before.get(id(function), [])
            for each in before[names.index(own)] if own in names[: len(before)] else ():
                for answer in self._context.program.structure(each).returns:
                    yield _part(answer, steps)

    def _data(self, name: ir.Name, key: str) -> tuple[ir.Expr, ...]:
        """What the events of a handler are given: `event.data`, and `data` of `(context, { data }) => …`."""
        for binding in visible_bindings(self._context.program, name) if self._handles else ():
            is_it = binding.kind == "parameter" and binding.steps == ((f".{key}",) if key else ())
            if is_it and isinstance(binding.node, ir.Function) and binding.node.params[:1] != (binding.extra,):
                return given_data(self._context, binding.node)
        return ()

    def _of(self, state: ir.Expr) -> tuple[int, ...]:
        """The graphs whose state an expression is: the context's, or the first parameter of what runs before and after
        a node.
        """
        in_context = isinstance(state, ir.Member) and state.name == STATE
        name = state.target if isinstance(state, ir.Member) and in_context else state
        for binding in visible_bindings(self._context.program, name) if isinstance(name, ir.Name) else ():
            function = binding.node
            if binding.kind != "parameter" or binding.steps or not isinstance(function, ir.Function):
                continue
            first = next((param.name for param in function.params if param.name not in ITSELF), "")
            if in_context or (id(function) in self._changing and first == binding.name):
                return tuple(self._groups.get(id(function), ()))
        return ()

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
                        if group in self._of(_first(target)):
                            yield from self._updated(args)
                            continue
                    case _:
                        continue
                if put is not None and group in self._of(put.mapping):
                    yield from ((put.key, each) for each in given)

    def _updated(self, args: tuple[ir.Argument, ...]) -> Iterator[tuple[str, ir.Expr]]:
        """`state.update(notes=x)`, `shared.update({"notes": x})`."""
        for argument in args:
            if argument.keyword:
                yield argument.keyword, argument.value
                continue
            for value in self._context.program.value_of(argument.value):
                yield from value.entries if isinstance(value, Entries) else ()

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


def _first(state: ir.Expr) -> ir.Expr:
    """The state that a chain of changes starts with: `state.update(notes=x).append(turns=y)`."""
    while isinstance(state, ir.Call) and isinstance(state.callee, ir.Member) and state.callee.name in ADDING:
        state = state.callee.target
    return state


def _part(answer: ir.Expr, steps: tuple[str, ...]) -> ir.Expr:
    """The part of what is given back that the first of these steps takes; the whole where that is not written."""
    place = steps[0].strip("[]") if steps else ""
    if isinstance(answer, ir.List) and place.isdecimal() and int(place) < len(answer.items):
        return answer.items[int(place)]
    return answer
