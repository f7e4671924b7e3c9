"""Methods in whose place the project puts a function of its own, on the object or on the class: `tool.forward =
traced(tool.forward)`, `Client.prototype.ask = …`. Who calls the method runs that function, and it runs the method.

Counted where application code puts it there (for what only tests make, a test) and where that code is run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.attribute_writes import PROTOTYPE
from agent_architecture.names.callers import constructions
from agent_architecture.names.closure_writes import covers, lines_of
from agent_architecture.names.exits import some_leave
from agent_architecture.names.structure import blocks
from agent_architecture.names.test_parts import joins
from agent_architecture.names.values import Api, ClassValue, Func, Instance
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.names.values import Value

_STORE: Final = regex(rb"\.(\w+)[ \t]*=(?![=>])")
_WAYS: Final = (".call", ".apply", ".bind()")
"""How JavaScript calls a method that it took off its object."""


class Replacement(NamedTuple):
    """A function that runs in the place of a method, the calls by which it comes to the method, and whether every call
    of the method runs it: on all objects that are made, under no condition.
    """

    wrapper: ir.Function
    hands_on: tuple[tuple[ir.Call, ir.Scope], ...]
    everywhere: bool


class _Store(NamedTuple):
    """`target.name = value`, with its scope."""

    node: ir.Assign
    target: ir.Expr
    scope: ir.Scope


def replacing(program: Program, method: ir.Function) -> tuple[Replacement, ...]:
    """What stands in the place of a method of the project."""
    if not isinstance(method.outer, ir.Class) or method.name not in program.once(_stored):
        return ()
    return program.once(_replacing, method)


def replacing_at(program: Program, call: ir.Call, api: Api) -> tuple[Replacement, ...]:
    """What runs in the place of the method of a library's object that a call names."""
    name = api.path.rpartition(".")[2]
    if api.receiver is None or name not in program.once(_stored):
        return ()
    found: list[Replacement] = []
    for store in _counted(program, name, program.module_of(call)):
        if any(_is_same(value, api.receiver) for value in program.value_of(store.target)):
            always = _is_on_every_way(program, store.node, store.scope, (api.receiver,))
            found.extend(
                Replacement(wrapper, on, always)
                for wrapper in _put(program, store)
                if (on := tuple(_naming(program, wrapper, api.path))) and not any(c is call for c, _ in on)
            )
    return tuple(found)


def _replacing(program: Program, method: ir.Function) -> tuple[Replacement, ...]:
    found: list[Replacement] = []
    for store in _counted(program, method.name, program.module_of(method)):
        wrappers = tuple(w for w in _put(program, store) if w is not method)
        owners = [value for value in program.value_of(store.target) if _has(program, value, method)] if wrappers else ()
        if owners and _is_run(program, store, owners):
            always = _is_on_every_way(program, store.node, store.scope, tuple(owners)) and _are_all(
                program, owners, method
            )
            found.extend(
                Replacement(wrapper, on, always) for wrapper in wrappers if (on := _running(program, wrapper, method))
            )
    return tuple(found)


# -------------------------------------------------------------------------------------------------------------- stores
def _stored(program: Program) -> Mapping[str, tuple[ir.Module, ...]]:
    """The modules with assignments to attributes, by the attribute."""
    found: dict[str, list[ir.Module]] = {}
    for module in program.modules:
        file = program.table.file(module.path)
        names = () if file is None else dict.fromkeys(match[1] for match in _STORE.finditer(file.data))
        for name in names:
            found.setdefault(name.decode("utf-8", "replace"), []).append(module)
    return {name: tuple(modules) for name, modules in found.items()}


def _counted(program: Program, name: str, home: ir.Module) -> tuple[_Store, ...]:
    """The assignments of functions to an attribute that count for code of a module."""
    stores = program.once(_stores, name)
    return tuple(store for store in stores if program.module_of(store.node).role in {home.role, Role.APP})


def _stores(program: Program, name: str) -> tuple[_Store, ...]:
    pattern = regex(rb"\." + name.encode() + rb"[ \t]*=(?![=>])")
    found: list[_Store] = []
    for module in program.once(_stored).get(name, ()):
        file = program.table.file(module.path)
        lines = [] if file is None else lines_of(pattern, file.data)
        scopes: list[ir.Scope] = [module, *(scope for scope in module.index.functions if covers(scope, lines))]
        for scope in scopes:
            for node in program.structure(scope).stores:
                target = node.target
                if isinstance(target, ir.Member) and target.name == name and not node.op:
                    found.append(_Store(node, _owner(target.target), scope))
    return tuple(found)


def _owner(target: ir.Expr) -> ir.Expr:
    """What an attribute is put on: of `Guard.prototype` the class."""
    return target.target if isinstance(target, ir.Member) and target.name == PROTOTYPE else target


def _put(program: Program, store: _Store) -> tuple[ir.Function, ...]:
    """The functions of the project that an assignment puts there."""
    values = program.value_of(store.node.value) if store.node.value is not None else ()
    return tuple(dict.fromkeys(value.function for value in values if isinstance(value, Func)))


