"""The objects behind what code hands to a model: traced back through the wrappers, lists and registries of a project.

`[tool.to_param() for tool in self.tools]` hands over mappings whose names belong to the tools: the tools are what is
offered. Where a mapping, an object, a function or a library's tool describes itself, the way ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import flow_parts
from agent_architecture.names.callers import constructions
from agent_architecture.names.dependency_injection import DEPENDING
from agent_architecture.names.flow import Origin, Step, origins
from agent_architecture.names.flow_steps import OVER
from agent_architecture.names.keyed_reads import keyed_read
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.mutations import changes_of_name
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, ClassValue, Entries, Func, Instance
from agent_architecture.semantics.agents.offered.computed_mappings import computed_keys, spread_in
from agent_architecture.semantics.agents.offered.marked_functions import marked_behind
from agent_architecture.semantics.agents.offered.plugins import Loading
from agent_architecture.semantics.agents.offered.registries import decorated_by, of_registry
from agent_architecture.semantics.agents.offered.tool_descriptions import (
    NAMES,
    Described,
    described,
    inner_of,
    joined,
    of_object,
    own_text,
    schemas_wrapped,
)
from agent_architecture.semantics.agents.offered.tool_documents import loaded_by
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.flow_paths import Calls
    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.matching.context import Context

NAMED: Final = "named by "
"""What a way has passed where the name of somebody else was taken, with the key that it stands under."""
KEPT: Final = "kept in"
"""What a way has passed that leads to everything in a container, functions included."""
PART: Final = "a part of"
"""What a way has passed that began at another part of a tool than its name."""
CALLED_BY: Final = "called by "
"""What a way has passed that began where code compares a part of what it looks up with a name, with that part."""
KEYED: Final = "under its keys"
"""What a way has passed that leads to the computed keys of a mapping."""
ANY: Final = "*"
INNER: Final = "function"
CALLED: Final = (*NAMES, "slug", "method", "id", "key", "title")
"""Where objects keep what they are called, where nothing says which of it a model is told."""
PAIRS: Final = frozenset({"items", "entries"})
"""Calls that give the keys of a mapping with what stands under them."""
COLLECTIONS: Final = frozenset({"Map", "Set", "dict", "OrderedDict", "fromEntries"})
"""Calls of the languages that make a collection of what they are given."""
EACH: Final = frozenset({"map", "flatMap"})
RUNNING_OVER: Final = OVER | {"sub", "subn", "min", "max", "groupby", "replace", "replaceAll"}
"""Calls of the languages' own libraries that run a function they are given."""
OF_FUNCTIONS: Final = frozenset({"__name__", "name", ""})


