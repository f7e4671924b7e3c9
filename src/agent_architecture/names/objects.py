"""What an attribute of one particular object was given, as expressions: other objects of the same class do not count.

`members` answers for all objects of a class at once; here the call that made the object is followed through its own
constructor and those of its bases. What is assigned later is left to `members`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import classes
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.fields import SPECIFIERS
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import CallSite, callee_name
from agent_architecture.names.values import Entries, Instance, Unknown
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding

DEPTH: Final = 6
"""Attributes and constructors that are followed for one attribute."""


def attribute(program: Program, target: Instance, name: str, depth: int = DEPTH) -> tuple[ir.Expr, ...]:
    """The expressions that an attribute of an object may be: given to its constructor, declared, or returned by a
    method or property of that name; none where that cannot be told.
    """
    if depth <= 0:
        return ()
    given = _keyword(program, target, name)
    if given is not None:
        return (given,)
    for cls in classes.lineage(program, target.cls):
        bindings = program.attributes(cls).get(name, ())
        found = [expr for binding in bindings for expr in _bound(program, target, cls, binding, depth)]
        if found:
            return tuple(dict.fromkeys(found))
    return ()


def given_by(program: Program, target: Instance, expr: ir.Expr) -> tuple[ir.Expr, ...]:
    """What an expression in a method of an object's class is for this very object: `self.label()`, `self.NAME`."""
    return tuple(_resolved(program, target, target.cls, expr, DEPTH))


def _keyword(program: Program, target: Instance, name: str) -> ir.Expr | None:
    """A field that a generated constructor is given by its name."""
    if target.call is None or classes.constructor(program, target.cls) is not None:
        return None
    written = next((a.value for a in target.call.args if a.keyword == name), None)
    if written is not None:
        return written
    names = classes.fields(program, target.cls)
    plain = [a.value for a in target.call.args if a.keyword is None and not a.spread]
    position = names.index(name) if name in names else len(plain)
    return plain[position] if position < len(plain) else None


def _bound(program: Program, target: Instance, cls: ir.Class, binding: Binding, depth: int) -> Iterator[ir.Expr]:
    if isinstance(binding.node, ir.Function):
        for expr in program.structure(binding.node).returns:
            yield from _resolved(program, target, cls, expr, depth - 1)
    elif binding.value is not None:
        yield from _resolved(program, target, cls, _default(binding.value), depth - 1)


def _default(value: ir.Expr) -> ir.Expr:
    """The default in a field specifier: `Field(default="x")`."""
    if isinstance(value, ir.Call) and callee_name(value.callee) in SPECIFIERS:
        return next((a.value for a in value.args if a.keyword in {"default", None} and not a.spread), value)
    return value


def _resolved(program: Program, target: Instance, cls: ir.Class, expr: ir.Expr, depth: int) -> Iterator[ir.Expr]:
    """An expression in a method of the object's class, as this very object gives it."""
    match expr:
        case ir.Name() if (param := _parameter(program, expr)) is not None:
            for argument in _argument(program, target, *param):
                yield from _resolved(program, target, cls, argument, depth - 1) if depth > 0 else ()
        case ir.Member(target=ir.Name(id="self"), name=name):
            yield from attribute(program, target, name, depth)
        case ir.Call(callee=ir.Member(target=ir.Name(id="self"), name=name)):
            yield from attribute(program, target, name, depth - 1) or (expr,)
        case ir.Operator(op=ir.Op.OR | ir.Op.NULLISH, operands=(ir.Name() as given, default)):
            said = tuple(_resolved(program, target, cls, given, depth))
            if said == (given,):
                yield expr
                return
            yield from (one for one in said if not _is_none(one))
            if not said or any(map(_is_none, said)):
                yield from _resolved(program, target, cls, default, depth)
        case ir.Member(target=inner, name=name) if _is_own(inner):
            for owner in _resolved(program, target, cls, inner, depth):
                yield from _inside(program, owner, name, depth)
        case _:
            yield expr


def _is_none(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Undefined) or (isinstance(expr, ir.Literal) and expr.value is None)


def _is_own(expr: ir.Expr) -> bool:
    """Whether a chain of members begins at the object itself: `self.schema.name`."""
    while isinstance(expr, ir.Member):
        expr = expr.target
    return isinstance(expr, ir.Name) and expr.id == "self"


def _inside(program: Program, owner: ir.Expr, name: str, depth: int) -> Iterator[ir.Expr]:
    for value in program.value_of(owner):
        if isinstance(value, Entries) and name in dict(value.entries):
            yield dict(value.entries)[name]
        elif isinstance(value, Instance):
            yield from attribute(program, value, name, depth - 1)


def _parameter(program: Program, name: ir.Name) -> tuple[ir.Function, ir.Parameter] | None:
    """The constructor's parameter that a name is."""
    for binding in visible_bindings(program, name):
        if binding.kind == "parameter" and isinstance(binding.node, ir.Function):
            is_constructor = binding.node.name == classes.CONSTRUCTOR
            if is_constructor and isinstance(binding.extra, ir.Parameter) and not binding.steps:
                return binding.node, binding.extra
    return None


def _argument(program: Program, target: Instance, constructor: ir.Function, param: ir.Parameter) -> Iterator[ir.Expr]:
    """What the call that made the object gives to a parameter of its constructor, or of one of its bases."""
    if classes.constructor(program, target.cls) is constructor:
        sites = [] if target.call is None else [CallSite(target.call, program.scope_of(target.call))]
    else:
        own = classes.lineage(program, target.cls)
        sites = [site for site in program.callers(constructor) if _stands_in(site.scope, own)]
    for site in sites:
        found = passed_argument(site, constructor, param)
        if found is None:
            yield from (param.default,) if param.default is not None else ()
        elif not isinstance(found, Unknown):
            yield found


def _stands_in(scope: ir.Scope, family: tuple[ir.Class, ...]) -> bool:
    return isinstance(scope, ir.Function) and scope.name == classes.CONSTRUCTOR and scope.outer in family
