"""Objects that describe a tool: mappings, and objects of the project's own classes, with a name, with what a model
reads of them, and with the code that they run.

A name and a description alone make nothing a tool: whether an object reaches a model or a dispatcher is for others to
say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.names import classes, objects
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.declarations import is_declaration
from agent_architecture.names.exits import is_answer
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import CallSite
from agent_architecture.names.values import ClassValue, Const, Entries, Func, Instance, ModuleValue, Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.schemas import zod
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import Span

NAMES: Final = ("name", "tool_name", "toolName")
SAYING: Final = ("description", "desc", "docstring", "doc", "signature")
"""Where objects keep what a model reads of them."""
PARAMETERS: Final = (
    "parameters", "input_schema", "inputSchema", "args_schema", "argsSchema", "parametersJsonSchema", "schema",
    "params", "arguments", "args", "input",
)  # fmt: skip
"""Where they keep what they are called with."""
RUNNING: Final = ("execute", "handler", "handle", "run", "call", "callback", "cb", "fn", "func", "function", "action")
"""Where they keep the code that they run."""
TOLD: Final = frozenset({"description", "parameters", "input_schema", "inputSchema", "args_schema", "argsSchema"})
"""What objects may say by a property or a method of this name."""
PREFIXES: Final = ("tool_", "function_")
NESTED: Final = ("function", "schema", "definition", "tool", "toolSpec", "spec", "config", "metadata")
"""Where they keep an object in which they describe themselves."""
WRAPPED: Final = "function"
"""Where requests to models keep what they say of a function."""
METHODS: Final = (
    "__call__", "_run", "_execute", "_call", "run", "execute", "invoke", "forward", "call", "handler", "handle", "use",
    "apply",
)  # fmt: skip
"""What the method that does the work is called in classes of tools that a project makes up, in order."""


class Described(NamedTuple):
    """One tool as it describes itself. `node` defines it: the mapping, the call that makes the object, or the class
    whose objects are all the same tool.
    """

    node: ir.Map | ir.Call | ir.Class | ir.Function
    name: str
    entries: Mapping[str, ir.Expr]
    """What it says, all levels joined."""
    functions: tuple[ir.Function, ...] = ()
    """The code that it runs, its own first."""
    at: Span | None = None
    """Where a reader would say that it stands, if that is not the node."""
    degree: Degree = Degree.RESOLVED
    """How it is known that it is declared for a model."""
    outside: bool = False
    """Whether something that is not the project's, and that nobody knows, may check and ask before it runs."""


def described(
    program: Program, expr: ir.Node, keys: tuple[str, ...] = NAMES, *, is_offered: bool = False
) -> Described | None:
    """The tool that a mapping or a call of a project's class describes; None for anything else, and for one whose name
    belongs to another object (`{"name": tool.name}`). `keys` are where the name stands; `is_offered` says that this
    name is taken to make what a model is offered.
    """
    if isinstance(expr, ir.Map):
        values = (value for value in program.value_of(expr) if isinstance(value, Entries))
        return next((found for value in values if (found := of_mapping(program, value, keys)) is not None), None)
    if isinstance(expr, ir.Call):
        made = [value for value in program.value_of(expr) if isinstance(value, Instance) and value.call is expr]
        objects_ = (found for value in made if (found := of_object(program, value, keys, is_offered=is_offered)))
        return next(objects_, None) or _of_maker(program, expr, keys)
    return None


def _of_maker(program: Program, call: ir.Call, keys: tuple[str, ...]) -> Described | None:
    """What a function of the project makes of the name that this call gives it: `schema("search", "Look it up.")`."""
    for function in program.callees(call):
        for made in program.structure(function).returns:
            for value in program.value_of(made) if isinstance(made, ir.Map) else ():
                entries = joined(program, value) if isinstance(value, Entries) else {}
                given = {key: _passed(program, call, function, expr) for key, expr in entries.items()}
                if not any(key in entries and given[key] is not entries[key] for key in keys):
                    continue
                name = next((text for key in keys if key in given and (text := own_text(program, given[key]))), "")
                functions = running(program, given)
                if name and (functions or given.keys() & {*SAYING, *PARAMETERS}):
                    return Described(call, name, given, functions)
    return None


