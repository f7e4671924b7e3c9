"""Functions that run under another name than their own: handed to a parameter, returned by a factory, kept in an
attribute, looked up in a table. A class stands for its constructor.

Follows a function from where it is mentioned without being called. Whether a call by the new name really runs it, the
value of the callee decides. Callbacks of libraries are for `callers`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import classes
from agent_architecture.names.arguments import PARTIAL, argument_of
from agent_architecture.names.builtins import CASTS
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.mutations import GROWING
from agent_architecture.names.patterns import leaves
from agent_architecture.names.program import CallSite, callee_name
from agent_architecture.names.references import going_through, seeing, uncalled
from agent_architecture.names.values import Api, ClassValue, Func
from agent_architecture.records import NamedTuple
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program

NAMES: Final = 24
"""Names that one function is followed under, and functions whose results it is followed out of; one that is handed
through more is not followed to its end.
"""

PICKING: Final = frozenset({"get", "items", "pop", "values"})
"""Methods of tables that give one of their entries, or all."""

SCOPED: Final = frozenset({"parameter", "variable"})

RESULT: Final = "result"


class Held(NamedTuple):
    """A name that holds a function: a parameter or variable of `scope`, or an attribute of any object. A `result` holds
    it without a name: it is what `scope` returns.
    """

    kind: str
    scope: ir.Scope
    name: str


def called_as(program: Program, function: ir.Function) -> tuple[CallSite, ...]:
    """The calls that may run a function of the project under another name; their callees are still to be checked."""
    found: dict[int, CallSite] = {}
    for held in _followed(program, _holders(program, function)):
        for site in _calls_of(program, held):
            found.setdefault(id(site.call), site)
    return tuple(found.values())


def names_holding(program: Program, scope: ir.Scope, node: ir.Node) -> frozenset[str]:
    """The names of variables, parameters and attributes that hold the value of a node of `scope`."""
    return frozenset(held.name for held in _followed(program, _kept(program, scope, node)) if held.name)


def named_again(program: Program, scope: ir.Scope, node: ir.Node) -> Iterator[tuple[ir.Scope, ir.Node]]:
    """Where variables and parameters that hold the value of a node of `scope` are named without being called."""
    for held in _followed(program, _kept(program, scope, node)):
        if held.kind in SCOPED:
            for seen in seeing(held.scope):
                yield from ((seen, each) for each in uncalled(program, seen, held.name, (ir.Name,)))


def names_holding_parameter(program: Program, function: ir.Function, name: str) -> frozenset[str]:
    """The names of variables, parameters and attributes that hold what a parameter of a function is."""
    return frozenset(held.name for held in _followed(program, (Held("parameter", function, name),)) if held.name)


def named_first(value: ir.Expr | None) -> str:
    """The last name of an expression, of what a call is handed first (`functools.partial`), or of what is bound by
    `bind`.
    """
    if isinstance(value, ir.Call) and value.args:
        is_bind = isinstance(value.callee, ir.Member) and value.callee.name == "bind"
        value = value.callee.target if is_bind else value.args[0].value  # type: ignore[union-attr]
    return callee_name(value) if isinstance(value, (ir.Name, ir.Member)) else ""


def _followed(program: Program, first: Iterable[Held]) -> Iterator[Held]:
    """These holders, and those that they are handed on to."""
    seen: dict[bool, set[tuple[str, int, str]]] = {True: set(), False: set()}
    queue = list(first)
    for held in queue:
        has_name = held.kind != RESULT
        key = (held.kind, 0 if held.kind == "attribute" else id(held.scope), held.name)
        if key in seen[has_name] or len(seen[has_name]) >= NAMES:
            continue
        seen[has_name].add(key)
        if has_name:
            yield held
        if held.kind == RESULT:
            queue.extend(_returned(program, held.scope))
        elif held.kind in SCOPED:
            queue.extend(program.once(_passed_on, held.scope, held.name))
            if isinstance(held.scope, ir.Module):
                queue.extend(program.once(_picked, held.scope, held.name))
                queue.extend(program.once(_gone_through, held.scope, held.name))


def _calls_of(program: Program, held: Held) -> Iterator[CallSite]:
    if not isinstance(held.scope, ir.Function) or held.kind not in SCOPED:
        yield from program.calls(held.name)
        return
    for scope in held.scope.module.index.calls.get(held.name, ()):
        if held.scope.span.contains(scope.span):
            yield from (CallSite(call, scope) for call in program.calls_in(scope).get(held.name, ()))


# ----------------------------------------------------------------------------------------------------- where it is held
def _holders(program: Program, function: ir.Function) -> Iterator[Held]:
    """What holds a function because it is mentioned where it is defined, and where its module is imported."""
    if function.name == classes.CONSTRUCTOR and isinstance(function.outer, ir.Class):
        for cls in (function.outer, *program.subclasses(function.outer)):
            for scope, node in program.mentions(cls):
                yield from _kept(program, scope, node)
        yield from _named_by_text(program)
        return
    yield from _kept(program, function.outer, function)
    yield from _decorated(program, function)
    if isinstance(function.outer, ir.Module) and not function.name.startswith("_"):
        yield from program.once(_named_in_module)
    for scope, node in program.mentions(function):
        if not isinstance(node, ir.Member) or _is_own(node.target) or _is(program, node, function):
            yield from _kept(program, scope, node)


def _named_by_text(program: Program) -> Iterator[Held]:
    """What holds an attribute of a module whose name is only known at run time: it may be any class."""
    for site in program.calls("import_module"):
        for call in program.calls_in(site.scope).get("getattr", ()):
            yield from _kept(program, site.scope, call)


def _named_in_module(program: Program) -> tuple[Held, ...]:
    """What holds an attribute whose name is only known at run time: of a module, it may be any function of it."""
    calls = ((site.scope, site.call) for site in program.calls("getattr"))
    named = ((s, c) for s, c in calls if isinstance(of := argument_of(c, "0"), ir.Name) and not _is_own(of))
    unknown = ((s, c) for s, c in named if not isinstance(argument_of(c, "1"), ir.Literal))
    return tuple(held for scope, call in unknown for held in _kept(program, scope, call))


def _decorated(program: Program, function: ir.Function) -> Iterator[Held]:
    """The parameters of the project's decorators that are handed the function."""
    for decorator in function.decorators if function.module.language == "python" else ():
        for value in program.value_of(decorator):
            if isinstance(value, Func) and (params := value.function.params[value.receiver is not None :]):
                yield Held("parameter", value.function, params[0].name)