class Trace:
    """What is found on the ways back from expressions."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._program: Program = context.program
        self._start: frozenset[str] = frozenset()
        self._loading = Loading(context.program)
        self.tools: dict[int, Described] = {}
        """The tools that describe themselves, by the id of the node that defines each."""
        self.kinds: dict[ir.Class, None] = {}
        """The classes of the project's objects whose names are taken."""
        self.forms: dict[ir.Class, ir.Map] = {}
        """The mapping in which an object of each of them says what it is: `{name: this.getName(), …}`."""
        self.known: dict[int, ir.Call] = {}
        """The calls and definitions that packs know as tools or toolkits, by id."""
        self.held: dict[int, ir.Expr] = {}
        """What was met on the ways back from a container, by id."""

    def back(self, exprs: Iterable[ir.Expr], calls: Calls = ()) -> None:
        """Follow these expressions back; `calls` are those by which the code around them was entered."""
        for expr in exprs:
            self._follow(Step(expr), calls)
        self._add_loaded()

    def kept_in(self, container: ir.Expr, part: str = "") -> None:
        """Follow back what a container holds: functions count there under their own names. `part` is where objects
        have the name by which they are taken out of it.
        """
        self._follow(Step(container, KEPT), marks=frozenset({CALLED_BY + part} if part else ()))
        self._add_loaded()

    def owner(self, part: ir.Expr, *, is_name: bool) -> None:
        """Follow back the object that a name, or another part of a tool, belongs to."""
        for step in self._owners(part) if is_name else self._wholes(part):
            self._follow(step)
        self._add_loaded()

    def _add_loaded(self) -> None:
        for tool in tuple(self._loading.tools(self.tools.values())):
            self._add(tool)

    def _follow(self, step: Step, calls: Calls = (), marks: frozenset[str] = frozenset()) -> None:
        self._start = frozenset({step.passed}) | marks if step.passed else marks
        for origin in origins(self._program, step.expr, self._part_of, calls, self):
            if origin.passed | self._start:
                self._ends(origin._replace(passed=origin.passed | self._start))

    def __call__(self, node: ir.Expr, passed: frozenset[str]) -> Iterable[Step | Origin] | None:
        """A reader of `flow`: ends ways at tools, and leads from a wrapper to what it wraps."""
        passed |= self._start
        self.held |= {id(node): node} if KEPT in passed else {}
        if self._loading.meets(node):
            return ()
        match node:
            case _ if KEYED in passed and not _taken(passed) and (keyed := self._keyed(node)) is not None:
                return keyed
            case ir.Member() | ir.Index() if passed in ({NAMED}, {PART}):
                return tuple(self._owners(node) if NAMED in passed else self._wholes(node)) or None
            case _ if passed - {KEYED} == {NAMED} and keyed_read(node) is not None:
                return tuple(self._owners(node)) or None
            case ir.Member() if not passed and self._is_method(node):
                return ()  # handed over as it is: what it answers with is no tool
            case ir.Call() if self._context.at(node, "tool_set", "mcp_client") is not None:
                self.known[id(node)] = node
                return ()
            case ir.Call() if KEPT in passed and callee_name(node.callee) in COLLECTIONS and node.args:
                return [Step(argument.value) for argument in node.args]
            case ir.Call() if KEPT in passed and self._is_foreign(node):
                self.known |= {id(node): node} if self._context.at(node, "tool") is not None else {}
                return ()
            case ir.Loop(kind="comprehension"):
                return [Step(part) for part in node.body[-1:] if not isinstance(part, ir.Loop)] or None  # type: ignore[arg-type]
            case ir.Call() if callee_name(node.callee) in DEPENDING:
                return tuple(self._each(node))
            case ir.Call() if callee_name(node.callee) in EACH and (made := tuple(self._each(node))):
                return made
            case ir.Call() if self._add_all(loaded_by(self._program, node, _taken(passed))):
                return ()
            case ir.Map() | ir.Call():
                return self._object(node, passed)
            case ir.Name() if passed:
                return self._definition(node, _keys(passed))
            case _:
                return None

    def _is_method(self, member: ir.Member) -> bool:
        """Whether a member is a function of the project that is named, and not called."""
        values = self._program.value_of(member)
        return bool(values) and all(isinstance(value, Func) for value in values)

    def _is_foreign(self, call: ir.Call) -> bool:
        """Whether a call makes something of a library's own: what it is handed is not kept by who keeps its result."""
        values = self._program.value_of(call.callee)
        if not values or callee_name(call.callee) in flow_parts.SAME | flow_parts.MAPPING:
            return False
        return all(isinstance(v, Api) and not self._program.library.passes(v.path) for v in values)

    def _each(self, call: ir.Call) -> Iterator[Step]:
        """What `list.map(f)` makes of each element; the element leads to the list, where it counts. What a function
        answers that a server's library runs, `Depends(f)`, is its result, too, and the function is none.
        """
        for argument in call.args[:1]:
            for value in self._program.value_of(argument.value):
                if isinstance(value, Func):
                    yield from (Step(expr) for expr in self._program.structure(value.function).returns)

    def _keyed(self, node: ir.Expr) -> Iterable[Step] | None:
        """The owners of the keys that a mapping computes, and the mappings it is made of; None for what is none."""
        keys = tuple(computed_keys(self._program, node))
        owners = tuple(step for key in keys for step in self._owners(key))
        made_of = spread_in(node)
        if made_of is not None:
            return (*owners, *(Step(one) for one in made_of))
        return owners or None

    def _object(self, node: ir.Map | ir.Call, passed: frozenset[str]) -> Iterable[Step] | None:
        is_offered = any(mark.startswith(NAMED) for mark in passed)
        if schemas_wrapped(self._program, node):
            return [Step(inner) for inner in inner_of(node)]
        found = described(self._program, node, _keys(passed), is_offered=is_offered)
        if found is not None:
            self._add(self._whole(node) or found)
            return ()
        named = name_of(self._program, node, _keys(passed) if KEPT in passed else NAMES)
        is_own = named is None or bool(own_text(self._program, named))
        if is_own and isinstance(node, ir.Call) and self._context.at(node, "tool") is not None:
            self.known[id(node)] = node
            return ()
        if named is None or is_own:
            return None
        known = len(self.kinds)
        owners = tuple(self._owners(named))
        if isinstance(node, ir.Map):
            self.forms |= dict.fromkeys([*self.kinds][known:], node)
        return owners

    def _whole(self, node: ir.Map | ir.Call) -> Described | None:
        """The tool of which a mapping is the inner level, as model APIs nest it: `{type: "function", function: …}`."""
        around = self._program.structure(self._program.scope_of(node)).parent(node)
        entries = around.entries if isinstance(around, ir.Map) else ()
        nests = any(e.value is node and isinstance(e.key, ir.Literal) and e.key.value == INNER for e in entries)
        return described(self._program, around) if nests and isinstance(around, ir.Map) else None

    def _owners(self, named: ir.Expr) -> Iterator[Step]:
        """The objects that a name belongs to."""
        match named:
            case ir.Member(target=target, name=name):
                kinds = (value.cls for value in self._program.value_of(target) if isinstance(value, Instance))
                self.kinds |= dict.fromkeys(kinds)
                yield Step(target, NAMED + name, fields=())
            case _ if (read := keyed_read(named)) is not None:
                yield Step(read.mapping, NAMED + read.key, fields=())
            case ir.Call(callee=ir.Member() as callee):
                yield from self._owners(callee)  # `tool.name()`, `tool.name.lower()`
            case ir.Call(callee=ir.Name(), args=(ir.Argument(value=ir.Name() | ir.Member() | ir.Index() as own), *_)):
                yield from self._owners(own)  # `exposed(tool.name)`
            case ir.Operator(op=ir.Op.OR | ir.Op.NULLISH, operands=(first, *_)):
                yield from self._owners(first)
            case ir.Name():
                mappings = tuple(_paired(self._program, named))
                for mapping in mappings:
                    self._entries(mapping)
                    yield Step(mapping, KEYED, fields=())
                parts = tuple(_part_kept(self._program, named))
                for part in parts:
                    yield from self._owners(part)
                if not mappings and not parts:
                    yield Step(named, NAMED, fields=())
            case _:
                return

    def _wholes(self, part: ir.Expr) -> Iterator[Step]:
        """The objects that something else than a name belongs to."""
        if isinstance(part, (ir.Member, ir.Index)):
            yield Step(part.target, NAMED + ANY, fields=())
        elif isinstance(part, ir.Name):
            yield Step(part, PART, fields=())

    def _entries(self, mapping: ir.Expr) -> None:
        for value in self._program.value_of(mapping):
            if isinstance(value, Entries):
                self.tools |= {id(tool.node): tool for tool in of_registry(self._program, value)}

    def _part_of(self, node: ir.Expr, passed: frozenset[str]) -> Iterable[Step | Origin] | None:
        """The reader for ways that want a part of what they lead to: functions carry what is said of them."""
        passed |= self._start
        if isinstance(node, ir.Call) and KEPT in passed and self._is_foreign(node):
            return ()
        if isinstance(node, ir.Call) and callee_name(node.callee) in DEPENDING:
            return tuple(self._each(node))
        return self._definition(node, _keys(passed)) if isinstance(node, ir.Name) and passed else None

    def _definition(self, node: ir.Name, keys: tuple[str, ...]) -> Iterable[Step] | None:
        """Functions and classes that are offered under their own names, or under those that are attached to them; what
        is run for each part of something is none: `re.sub(pattern, filled_in, text)`.
        """
        around = self._program.structure(self._program.scope_of(node)).parent(node)
        runs_over = isinstance(around, ir.Call) and callee_name(around.callee) in RUNNING_OVER
        if runs_over and all(isinstance(value, Func) for value in self._program.value_of(node)):
            return ()
        if self._add_all(marked_behind(self._context, node)):
            return ()
        if any(binding.kind in {"parameter", "loop"} for binding in visible_bindings(self._program, node)):
            return None
        found = [tool for value in self._program.value_of(node) if (tool := self._defined(value, keys)) is not None]
        if KEPT in self._start:  # what a function makes inside itself has no name that a model could know
            found = [tool for tool in found if tool.entries or not _is_inner(tool.node)]
        self.tools |= {id(tool.node): tool for tool in reversed(found)}
        return () if found else None

    def _defined(self, value: Value, keys: tuple[str, ...]) -> Described | None:
        match value:
            case Func(function=function):
                return of_function(self._program, function, keys)
            case ClassValue(cls=cls):
                return of_object(self._program, Instance(cls), keys)
            case _:
                return None

    def _add(self, tool: Described | None) -> None:
        if tool is not None:
            self.tools.setdefault(id(tool.node), tool)

    def _add_all(self, tools: Iterable[Described]) -> bool:
        found = {id(tool.node): tool for tool in tools}
        self.tools |= found
        return bool(found)

    def _ends(self, origin: Origin) -> None:
        """Ways that end in a class's own methods, or in a decorator, lead to all that is made or decorated by it."""
        if origin.kind == "parameter" and isinstance(origin.node, ir.Function):
            first = origin.node.params[0].name if origin.node.params else ""
            for function in decorated_by(self._program, origin.node) if origin.name == first else ():
                self._add(of_function(self._program, function, _keys(origin.passed)))
        elif isinstance(origin.node, ir.Name) and origin.node.id == "self":
            owners = [v.cls for v in self._program.value_of(origin.node) if isinstance(v, Instance)]
            for cls in owners:
                for made, call in constructions(self._program, cls):
                    self._add(of_object(self._program, Instance(made, call), _keys(origin.passed)))


