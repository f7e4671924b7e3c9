"""An expression as it is for one use of the code around it: what a caller passes, or what a loop comes to, stands in
the place of parameters and loop variables.

Nothing is evaluated that the program does not know already. Must not know what the expression is for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from agent_architecture.names import classes, objects
from agent_architecture.names.arguments import arguments_at
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.given_keys import under
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.members import is_property
from agent_architecture.names.values import Const, Entries, Func, Instance, Items, Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.syntax import ir
from agent_architecture.whole_numbers import whole_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.names.scopes import Binding


class Rest(NamedTuple):
    """The arguments that a parameter takes which takes the rest of them."""

    arguments: tuple[ir.Argument, ...]


Filling: TypeAlias = "Mapping[tuple[int, str], ir.Expr | Rest]"
"""What stands for a parameter or loop variable, by the id of the function or loop and its name there; for the object
of a class, under `SELF`, the class whose objects are meant, or the call that made the one which is meant.
"""

SELF: Final = "self"

CALLED: Final = frozenset({"__name__", "name"})
"""The attributes of functions in which the languages keep their names."""


def of_call(function: ir.Function, site: CallSite) -> Filling:
    """What a call gives for the parameters of a function; those that cannot be told apart are left out."""
    filling: dict[tuple[int, str], ir.Expr | Rest] = {}
    given = arguments_at(site, function) or ()
    keywords = {param.name for param in function.params if not param.kind}
    plain = sum(1 for param in function.params if not param.kind)
    for param in function.params:
        if param.kind == "*":
            rest = [a for a in given if a.keyword is None and a.spread != "**"][plain:]
            filling[id(function), param.name] = Rest(tuple(rest))
        elif param.kind == "**":
            further = (a for a in given if a.spread == "**" or (a.keyword is not None and a.keyword not in keywords))
            filling[id(function), param.name] = Rest(tuple(further))
        else:
            passed = passed_argument(site, function, param)
            passed = param.default if passed is None else passed
            if passed is not None and not isinstance(passed, Unknown):
                filling[id(function), param.name] = passed
    return filling


def filled(program: Program, expr: ir.Expr, filling: Filling) -> ir.Expr:
    """The expression with what stands for names in it; itself where none of them is in it."""
    match expr:
        case ir.Name():
            found = _of_name(program, expr, filling)
            if found is not None and not isinstance(found, Rest):
                return found
            value = made_once(program, expr) if found is None else None
            inner = filled(program, value, filling) if value is not None else None
            return expr if inner is None or inner is value else inner
        case ir.Member(target=ir.Name(id="self"), name=name) if (own := own_object(program, filling)) is not None:
            return of_object(program, own, name) or expr
        case ir.Call(callee=ir.Member(target=ir.Name(id="self"), name=name)) if (
            own := own_object(program, filling)
        ) is not None:
            said = objects.attribute(program, own, name)
            return said[0] if len(said) == 1 else expr
        case ir.Member(target=target, name=name):
            inner = filled(program, target, filling)
            return expr if inner is target else part(program, inner, name)
        case ir.Index(target=target, key=ir.Literal(value=str() as key)):
            inner = filled(program, target, filling)
            return expr if inner is target else part(program, inner, key)
        case ir.Index(key=key) if not isinstance(key, ir.Slice):
            return _under(program, expr, filled(program, key, filling), filling) or expr
        case ir.Call():
            return _of_call(program, expr, filling)
        case ir.Map(entries=entries):
            made = tuple(entry._replace(value=filled(program, entry.value, filling)) for entry in entries)
            return expr if _is_same(made, entries) else ir.Map(expr.span, made)
        case ir.List(items=items):
            inside = tuple(filled(program, one, filling) for one in items)
            return expr if _is_same(inside, items) else expr._replace(items=inside)
        case ir.Spread(value=value):
            inner = filled(program, value, filling)
            return expr if inner is value else ir.Spread(expr.span, inner)
        case ir.Template(parts=parts):
            inside = tuple(filled(program, one, filling) for one in parts)
            return expr if _is_same(inside, parts) else ir.Template(expr.span, inside)
        case ir.Operator(operands=operands):
            inside = tuple(filled(program, one, filling) for one in operands)
            return expr if _is_same(inside, operands) else expr._replace(operands=inside)
        case ir.Await(value=value):
            inner = filled(program, value, filling)
            return expr if inner is value else ir.Await(expr.span, inner)
        case _:
            return expr


def _under(program: Program, expr: ir.Index, key: ir.Expr, filling: Filling) -> ir.Expr | None:
    """The entry of a table that stands under a key which is only passed: `schemas[name]`."""
    asked = program.value_of(key) if key is not expr.key else ()
    name = asked[0].value if len(asked) == 1 and isinstance(asked[0], Const) else None
    return under(program, filled(program, expr.target, filling), name) if isinstance(name, str) else None


def own_object(program: Program, filling: Filling) -> Instance | None:
    """The object that is meant by `self`: any of a class, or the one that a call makes."""
    for (_, name), found in filling.items():
        if name == SELF and isinstance(found, ir.Class):
            return Instance(found)
        if name == SELF and isinstance(found, ir.Call):
            return next((one for one in program.value_of(found) if isinstance(one, Instance)), None)
    return None


def of_object(program: Program, own: Instance, name: str) -> ir.Expr | None:
    """What an object has under a name: a method, or the one thing that an attribute is."""
    for one in classes.lineage(program, own.cls):
        for binding in program.attributes(one).get(name, ()):
            if isinstance(binding.node, ir.Function) and not is_property(binding.node):
                return binding.node
        if name in program.attributes(one):
            break
    said = objects.attribute(program, own, name)
    return said[0] if len(said) == 1 else None


def part(program: Program, whole: ir.Expr, name: str) -> ir.Expr:
    """What a whole has under a name: what is written there, where that is one thing."""
    values = program.value_of(whole) if not isinstance(whole, ir.Function) else (Func(whole),)
    if len(values) == 1:
        value = values[0]
        if isinstance(value, Entries) and name in dict(value.entries):
            return dict(value.entries)[name]
        if isinstance(value, Instance) and value.call is not None:
            said = objects.attribute(program, value, name)
            return said[0] if len(said) == 1 else ir.Member(whole.span, whole, name, whole.span)
        if isinstance(value, Func) and name in CALLED and value.function.name:
            return program.made.literal(whole, value.function.name)
    return ir.Member(whole.span, whole, name, whole.span)


def taken(program: Program, whole: ir.Expr, steps: tuple[str, ...]) -> ir.Expr | None:
    """What a pattern takes out of a whole; None where that is not written."""
    for step in steps:
        if step.startswith("."):
            whole = part(program, whole, step[1:])
            continue
        number = whole_number(step[1:-1])
        items = [value.items for value in program.value_of(whole) if isinstance(value, Items)]
        if number is None or len(items) != 1 or number >= len(items[0]):
            return None
        whole = items[0][number]
    return whole


def made_once(program: Program, name: ir.Name) -> ir.Expr | None:
    """What a variable of a function is made of, where it is made once: `name = name or f.__name__`."""
    bindings = visible_bindings(program, name)
    if len(bindings) != 1 or bindings[0].kind != "assign" or bindings[0].steps:
        return None
    value, scope = bindings[0].value, program.scope_of(name)
    if value is None or not isinstance(scope, ir.Function) or value.span.contains(name.span):
        return None
    return value if value.span < name.span and scope.span.contains(value.span) else None


def bound_by(program: Program, name: ir.Name, *kinds: str) -> tuple[Binding, ...]:
    """The bindings of these kinds that a name refers to."""
    return tuple(binding for binding in visible_bindings(program, name) if binding.kind in kinds)


def _of_name(program: Program, name: ir.Name, filling: Filling) -> ir.Expr | Rest | None:
    names = {known for _, known in filling}
    if not names:
        return None
    for binding in bound_by(program, name, "parameter", "loop"):
        own = binding.extra.name if isinstance(binding.extra, ir.Parameter) else name.id
        found = filling.get((id(binding.node), own))
        if found is None or isinstance(found, Rest):
            return found
        return taken(program, found, binding.steps) if binding.kind == "parameter" else found
    return None


def _of_call(program: Program, call: ir.Call, filling: Filling) -> ir.Call:
    args: list[ir.Argument] = []
    for argument in call.args:
        rest = _of_name(program, argument.value, filling) if isinstance(argument.value, ir.Name) else None
        if argument.spread and isinstance(rest, Rest):
            args.extend(rest.arguments)
        else:
            args.append(argument._replace(value=filled(program, argument.value, filling)))
    same = len(args) == len(call.args) and all(
        one.value is other.value for one, other in zip(args, call.args, strict=True)
    )
    return call if same else call._replace(args=tuple(args))


def _is_same(made: tuple[object, ...], before: tuple[object, ...]) -> bool:
    return all(
        one is other or (isinstance(one, ir.Entry) and isinstance(other, ir.Entry) and one.value is other.value)
        for one, other in zip(made, before, strict=True)
    )