def _is_own(target: ir.Expr) -> bool:
    return isinstance(target, ir.Name) and target.id in {"self", "cls"}


def _is(program: Program, expr: ir.Expr, function: ir.Function) -> bool:
    return any(isinstance(v, Func) and v.function is function for v in program.value_of(expr))


def _passed_on(program: Program, owner: ir.Scope, name: str) -> tuple[Held, ...]:
    """What a parameter or variable of a scope is handed on to."""
    nodes = ((scope, node) for scope in seeing(owner) for node in uncalled(program, scope, name, (ir.Name,)))
    return tuple(held for scope, node in nodes for held in _kept(program, scope, node))


def _picked(program: Program, module: ir.Module, name: str) -> tuple[Held, ...]:
    """What holds an entry of a table of a module, where its functions pick one: `found = table.get(name)`."""
    calls = (
        (scope, call)
        for method in sorted(PICKING)
        for scope in module.index.calls.get(method, ())
        for call in program.calls_in(scope).get(method, ())
    )
    tables = ((scope, c.callee.target) for scope, c in calls if isinstance(c.callee, ir.Member))
    named = ((scope, table) for scope, table in tables if isinstance(table, ir.Name) and table.id == name)
    return tuple(held for scope, table in named for held in _kept(program, scope, table))


def _gone_through(program: Program, module: ir.Module, name: str) -> tuple[Held, ...]:
    """What holds the entries of a list of a module, where its functions go through them."""
    scopes = going_through(program, module, name)
    nodes = ((scope, node) for scope in scopes for node in uncalled(program, scope, name, (ir.Name,)))
    return tuple(held for scope, node in nodes for held in _kept(program, scope, node))


