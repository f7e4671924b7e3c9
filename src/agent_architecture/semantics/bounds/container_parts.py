"""A container under other names: a part of it that a variable holds (`turns = sessions[key]`), or an object that is
handed one (`Session(key, self.chats[key])`). What is put into such a part is put into the container.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.classes import CONSTRUCTOR, ITSELF
from agent_architecture.names.container_makers import CONTAINERS
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.mutations import GROWING, changes_of_attribute, changes_of_name
from agent_architecture.names.program import CallSite, callee_name
from agent_architecture.names.values import Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.taint.access_paths import PARTS
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from agent_architecture.names.program import Program


FACTORY: Final = "default_factory"


class Put(NamedTuple):
    """What puts something into a part of a container, and the name that the part has there, if it has one."""

    node: ir.Call | ir.Assign
    name: str = ""


def is_container(value: ir.Expr | None) -> bool:
    """Whether an expression makes a container."""
    match value:
        case ir.List() | ir.Map():
            return True
        case ir.Call(callee=callee):
            made = [a.value for a in value.args if a.keyword == FACTORY]
            return callee_name(callee) in CONTAINERS or any(callee_name(each) in CONTAINERS for each in made)
        case _:
            return False


def is_within(expr: ir.Expr | None, is_it: Callable[[ir.Expr | None], bool]) -> bool:
    """Whether an expression is a container, or a part of it that is no copy: `x[k]`, `x.get(k) or []`."""
    while expr is not None and not is_it(expr):
        match expr:
            case ir.Index(target=target, key=key) if not isinstance(key, ir.Slice):
                expr = target
            case ir.Call(callee=ir.Member(name=name, target=target)) if name in PARTS:
                expr = target
            case ir.Operator(op=ir.Op.OR | ir.Op.NULLISH, operands=(first, *_)):
                expr = first
            case _:
                return False
    return expr is not None


def held_of(program: Program, is_it: Callable[[ir.Expr | None], bool]) -> Callable[[ir.Expr | None], bool]:
    """What says of an expression that it is the container, a part of it, or a variable that holds one."""

    def is_held(expr: ir.Expr | None) -> bool:
        if is_within(expr, is_it):
            return True
        bound = visible_bindings(program, expr) if isinstance(expr, ir.Name) else ()
        return any(b.kind == "assign" and b.value is not None and is_within(b.value, is_it) for b in bound)

    return is_held


def put_into_parts(
    program: Program, scopes: Iterable[ir.Scope], is_it: Callable[[ir.Expr | None], bool]
) -> Iterator[Put]:
    """What code puts into parts of a container."""
    for scope in scopes:
        structure = program.structure(scope)
        for node in structure.nodes:
            match node:
                case ir.Assign(target=ir.Name(id=name), value=value) if _is_part(value, is_it):
                    yield from (Put(change, name) for change in changes_of_name(program, scope, name))
                case ir.Call(callee=ir.Member(name=how, target=target)) if how in GROWING and _is_part(target, is_it):
                    yield Put(node)
                case ir.Call() if any(_is_part(given.value, is_it) for given in node.args):
                    yield from _by_objects(program, node, is_it)
                case _:
                    continue


def _is_part(expr: ir.Expr | None, is_it: Callable[[ir.Expr | None], bool]) -> bool:
    return not is_it(expr) and is_within(expr, is_it)


def _by_objects(program: Program, made: ir.Call, is_it: Callable[[ir.Expr | None], bool]) -> Iterator[Put]:
    """What the methods of an object do that is handed a part when it is made, and keeps it as an attribute."""
    for function in program.callees(made):
        cls = function.outer
        if function.name != CONSTRUCTOR or not isinstance(cls, ir.Class):
            continue
        site = CallSite(made, function)
        given = ((param.name, passed_argument(site, function, param)) for param in function.params)
        handed = {name for name, each in given if not isinstance(each, Unknown) and _is_part(each, is_it)}
        for store in program.structure(function).stores if handed else ():
            match store:
                case ir.Assign(target=ir.Member(target=ir.Name(id=own), name=name), value=ir.Name(id=param)):
                    changes = changes_of_attribute(program, cls, name) if own in ITSELF and param in handed else ()
                    yield from (Put(change, name) for change in changes)
                case _:
                    continue