def of_function(program: Program, function: ir.Function, keys: tuple[str, ...] = NAMES) -> Described | None:
    """A function that is offered under its own name, or as a mapping says that is attached to it: `f.info = {…}`."""
    if not function.name:
        return None
    for change in changes_of_name(program, function.outer, function.name):
        attached = change.value if isinstance(change, ir.Assign) and isinstance(change.target, ir.Member) else None
        said = described(program, attached, keys) if isinstance(attached, ir.Map) else None
        if said is not None:
            return Described(function, said.name, said.entries, (function,))
    return Described(function, function.name, {}, (function,)) if OF_FUNCTIONS & {*keys} else None


def _is_inner(node: ir.Node) -> bool:
    return isinstance(node, ir.Function) and isinstance(node.outer, ir.Function)


def name_of(program: Program, node: ir.Map | ir.Call, keys: tuple[str, ...] = NAMES) -> ir.Expr | None:
    """What a mapping or a call gives as a tool's name, which stands under one of these keys."""
    if isinstance(node, ir.Call):
        return next((a.value for a in node.args if a.keyword in keys), None)
    for value in program.value_of(node):
        if isinstance(value, Entries):
            entries = joined(program, value)
            return next((entries[key] for key in keys if key in entries), None)
    return None


def _keys(passed: frozenset[str]) -> tuple[str, ...]:
    """Where the name stands in the objects that a way leads to."""
    taken = _taken(passed)
    by = tuple(mark.removeprefix(CALLED_BY) for mark in passed if mark.startswith(CALLED_BY))
    return CALLED if ANY in taken else (*(taken or NAMES), *by)