# -------------------------------------------------------------------------------------------------------------- owners
def _has(program: Program, value: Value, method: ir.Function) -> bool:
    """Whether an object, or a class, has the method as its own."""
    if not isinstance(value, (Instance, ClassValue)):
        return False
    for cls in program.lineage(value.cls):
        found = [b.node for b in program.attributes(cls).get(method.name, ())]
        if found:
            return any(node is method for node in found)
    return False


def _are_all(program: Program, owners: list[Value], method: ir.Function) -> bool:
    """Whether these are all objects of the method's class that are kept: one whose method is called where it is made is
    nobody else's.
    """
    if any(isinstance(owner, ClassValue) or (isinstance(owner, Instance) and owner.call is None) for owner in owners):
        return True
    have = {id(owner.call) for owner in owners if isinstance(owner, Instance)}
    home = program.module_of(method).role
    made = constructions(program, method.outer) if isinstance(method.outer, ir.Class) else ()
    counted = (call for _, call in made if program.module_of(call).role in {home, Role.APP})
    return all(id(call) in have or _is_used_up(program, call) for call in counted)


def _is_used_up(program: Program, call: ir.Call) -> bool:
    return isinstance(program.structure(program.scope_of(call)).parent(call), ir.Member)


def _is_same(value: Value, receiver: Api) -> bool:
    """Whether an attribute is put on a library's object, or on its class or module."""
    if not isinstance(value, Api):
        return False
    if value.node is receiver.node:
        return True
    return "()" not in value.path and receiver.path in {value.path, f"{value.path}()"}


# --------------------------------------------------------------------------------------------------------------- calls
def _inside(program: Program, wrapper: ir.Function) -> Iterator[tuple[ir.Call, ir.Scope]]:
    """The calls of a function and of those that are written in it."""
    scopes: list[ir.Scope] = [wrapper]
    for scope in scopes:  # grows
        structure = program.structure(scope)
        scopes.extend(inner for inner in structure.definitions if isinstance(inner, ir.Function))
        yield from ((call, scope) for call in structure.calls)


def _running(program: Program, wrapper: ir.Function, method: ir.Function) -> tuple[tuple[ir.Call, ir.Scope], ...]:
    return tuple((call, scope) for call, scope in _inside(program, wrapper) if method in program.callees(call))


def _naming(program: Program, wrapper: ir.Function, path: str) -> Iterator[tuple[ir.Call, ir.Scope]]:
    for call, scope in _inside(program, wrapper):
        values = (value for value in program.value_of(call.callee) if isinstance(value, Api))
        if any(value.path in {path, *(path + way for way in _WAYS)} for value in values):
            yield call, scope


# ---------------------------------------------------------------------------------------------------------------- ways
def _is_run(program: Program, store: _Store, owners: list[Value]) -> bool:
    """Whether the assignment is run: by a module, by the code that makes the object, or by somebody."""
    if not isinstance(store.scope, ir.Function) or program.callers(store.scope):
        return True
    made = (owner.call for owner in owners if isinstance(owner, Instance) and owner.call is not None)
    own = any(isinstance(owner, Instance) and owner.call is None for owner in owners)
    return own or any(program.scope_of(call) is store.scope for call in made)


def _is_on_every_way(program: Program, node: ir.Node, scope: ir.Scope, owners: tuple[Value, ...]) -> bool:
    """Whether no test decides if a node is come to, here or where its function is called with what is changed, and that
    one's: up to the code that makes it.
    """
    if not _is_untested(program, node, scope):
        return False
    near = _given_at(program, scope, owners)
    return not near or any(
        _is_untested(program, site.call, site.scope)
        and (
            not (further := _given_at(program, site.scope, owners))
            or any(_is_untested(program, each.call, each.scope) for each in further)
        )
        for site in near
    )


def _is_untested(program: Program, node: ir.Node, scope: ir.Scope) -> bool:
    """Whether no test in a scope decides if a node is come to."""
    structure = program.structure(scope)
    for around in structure.ancestors(node):
        if isinstance(around, (ir.If, ir.Conditional, ir.Handler, ir.Match)) or joins(around):
            return False
    before = (each for each in structure.nodes if isinstance(each, (ir.If, ir.Match)) and each.span < node.span)
    return not any(some_leave(*block) for each in before for block in blocks(each))


def _given_at(program: Program, scope: ir.Scope, owners: tuple[Value, ...]) -> tuple[CallSite, ...]:
    """The calls of a function with what is changed, where it does not make that itself; else all of them."""
    made = (one.call if isinstance(one, Instance) else one.node for one in owners if isinstance(one, (Instance, Api)))
    if not isinstance(scope, ir.Function) or any(each and program.scope_of(each) is scope for each in made):
        return ()
    sites = program.callers(scope)
    return tuple(site for site in sites if any(_hands(program, site.call, owner) for owner in owners)) or sites


def _hands(program: Program, call: ir.Call, owner: Value) -> bool:
    return any(owner in program.value_of(argument.value) for argument in call.args)