def _passed(program: Program, call: ir.Call, function: ir.Function, expr: ir.Expr) -> ir.Expr:
    """What a call gives for a parameter of a function; any other expression is itself."""
    param = next((p for p in function.params if isinstance(expr, ir.Name) and p.name == expr.id and not p.kind), None)
    if param is None:
        return expr
    found = passed_argument(CallSite(call, program.scope_of(call)), function, param)
    return expr if found is None or isinstance(found, Unknown) else found


def of_mapping(program: Program, value: Entries, keys: tuple[str, ...] = NAMES) -> Described | None:
    """A mapping with a name of its own, and with a description, a schema or a function."""
    if not isinstance(value.node, ir.Map):
        return None
    entries = joined(program, value)
    name = next((text for key in keys if key in entries and (text := own_text(program, entries[key]))), "")
    functions = running(program, entries)
    if not name or not (functions or entries.keys() & {*SAYING, *PARAMETERS}):
        return None
    return Described(value.node, name, entries, functions or _of_its_kind(program, value.node, entries))


def _of_its_kind(program: Program, node: ir.Map, entries: Mapping[str, ir.Expr]) -> tuple[ir.Function, ...]:
    """The method that does the work of a kind whose objects describe themselves in another: `getTool()`, `execute()`.
    One that gives a list of several tools says of none how it runs; a method that is given nothing starts something.
    """
    speaking = program.scope_of(node)
    cls = speaking.outer if isinstance(speaking, ir.Function) else None
    if not isinstance(cls, ir.Class) or not entries.keys() & {*PARAMETERS}:
        return ()
    if [id(expr) for expr in program.structure(speaking).returns] != [id(node)]:
        return ()
    runs = method_of(program, cls)
    return (runs,) if runs is not None and runs is not speaking and runs.params else ()


def running(program: Program, entries: Mapping[str, ir.Expr]) -> tuple[ir.Function, ...]:
    """The functions that a mapping names as what it runs."""
    return tuple(_functions(program, (entries[key] for key in (*RUNNING, "tool") if key in entries)))


def joined(program: Program, value: Entries) -> dict[str, ir.Expr]:
    """A mapping's entries and, below them, those of the mapping in which it describes itself; `tool_description` is a
    `description`, too.
    """
    entries = {short: expr for key, expr in value.entries for prefix in PREFIXES if (short := key.removeprefix(prefix))}
    entries |= dict(value.entries)
    for key in NESTED:
        for inner in program.value_of(entries[key]) if key in entries else ():
            said = _said(program, inner) if isinstance(inner, Entries) else {}
            if _describes(program, said):
                return {**said, **{k: v for k, v in entries.items() if k != key}}
    return entries


def _said(program: Program, inner: Entries) -> dict[str, ir.Expr]:
    """What a mapping inside another one says, with what stands in the one that model APIs wrap:
    `{"type": "function", "function": {"name": …}}`.
    """
    said = dict(inner.entries)
    for wrapped in program.value_of(said[WRAPPED]) if WRAPPED in said and "type" in said else ():
        named = dict(wrapped.entries) if isinstance(wrapped, Entries) else {}
        if any(own_text(program, named[key]) for key in NAMES if key in named):
            return named
    return said


def inner_of(node: ir.Expr) -> tuple[ir.Expr, ...]:
    """What a mapping wraps as model APIs nest it: `{type: "function", function: functions[i]}`."""
    entries = node.entries if isinstance(node, ir.Map) else ()
    return tuple(e.value for e in entries if isinstance(e.key, ir.Literal) and e.key.value == WRAPPED)