def _kept(program: Program, scope: ir.Scope, node: ir.Node) -> tuple[Held, ...]:
    """What holds the value of a node of `scope`."""
    return program.once(_held_by, scope, node)


def _held_by(program: Program, scope: ir.Scope, node: ir.Node) -> tuple[Held, ...]:
    return tuple(_holding(program, scope, node))


def _holding(program: Program, scope: ir.Scope, node: ir.Node) -> Iterator[Held]:
    structure = program.structure(scope)
    child = node
    for around in structure.ancestors(node):
        match around:
            case ir.Call() if around.callee is child and not (isinstance(child, ir.Member) and child.name in PICKING):
                if isinstance(child, ir.Call):
                    yield Held("attribute", scope, "")  # `maker()(x)`: a call of something without a name
                return
            case ir.Call() if around.callee is child:
                pass
            case ir.Member() if around.target is child and around.name in PICKING:
                pass
            case ir.Index() if around.target is child:
                pass
            case ir.Call():
                yield from _parameters(program, around, child)
                if isinstance(around.callee, ir.Member) and around.callee.name in GROWING:
                    yield from _in_table(program, around.callee.target)
                if callee_name(around.callee) not in PARTIAL and not _gives_back(program, around, child):
                    return
            case ir.Assign() if around.value is child:
                yield from _assigned(program, around.target)
                return
            case ir.Return():
                yield Held(RESULT, scope, "")
                return
            case ir.Map():
                keys = (entry.key for entry in around.entries if entry.value is child)
                yield from (
                    Held("attribute", scope, key.value)
                    for key in keys
                    if isinstance(key, ir.Literal) and isinstance(key.value, str)
                )
            case ir.Loop() if around.source is child and around.target is not None:
                yield from _assigned(program, around.target)
                return
            case ir.Conditional() | ir.Operator() | ir.Await() | ir.List():
                pass
            case _:
                return
        child = around


def _gives_back(program: Program, call: ir.Call, argument: ir.Node) -> bool:
    """Whether a library's call is what it is handed: `memoize(run)`, `cast(Any, run)`."""
    paths = {value.path for value in program.value_of(call.callee) if isinstance(value, Api)}
    ways = {way[0] for path in paths for way in program.library.passes(path) if len(way) == 1}
    if not paths.isdisjoint(CASTS):
        ways.add("1")
    return any(argument_of(call, first) is argument for first in ways)


def _parameters(program: Program, call: ir.Call, argument: ir.Node) -> Iterator[Held]:
    """The parameters of the project's functions that a call hands an argument to."""
    from agent_architecture.names.callers import passed_argument

    called = program.by_types.methods(call.callee) or [
        v for v in program.value_of(call.callee) if isinstance(v, (Func, ClassValue))
    ]
    for function in program.callees(call) if called else ():
        for param in function.params:
            if not param.kind and passed_argument(CallSite(call, function), function, param) is argument:
                yield Held("parameter", function, param.name)


def _assigned(program: Program, target: ir.Expr) -> Iterator[Held]:
    for leaf in leaves(target):
        scope = program.scope_of(leaf.place)
        if isinstance(leaf.place, ir.Name):
            yield Held("attribute" if isinstance(scope, ir.Class) else "variable", scope, leaf.place.id)
        elif isinstance(leaf.place, ir.Member):
            yield Held("attribute", scope, leaf.place.name)
        elif isinstance(leaf.place, ir.Index):
            yield from _in_table(program, leaf.place.target)


def _in_table(program: Program, table: ir.Expr) -> Iterator[Held]:
    """The name of a table under a key of which something is put: `HANDLERS[name] = function`."""
    if isinstance(table, ir.Member):
        yield Held("attribute", program.scope_of(table), table.name)
    elif isinstance(table, ir.Name):
        for binding in visible_bindings(program, table):
            yield Held("variable", program.scope_of(binding.node), table.id)


def _returned(program: Program, scope: ir.Scope) -> Iterator[Held]:
    """What holds the result of a function: for each of its callers."""
    if isinstance(scope, ir.Function):
        for site in program.callers(scope):
            yield from _kept(program, site.scope, site.call)
