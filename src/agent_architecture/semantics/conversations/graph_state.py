"""What the nodes of a graph hand each other: `state["pages"]` is what any of them returned under `pages`, `event.pages`
what is put into such an event.

Follows states by key, within graphs that run in each other. Must not know what is read from them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.keyed_reads import part_read
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.patterns import is_rest
from agent_architecture.names.reached import reached
from agent_architecture.names.values import ClassValue, Const
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.adapters.graphs import resolved
from agent_architecture.semantics.adapters.langgraph import built_graphs, node_functions
from agent_architecture.semantics.adapters.step_names import ANY, START
from agent_architecture.semantics.adapters.step_order import StepOrder
from agent_architecture.semantics.conversations.graph_channels import conversations, schemas, wordless
from agent_architecture.semantics.conversations.graph_writes import returned, sent, started
from agent_architecture.semantics.conversations.handed_events import put_into
from agent_architecture.semantics.conversations.step_states import StepStates
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.values import Entries
    from agent_architecture.semantics.matching.context import Context

COUNTED: Final = regex(
    r"(?:num|count|quantity|limit|index|total|max|min)(?:_\w+|[A-Z]\w*)?|\w+(?:Count|Index|Number|_count|_index|_num|_number)"
)
"""Keys that say by their names that they hold numbers."""
DEPTH: Final = 3
"""Functions through which a state is handed on before its key is read."""
EMPTY: Final = (None, ir.UNDEFINED, "")


class Read(NamedTuple):
    """A read of a key of a state, and what was put under it; nothing when only the caller of the graph gives it."""

    key: str
    values: tuple[ir.Expr, ...]
    is_conversation: bool = False
    """Whether the turns of a conversation stand under the key: each node reads what all said before."""
    is_given: bool = False
    """Whether no node returns it: whoever starts the graph, or a node, says what it is."""
    is_wordless: bool = False
    """Whether it is a number, a flag or a word of a closed list."""


class States:
    """The states of all graphs, read on demand."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._handed = context.once(StepStates)
        self._nodes: dict[int, int] | None = None
        """The ids of node functions, with the group of graphs that each belongs to."""
        self._members: dict[int, list[ir.Function]] = {}
        self._deciding: dict[int, list[ir.Function]] = {}
        """The functions that say where the graphs of each group go on: what they send starts steps."""
        self._order = StepOrder(context)
        self._given: dict[int, dict[str, list[tuple[ir.Expr, int]]]] = {}
        """What is put under each key of a group, with the id of the step that returns it, 0 for what others put."""
        self._returned_keys: dict[int, set[str]] = {}
        self._writing: dict[int, dict[str, set[int]]] = {}
        """The ids of the steps that write each key of a group."""
        self._started: dict[int, list[Entries]] = {}
        """What runs start the graphs of each group with."""
        self._wordless: dict[int, frozenset[str]] = {}
        """The keys of each group that hold no text."""
        self._schemas: dict[int, int] = {}
        """The ids of classes that are the state of a group."""
        self._files: dict[str, set[int]] = {}
        self._said: dict[int, frozenset[str]] = {}
        """The keys of each group that hold its conversation."""

    def read(self, node: ir.Expr) -> Read | None:
        """What an expression that reads a key of a state takes its value from; None for any other expression."""
        if isinstance(node, ir.Member) and (put := put_into(self._context.program, node)):
            return Read(node.name, put, is_wordless=_is_number(node.name))
        if put := self._handed.read(node):
            part = part_read(node)
            return Read("" if part is None else part.key, put, is_wordless=part is not None and _is_number(part.key))
        if not self._groups():
            return None
        match node:
            case ir.Member():
                return self._of_key(node.target, node.name)
            case ir.Index(key=ir.Literal(value=str() as key)):
                return self._of_key(node.target, key)
            case ir.Index(key=(ir.Name() | ir.Member()) as named):
                return self._of_key(node.target, named)
            case ir.Call(callee=ir.Member(name="get", target=target), args=args) if args:
                wanted = args[0].value
                found = self._of_key(target, str(wanted.value)) if isinstance(wanted, ir.Literal) else None
                given = tuple(argument.value for argument in args[1:])
                return None if found is None else found._replace(values=(*found.values, *given))
            case ir.Name():
                return self._of_destructured(node)
            case _:
                return None

    def handed(self, node: ir.Expr) -> tuple[ir.Expr, ...]:
        """What the steps of a graph whose steps are code hand on to an expression, names of parameters included."""
        return self._handed.read(node)

    def _of_destructured(self, name: ir.Name) -> Read | None:
        """`const { pages } = state`, and the same in a node's parameter."""
        found: list[Read] = []
        for binding in visible_bindings(self._context.program, name):
            if not binding.steps or not binding.steps[0].startswith(".") or is_rest(binding.steps[0]):
                return None
            key = binding.steps[0][1:]
            if binding.kind == "parameter" and isinstance(binding.node, ir.Function):
                group = self._group_of(binding.node, binding.extra, 0)
                read = None if group is None else self._under(group, key, binding.node)
            else:
                read = None if binding.value is None else self._of_key(binding.value, key)
            if read is None:
                return None
            found.append(read)
        return found[0]._replace(values=tuple(value for read in found for value in read.values)) if found else None

    def _of_key(self, target: ir.Expr, key: str | ir.Expr) -> Read | None:
        if not isinstance(target, ir.Name):
            return None
        for binding in visible_bindings(self._context.program, target):
            if binding.kind == "parameter" and isinstance(binding.node, ir.Function) and not binding.steps:
                group = self._group_of(binding.node, binding.extra, 0)
                if group is not None:
                    read = [self._under(group, each, binding.node) for each in self._keys(key)]
                    return read[0]._replace(values=tuple(v for each in read for v in each.values)) if read else None
        return None

    def _keys(self, key: str | ir.Expr) -> tuple[str, ...]:
        """The words that a key is: one that is written, or those that a name stands for."""
        if isinstance(key, str):
            return (key,)
        values = self._context.program.value_of(key)
        return tuple(str(value.value) for value in values if isinstance(value, Const))

    def _group_of(self, function: ir.Function, param: object, depth: int) -> int | None:
        """The graphs whose state a parameter is: the first of a node, or one that a node hands its state."""
        if not isinstance(param, ir.Parameter) or not function.params:
            return None
        group = self._groups().get(id(function))
        if group is not None and function.params[0].name == param.name:
            return group
        declared = self._declared(function, param)
        if declared is not None:
            return declared
        for site in self._context.program.callers(function) if depth < DEPTH else ():
            argument = passed_argument(site, function, param)
            if not isinstance(argument, ir.Name):
                continue
            for binding in visible_bindings(self._context.program, argument):
                if binding.kind == "parameter" and isinstance(binding.node, ir.Function) and not binding.steps:
                    found = self._group_of(binding.node, binding.extra, depth + 1)
                    if found is not None:
                        return found
        return None

    def _declared(self, function: ir.Function, param: ir.Parameter) -> int | None:
        """The graphs whose state a parameter says that it is, of a function that a step hands over: by its type, or by
        its name in a file whose steps are those of one graph.
        """
        values = () if param.annotation is None else self._context.program.value_of(param.annotation)
        for value in values:
            if isinstance(value, ClassValue) and id(value.cls) in self._schemas:
                return self._schemas[id(value.cls)]
        groups = self._files.get(function.span.path, ())
        is_inner = isinstance(function.outer, ir.Function)
        return next(iter(groups)) if is_inner and param.name == "state" and len(groups) == 1 else None

    # --------------------------------------------------------------------------------------------------------- groups
    def _groups(self) -> dict[int, int]:
        """Graphs that are nodes of each other share what they are given."""
        if self._nodes is None:
            functions = node_functions(self._context)
            joined = {key: key for key in functions}
            for key, graph in built_graphs(self._context).items() if functions else ():
                for inner in graph.inner:
                    builder = self._context.made(inner.api, "graph")
                    if builder is not None:
                        old, new = joined.get(id(builder.node), id(builder.node)), joined.get(key, key)
                        joined = {k: new if group == old else group for k, group in joined.items()}
            self._nodes = {}
            for key, found in functions.items():
                group = joined[key]
                self._members.setdefault(group, []).extend(found)
                self._nodes |= {id(function): group for function in found}
                for function in found:
                    self._files.setdefault(function.span.path, set()).add(group)
            for builder in self._context.of_kind("graph") if functions else ():
                group = joined.get(id(builder.node), id(builder.node))
                self._said[group] = self._said.get(group, frozenset()) | conversations(self._context, builder)
                self._wordless[group] = self._wordless.get(group, frozenset()) | wordless(self._context, builder)
                for value in schemas(self._context, builder):
                    if isinstance(value, ClassValue):
                        self._schemas[id(value.cls)] = group
            for key, given in (self._context.once(started) if functions else {}).items():
                self._started.setdefault(joined.get(key, key), []).extend(given)
            for key, graph in built_graphs(self._context).items() if functions else ():
                for choice in (each for choices in graph.decides.values() for each in choices):
                    self._nodes.setdefault(id(choice.function), joined.get(key, key))
                    self._deciding.setdefault(joined.get(key, key), []).append(choice.function)
        return self._nodes

    def _under(self, group: int, key: str, reader: ir.Function | None = None) -> Read:
        """What any node of a group that may run before returns under a key, and what runs and sends start it with."""
        table = self._given.get(group)
        if table is None:
            table = self._given[group] = {}
            own = self._returned_keys[group] = set[str]()
            writing = self._writing[group] = dict[str, set[int]]()
            for function in self._members.get(group, ()):
                for entries in returned(self._context.program, function, self._schemas):
                    self._put(table, entries, by=id(function))
                    kept = [name for name, value in entries.entries if not self._is_emptied(value)]
                    own.update(kept)
                    for name in kept:
                        writing.setdefault(name, set()).add(id(function))
            for function in (*self._members.get(group, ()), *self._deciding.get(group, ())):
                for entries in sent(self._context.program, function):
                    self._put(table, entries)
            for entries in self._started.get(group, ()):
                self._put(table, entries, but=self._said.get(group, frozenset()))  # turns are judged where they start
        is_given = key not in self._returned_keys[group] or (
            group not in self._started and reader is not None and self._is_first(group, reader, key)
        )
        wordless = key in self._wordless.get(group, ()) or _is_number(key)
        before = None if reader is None else self._order.before(group, reader)
        values = tuple(value for value, by in table.get(key, ()) if not by or before is None or by in before)
        return Read(key, values, key in self._said.get(group, ()), is_given, wordless)

    def _is_first(self, group: int, reader: ir.Function, key: str) -> bool:
        """Whether a step may run before any step that writes a key: it reads what the graph is started with."""
        graph = built_graphs(self._context).get(group)
        if graph is None or not any(reader in functions for functions in graph.actions.values()):
            return False
        writers = {
            label
            for label, functions in graph.actions.items()
            if any(id(function) in self._writing[group].get(key, ()) for function in functions)
        }
        edges = resolved({(a, b) for a, b in graph.edges if a not in writers and ANY not in {a, b}}, graph.nodes)
        return any(
            reader in graph.actions.get(label, ()) for label in reached([START], lambda each: edges.get(each, ()))
        )

    @staticmethod
    def _put(
        table: dict[str, list[tuple[ir.Expr, int]]], entries: Entries, but: frozenset[str] = frozenset(), by: int = 0
    ) -> None:
        for name, value in entries.entries:
            if name not in but:
                table.setdefault(name, []).append((value, by))

    def _is_emptied(self, value: ir.Expr) -> bool:
        """Whether a node only takes away what whoever starts the graph put there."""
        values = self._context.program.value_of(value)
        return bool(values) and all(isinstance(each, Const) and each.value in EMPTY for each in values)


def _is_number(key: str) -> bool:
    return COUNTED.fullmatch(key) is not None