def schemas_wrapped(program: Program, node: ir.Expr) -> tuple[Entries, ...]:
    """The tools of such a mapping where it wraps now one, now another one, of a list; nothing of any other."""
    found: dict[int, Entries] = {}
    for inner in inner_of(node):
        for value in program.value_of(inner) if isinstance(inner, (ir.Name, ir.Index)) else ():
            if isinstance(value, Entries) and not dict(value.entries).keys().isdisjoint(NAMES):
                found[id(value.node)] = value
    return tuple(found.values()) if len(found) > 1 else ()


def _describes(program: Program, said: Mapping[str, ir.Expr]) -> bool:
    """Whether a mapping says something of the object that holds it. One whose `name` or `description` is a schema is
    the schema of arguments that are called so.
    """
    texts = [value for key in (*NAMES, *SAYING) if key in said for value in program.value_of(said[key])]
    is_of_arguments = any(isinstance(value, (Entries, ClassValue)) or zod.is_zod(value) for value in texts)
    return not is_of_arguments and bool(said.keys() & {*NAMES, *SAYING, *PARAMETERS[:5]})


def of_object(
    program: Program, value: Instance, keys: tuple[str, ...] = NAMES, *, is_offered: bool = False
) -> Described | None:
    """An object of a project's class that has a name of its own, says something of itself, and can do something; one
    that is offered may leave the doing to others.
    """
    name = _name(program, value, keys)
    if not name:
        return None
    by_class = value.call is None or _name(program, Instance(value.cls), keys) == name
    node = value.cls if by_class or value.call is None else value.call
    return named_object(program, value, name, node, is_offered=is_offered)


def named_object(
    program: Program, value: Instance, name: str, node: ir.Call | ir.Class, *, is_offered: bool = False
) -> Described | None:
    """The same with a name that stands elsewhere: in a decorator of the class. `node` is what defines the tool."""
    runs = method_of(program, value.cls)
    functions = tuple(dict.fromkeys((*_given(program, value), *((runs,) if runs is not None else ()))))
    if not (functions or is_offered):
        return None
    entries = {key: found for key in (*SAYING, *PARAMETERS) if (found := _entry(program, value, key)) is not None}
    entries |= _spoken(program, value, entries)
    if not entries and not (functions and _documented(value.cls)):
        return None
    return Described(node, name, entries, functions)


def holding(program: Program, schema: ir.Node | None) -> Described | None:
    """The tool that keeps a schema beside the code that it runs (`{schema, run}`), in the file of the schema."""
    module = program.table.get(schema.span.path) if isinstance(schema, ir.Map) else None
    return program.once(_held, module).get(id(schema)) if module is not None else None


def _held(program: Program, module: ir.Module) -> dict[int, Described]:
    """The schemas that tools of a file keep beside their code, by the ids of their nodes."""
    found: dict[int, Described] = {}
    for scope in (*module.code, *module.index.classes):
        maps = (node for node in program.structure(scope).nodes if isinstance(node, ir.Map))
        for node in (one for one in maps if _keys(one) & {*NESTED} and _keys(one) & {*RUNNING}):
            for value in (each for each in program.value_of(node) if isinstance(each, Entries)):
                tool = of_mapping(program, value)
                if tool is not None and tool.functions:
                    found |= {id(inner): tool for inner in _kept(program, dict(value.entries))}
    return found


def _kept(program: Program, entries: Mapping[str, ir.Expr]) -> Iterator[ir.Node]:
    for key in NESTED:
        values = program.value_of(entries[key]) if key in entries else ()
        inner = [value for value in values if isinstance(value, Entries) and isinstance(value.node, ir.Map)]
        yield from (value.node for value in inner if len(values) == 1 and _describes(program, _said(program, value)))


def _keys(node: ir.Map) -> frozenset[str]:
    keys = (entry.key for entry in node.entries)
    return frozenset(key.value for key in keys if isinstance(key, ir.Literal) and isinstance(key.value, str))