def _taken(passed: frozenset[str]) -> tuple[str, ...]:
    """Under which keys the names were taken that a way leads to the owners of."""
    return tuple(sorted(key for mark in passed if mark.startswith(NAMED) and (key := mark.removeprefix(NAMED))))


def _part_kept(program: Program, name: ir.Name) -> Iterator[ir.Expr]:
    """The part of another object that a variable is: `tool_id = row.get("tool_id")`."""
    written = [binding.value for binding in visible_bindings(program, name) if not binding.steps]
    for value in written:
        if len(written) == 1 and value is not None and keyed_read(value) is not None:
            yield value


def _paired(program: Program, name: ir.Name) -> Iterator[ir.Expr]:
    """The mappings whose keys a name runs over: `for name, tool in registry.items()`, `Object.entries(…).map(…)`."""
    for binding in visible_bindings(program, name):
        sources = [binding.value] if binding.kind == "loop" else []
        if binding.kind == "parameter" and isinstance(binding.node, ir.Function):
            runners = (site.call.callee for site in program.callers(binding.node) if site.escapes)
            sources = [callee.target for callee in runners if isinstance(callee, ir.Member)]
        for source in sources:
            if isinstance(source, ir.Call) and callee_name(source.callee) in PAIRS:
                if source.args:
                    yield source.args[0].value
                elif isinstance(source.callee, ir.Member):
                    yield source.callee.target
