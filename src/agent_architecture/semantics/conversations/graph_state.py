"""What the nodes of a graph hand each other: `state["pages"]` is what any of them returned under `pages`.

Follows states by key, within graphs that run in each other. Must not know what is read from them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import classes
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.patterns import is_rest
from agent_architecture.names.values import Api, ClassValue, Const, Entries, Instance
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.adapters.langgraph import built_graphs, node_functions
from agent_architecture.semantics.conversations.graph_channels import conversations, schemas, wordless
from agent_architecture.semantics.matching.read import at_call, expressions
from agent_architecture.semantics.packs.addresses import parse_address
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

COUNTED: Final = regex(
    r"(?:num|count|quantity|limit|index|total|max|min)(?:_\w+|[A-Z]\w*)?|\w+(?:Count|Index|Number|_count|_index|_num|_number)"
)
"""Keys that say by their names that they hold numbers."""
DEPTH: Final = 3
"""Functions through which a state is handed on before its key is read."""
COMMAND: Final = parse_address("update | 0.update")
"""What a `Command` puts into the state."""
EMPTY: Final = (None, ir.UNDEFINED, "")
SENT: Final = parse_address("1 | arg | args")
"""The state that a `Send` starts a node with."""


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
        self._nodes: dict[int, int] | None = None
        """The ids of node functions, with the group of graphs that each belongs to."""
        self._members: dict[int, list[ir.Function]] = {}
        self._given: dict[int, dict[str, list[ir.Expr]]] = {}
        self._returned_keys: dict[int, set[str]] = {}
        self._wordless: dict[int, frozenset[str]] = {}
        """The keys of each group that hold no text."""
        self._schemas: dict[int, int] = {}
        """The ids of classes that are the state of a group."""
        self._files: dict[str, set[int]] = {}
        self._said: dict[int, frozenset[str]] = {}
        """The keys of each group that hold its conversation."""

    def read(self, node: ir.Expr) -> Read | None:
        """What an expression that reads a key of a state takes its value from; None for any other expression."""
        if not self._groups():
            return None
        match node:
            case ir.Member():
                return self._of_key(node.target, node.name)
            case ir.Index(key=ir.Literal(value=str() as key)):
                return self._of_key(node.target, key)
            case ir.Call(callee=ir.Member(name="get", target=target), args=args) if args:
                wanted = args[0].value
                found = self._of_key(target, str(wanted.value)) if isinstance(wanted, ir.Literal) else None
                given = tuple(argument.value for argument in args[1:])
                return None if found is None else found._replace(values=(*found.values, *given))
            case ir.Name():
                return self._of_destructured(node)
            case _:
                return None

    def _of_destructured(self, name: ir.Name) -> Read | None:
        """`const { pages } = state`, and the same in a node's parameter."""
        found: list[Read] = []
        for binding in visible_bindings(self._context.program, name):
            if not binding.steps or not binding.steps[0].startswith(".") or is_rest(binding.steps[0]):
                return None
            key = binding.steps[0][1:]
            if binding.kind == "parameter" and isinstance(binding.node, ir.Function):
                group = self._group_of(binding.node, binding.extra, 0)
                read = None if group is None else self._under(group, key)
            else:
                read = None if binding.value is None else self._of_key(binding.value, key)
            if read is None:
                return None
            found.append(read)
        return found[0]._replace(values=tuple(value for read in found for value in read.values)) if found else None

    def _of_key(self, target: ir.Expr, key: str) -> Read | None:
        if not isinstance(target, ir.Name):
            return None
        for binding in visible_bindings(self._context.program, target):
            if binding.kind == "parameter" and isinstance(binding.node, ir.Function) and not binding.steps:
                group = self._group_of(binding.node, binding.extra, 0)
                if group is not None:
                    return self._under(group, key)
        return None

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
            for key, graph in built_graphs(self._context).items() if functions else ():
                for choice in (each for choices in graph.decides.values() for each in choices):
                    self._nodes.setdefault(id(choice.function), joined.get(key, key))
        return self._nodes

    def _under(self, group: int, key: str) -> Read:
        """What any node of a group returns under a key, and what runs and sends start it with."""
        table = self._given.get(group)
        if table is None:
            table = self._given[group] = {}
            returned = self._returned_keys[group] = set()
            for function in self._members.get(group, ()):
                found = [(entries, True) for entries in self._returned(function)]
                found += [(entries, False) for entries in self._sent(function)]
                for entries, is_returned in found:
                    for name, value in entries.entries:
                        table.setdefault(name, []).append(value)
                        returned.update((name,) if is_returned and not self._is_emptied(value) else ())
        is_given = key not in self._returned_keys[group]
        wordless = key in self._wordless.get(group, ()) or COUNTED.fullmatch(key) is not None
        return Read(key, tuple(table.get(key, ())), key in self._said.get(group, ()), is_given, wordless)

    def _is_emptied(self, value: ir.Expr) -> bool:
        """Whether a node only takes away what whoever starts the graph put there."""
        values = self._context.program.value_of(value)
        return bool(values) and all(isinstance(each, Const) and each.value in EMPTY for each in values)

    def _returned(self, function: ir.Function) -> Iterator[Entries]:
        program = self._context.program
        structure = program.structure(function)
        for value in (v for expr in structure.returns for v in program.value_of(expr)):
            if isinstance(value, Entries):
                yield value
            elif isinstance(value, Instance) and value.call is not None and id(value.cls) in self._schemas:
                yield _filled(program, value.cls, value.call)
            elif isinstance(value, Api) and isinstance(value.node, ir.Call):
                yield from _maps(at_call(program, value.node, None, COMMAND).values)

    def _sent(self, function: ir.Function) -> Iterator[Entries]:
        program = self._context.program
        for site in program.calls_in(function).get("Send", ()):
            yield from _maps(v for expr in expressions(program, site, SENT) for v in program.value_of(expr))


def _filled(program: Program, cls: ir.Class, call: ir.Call) -> Entries:
    """What a whole state holds that a node makes anew: `return State(topic=topic, pages=pages)`."""
    plain = [argument.value for argument in call.args if argument.keyword is None and not argument.spread]
    entries = [*zip(classes.fields(program, cls), plain, strict=False)]
    entries += [(argument.keyword, argument.value) for argument in call.args if argument.keyword]
    return Entries(tuple(entries), call, complete=False)


def _maps(values: Iterable[object]) -> Iterator[Entries]:
    yield from (value for value in values if isinstance(value, Entries))