def own_text(program: Program, expr: ir.Expr) -> str:
    """The one text that an expression is, unless it is a part of another object: `tool.name` names that object."""
    if isinstance(expr, (ir.Member, ir.Index)):
        owners = program.value_of(expr.target)
        if not owners or not all(isinstance(owner, (ClassValue, ModuleValue)) for owner in owners):
            return ""
    elif isinstance(expr, ir.Name) and any(b.kind in {"parameter", "loop"} for b in visible_bindings(program, expr)):
        return ""
    texts = {str(v.value) if isinstance(v, Const) and isinstance(v.value, str) else "" for v in program.value_of(expr)}
    return texts.pop() if len(texts) == 1 else ""


def method_of(program: Program, cls: ir.Class) -> ir.Function | None:
    """The method of a project's own kind of tool that does its work, in the nearest class that has one: by its name, or
    because a base only declares it.
    """
    family = classes.lineage(program, cls)
    for number, one in enumerate(family):
        methods = {node.name: node for node in one.body if isinstance(node, ir.Function) and not is_declaration(node)}
        above = [node for base in family[number + 1 :] for node in base.body if isinstance(node, ir.Function)]
        declared = {node.name for node in above if node.name in methods and is_declaration(node)}
        named = [methods[name] for name in METHODS if name in methods]
        ranked = [*(m for m in named if m.name in declared), *named, *(methods[name] for name in sorted(declared))]
        if ranked:
            return ranked[0]
    return None


def _name(program: Program, value: Instance, keys: tuple[str, ...]) -> str:
    texts = {text for key in keys for expr in objects.attribute(program, value, key) for text in _texts(program, expr)}
    return texts.pop() if len(texts) == 1 else ""


def _texts(program: Program, expr: ir.Expr) -> Iterator[str]:
    for value in program.value_of(expr):
        yield value.value if isinstance(value, Const) and isinstance(value.value, str) else ""


def _entry(program: Program, value: Instance, key: str) -> ir.Expr | None:
    """What an object keeps under a key, as far as that says something: no method of this name but one that is there to
    say it, nothing empty.
    """
    told = next((name for name in _told(key) if objects.attribute(program, value, name)), key)
    found = objects.attribute(program, value, told)
    methods = [b.node for b in program.attributes(value.cls).get(told, ()) if isinstance(b.node, ir.Function)]
    if len(found) != 1 or (methods and not (key in TOLD and all(_only_says(method) for method in methods))):
        return None
    values = program.value_of(found[0])
    return None if all(isinstance(v, Const) and not v.value for v in values) else found[0]


def _told(key: str) -> tuple[str, ...]:
    """Under what an object may say something: `description`, `getDescription`, `get_description`."""
    return (key, f"get{key[:1].upper()}{key[1:]}", f"get_{key}") if key in TOLD else (key,)


def _only_says(method: ir.Function) -> bool:
    """Whether a method is asked for nothing, and gives something back at once: a property, a getter."""
    return not method.params and any(map(is_answer, method.body))


def _spoken(program: Program, value: Instance, known: Mapping[str, ir.Expr]) -> dict[str, ir.Expr]:
    """What a mapping says that the object was made with: `new Action(handler, {name, description, schema})`."""
    for key in ("schema", "parameters", *NESTED):
        expr = known.get(key) or _entry(program, value, key)
        for inner in program.value_of(expr) if expr is not None else ():
            if isinstance(inner, Entries) and dict(inner.entries).keys() & {*NAMES, *SAYING}:
                return dict(inner.entries)
    return {}


def _given(program: Program, value: Instance) -> Iterator[ir.Function]:
    """The functions that an object is made with: those that it is told to run, else all."""
    arguments = [argument for argument in (value.call.args if value.call is not None else ()) if not argument.spread]
    told = [argument for key in RUNNING for argument in arguments if argument.keyword == key]
    yield from _functions(program, (argument.value for argument in told or arguments))


def _functions(program: Program, exprs: Iterable[ir.Expr]) -> Iterator[ir.Function]:
    for expr in exprs:
        if isinstance(expr, (ir.Function, ir.Name, ir.Member)):
            yield from (value.function for value in program.value_of(expr) if isinstance(value, Func))


def _documented(cls: ir.Class) -> bool:
    return bool(cls.body) and isinstance(cls.body[0], ir.Literal) and isinstance(cls.body[0].value, str)
