"""What other code hangs on an object of the project, or puts into what it has: `container.graph = build()`,
`container.graphs["desk"] = graph`, in a function that the object is handed to.

A class that has no such attribute is given it by whoever owns its object. Which object is meant, the values of what
stands in front of the attribute say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from agent_architecture.names.classes import enclosing_class, lineage
from agent_architecture.names.text_indexes import modules_with
from agent_architecture.names.values import Api, Instance, Unknown
from agent_architecture.regexes import regex
from agent_architecture.sources.languages import is_python
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value

    Change: TypeAlias = ir.Call | ir.Assign
    Direct: TypeAlias = Callable[[Program, ir.Scope, Callable[[ir.Expr], bool]], Iterator[Change]]
    """What tells the changes that a scope's own code makes."""

Put = TypeVar("Put")
"""What is put somewhere: an expression, or the change that puts it there."""
MOST: Final = 4
"""Places that put something under a name; one under which more do so is a word that everybody uses."""
PUTTING: Final = ("decorate", "set")
"""Methods that put their second argument under their first (Hono's context, Express' application, Fastify's)."""
OWN: Final = frozenset({"self", "this"})
"""What methods call their object."""
ASSIGNED: Final = regex(rb"\.\s*(\w+)\s*(?::[^=\n]+)?=(?!=)")
"""An attribute that is assigned to."""
FILLED: Final = regex(
    rb"(?<!\bself)(?<!\bthis)\.(\w+)(?:(?:\[[^\]\n]*\]|\.[\w$]+)\s*=(?![=>])"
    rb"|\.(?:add|append|appendleft|extend|extendleft|insert|push|set|setdefault|unshift|update)\()"
)
"""An attribute of something else than the own object into which something is put."""


def is_put_elsewhere(program: Program, cls: ir.Class, name: str) -> bool:
    """Whether code outside of a class gives an attribute of this name something else: `provider.ask = False`. Ask it
    last, since it rests on all files.
    """
    family = lineage(program, cls)
    return any(enclosing_class(program, store.target) not in family for store in _stores(program, name))


def put_elsewhere(program: Program, cls: ir.Class, name: str) -> Iterator[Value]:
    """What other code hangs on the objects of a class under a name that the class itself has not."""
    for value in _of_objects(program, cls, program.once(_given, name)):
        yield from program.value_of(value)


def filled_elsewhere(program: Program, cls: ir.Class, name: str, direct: Direct) -> Iterator[Change]:
    """The calls and assignments by which other code puts something into an attribute of the objects of a class."""
    return _of_objects(program, cls, program.once(_filling, name, direct))


def hung_on_unknown(program: Program, node: ir.Expr, name: str) -> Iterator[Value]:
    """What code of the same language hangs under a name on things of which nobody can tell what they are, for one that
    reads it of such a thing: `request.agent = agent` in what runs before a handler. Only what is made counts, and a
    name under which many put something says nothing.
    """
    given = (*program.once(_given, name), *program.once(_given_by_call, name))
    return _made_for(program, node, given, Unknown)


def put_under(program: Program, call: ir.Call, key: str) -> Iterator[Value]:
    """What is put by `set(key, value)` into things of which nobody can tell what they are, for `get(key)` of one."""
    return _made_for(program, call, program.once(_given_by_call, key), (Api, Unknown))


def _made_for(
    program: Program, node: ir.Expr, given: tuple[tuple[ir.Expr, ir.Expr], ...], kinds: type | tuple[type, ...]
) -> Iterator[Value]:
    """Of what is given to things in the language of `node`, other than the one that it reads, what is made, where all
    that such a thing may be is of these kinds.
    """
    read = node.target.span if isinstance(node, ir.Member) else None
    for holder, value in given if len(given) <= MOST else ():
        is_other = holder.span != read and is_python(holder.span.path) == is_python(node.span.path)
        if is_other and all(isinstance(each, kinds) for each in program.value_of(holder)):
            yield from (each for each in program.value_of(value) if _is_made(each))


def _is_made(value: Value) -> bool:
    """Whether a value is an object of the project, or one that a library made: no text, number or setting."""
    return isinstance(value, Instance) or (
        isinstance(value, Api) and value.path.endswith("()") and bool(value.receiver)
    )


def _given_by_call(program: Program, name: str) -> tuple[tuple[ir.Expr, ir.Expr], ...]:
    """What is given something under this name by a call, and what it is: `context.set("agent", agent)`."""
    return tuple(
        (site.call.callee.target, value)
        for method in PUTTING
        for site in program.calls(method)
        if isinstance(site.call.callee, ir.Member) and (value := _put_as(site.call, name)) is not None
    )


def _put_as(call: ir.Call, name: str) -> ir.Expr | None:
    match call.args:
        case (ir.Argument(value=ir.Literal(value=key)), ir.Argument(value=value, spread="")) if key == name:
            return value
        case _:
            return None


def _of_objects(program: Program, cls: ir.Class, given: tuple[tuple[ir.Expr, Put], ...]) -> Iterator[Put]:
    """What is given to what may be an object of a class, of one that it derives from or of one that derives from it."""
    family = {id(one) for one in (*lineage(program, cls), *program.subclasses(cls))} if given else set[int]()
    for holder, put in given:
        if any(isinstance(each, Instance) and id(each.cls) in family for each in program.value_of(holder)):
            yield put


def is_own(expr: ir.Expr | None) -> bool:
    """Whether an expression is an attribute of the own object."""
    return isinstance(expr, ir.Member) and isinstance(expr.target, ir.Name) and expr.target.id in OWN


def _given(program: Program, name: str) -> tuple[tuple[ir.Expr, ir.Expr], ...]:
    """The objects that are given an attribute of this name, and what it is."""
    return tuple(
        (store.target.target, store.value)
        for store in _stores(program, name)
        if isinstance(store.target, ir.Member) and store.value is not None
    )


def _stores(program: Program, name: str) -> Iterator[ir.Assign]:
    """Where attributes of this name are given something by others than the object itself."""
    for module in _of_program(program, assigned, name):
        yield from (store for store in program.put_in(module).get(name, ()) if not is_own(store.target))


def _filling(program: Program, name: str, direct: Direct) -> tuple[tuple[ir.Expr, Change], ...]:
    """The objects into whose attribute of this name others put something, and the changes."""
    found: dict[int, tuple[ir.Expr, Change]] = {}
    for module in _of_program(program, put_into, name):
        for scope in module.code:
            holders: list[ir.Expr] = []

            def is_part(target: ir.Expr, holders: list[ir.Expr] = holders) -> bool:
                is_it = isinstance(target, ir.Member) and target.name == name and not is_own(target)
                holders.extend([target.target] if is_it and isinstance(target, ir.Member) else ())
                return is_it

            for change in direct(program, scope, is_part):
                found[id(change)] = holders[-1], change
    return tuple(found.values())


def assigned(data: bytes) -> frozenset[bytes]:
    """The attributes that a text assigns to."""
    return frozenset(ASSIGNED.findall(data))


def put_into(data: bytes) -> frozenset[bytes]:
    """The attributes of other objects into which a text puts something."""
    return frozenset(FILLED.findall(data))


def _of_program(program: Program, find: Callable[[bytes], frozenset[bytes]], name: str) -> Iterator[ir.Module]:
    """The modules whose text does so to an attribute of this name; tests set what tests need."""
    return (module for module in modules_with(program, find, name) if module.role is not Role.TEST)
