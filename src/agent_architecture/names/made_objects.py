"""What the objects hold on which a method runs, told apart by the calls that made them.

A provider that a server makes with nothing asks a person first; another one, made with settings of its own, does not
(`Provider(Settings(ask=False))`). What all objects of the class may hold says of neither how it is set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.classes import constructor, fields, lineage
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.null_checks import no_value, presence
from agent_architecture.names.outside_writes import OWN, is_own, is_put_elsewhere
from agent_architecture.names.program import CallSite, callee_name
from agent_architecture.names.values import Const, Instance, Unknown
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.names.values import Value, Values

DEPTH: Final = 4
"""Methods of one object that call each other."""


def held_by_objects(program: Program, expr: ir.Expr) -> Values:
    """What a part of the own object (`self.settings.ask`) is for each object on which its method runs; nothing where
    one of them, or what it was made with, is not seen.
    """
    root = expr
    while isinstance(root, ir.Member):
        root = root.target
    return program.once(_held_by, expr) if isinstance(root, ir.Name) and root.id in OWN else ()


def _held_by(program: Program, expr: ir.Expr) -> Values:
    parts: list[str] = []
    while isinstance(expr, ir.Member):
        parts.insert(0, expr.name)
        expr = expr.target
    objects = _run_on(program, program.scope_of(expr), DEPTH) if parts else ()
    found = [_part(program, one, parts) for one in objects]
    return tuple(value for value in found if value is not None) if None not in found else ()


def calls_seen(program: Program, function: ir.Function) -> tuple[CallSite, ...]:
    """The calls of a function where nobody else runs it: no decorator, nobody to whom it is handed."""
    if function.decorators or (function.name and program.mentions(function)):
        return ()
    return program.callers(function)


def _run_on(program: Program, method: ir.Scope, depth: int) -> tuple[Instance, ...]:
    """The objects on which a method runs, each with the call that made it; none where one is not seen."""
    if depth <= 0 or not isinstance(method, ir.Function) or not isinstance(method.outer, ir.Class):
        return ()
    found: dict[int, Instance] = {}
    for site in calls_seen(program, method):
        callee = site.call.callee
        if site.escapes or not isinstance(callee, ir.Member):
            return ()
        is_own = isinstance(callee.target, ir.Name) and callee.target.id in OWN
        on = _run_on(program, site.scope, depth - 1) if is_own else program.value_of(callee.target)
        made = [value for value in on if isinstance(value, Instance) and value.call is not None]
        if not on or len(made) != len(on):
            return ()
        found.update((id(value.call), value) for value in made)
    return tuple(found.values())


def _part(program: Program, made: Instance, parts: list[str]) -> Value | None:
    """What a part of an object is; None where that is not told by how it was made."""
    for name in parts[:-1]:
        held = _held(program, made, name)
        values = () if held is None else program.value_of(held)
        inner = values[0] if len(values) == 1 else None
        if not isinstance(inner, Instance) or inner.call is None:
            return None
        made = inner
    last = _held(program, made, parts[-1])
    return Const(last.value, last.span) if isinstance(last, ir.Literal) else None


def _held(program: Program, made: Instance, name: str) -> ir.Expr | None:
    """The expression that an attribute of an object is given, where its class alone gives it one, once."""
    family = lineage(program, made.cls)
    every = (binding for one in family for binding in program.attributes(one).get(name, ()))
    bindings = [each for each in every if not _is_of_itself(each)]
    if len(bindings) != 1 or bindings[0].steps or made.call is None:
        return None
    value, function = bindings[0].value, constructor(program, made.cls)
    if function is not None:
        found = None if value is None else _given(program, value, made.call, function, bindings[0].node)
    elif any("Settings" in callee_name(base) for one in family for base in one.bases):
        return None  # the environment may say otherwise
    else:
        found = _field(program, made.cls, made.call, name, value)
    return None if found is None or is_put_elsewhere(program, made.cls, name) else found


def _is_of_itself(binding: Binding) -> bool:
    """Whether an attribute is only given what it has: `self.settings: Settings = self.settings`."""
    return is_own(binding.value) and isinstance(binding.value, ir.Member) and binding.value.name == binding.name


def _given(program: Program, value: ir.Expr, call: ir.Call, function: ir.Function, node: ir.Node) -> ir.Expr | None:
    """What an attribute is given by the constructor, by that of a base which it calls, or by the class itself."""
    scope = program.scope_of(node)
    if scope is function:
        return _as_made(program, value, call, function)
    if isinstance(scope, ir.Class):
        return value
    calls = (each for each in program.structure(function).nodes if isinstance(each, ir.Call))
    above = [each for each in calls if program.callees(each) == (scope,)]
    if len(above) != 1 or not isinstance(scope, ir.Function):
        return None
    inner = _as_made(program, value, above[0], scope)
    return None if inner is None else _as_made(program, inner, call, function)


def _field(program: Program, cls: ir.Class, call: ir.Call, name: str, default: ir.Expr | None) -> ir.Expr | None:
    """What a generated constructor puts into a field."""
    if any(argument.spread for argument in call.args):
        return None
    known, plain = fields(program, cls), [one.value for one in call.args if one.keyword is None]
    by_name = next((one.value for one in call.args if one.keyword == name), None)
    position = known.index(name) if name in known else len(plain)
    return by_name or (plain[position] if position < len(plain) else default)


def _as_made(program: Program, value: ir.Expr, call: ir.Call, function: ir.Function) -> ir.Expr | None:
    """What an expression of a constructor is where this call made the object."""
    match value:
        case ir.Literal() | ir.Call():
            return value
        case ir.Operator(op=ir.Op.OR | ir.Op.NULLISH, operands=(first, second)):
            return _or_else(program, _as_made(program, first, call, function), second, call, function)
        case ir.Conditional(test=test, then=ir.Name(id=name) as then, otherwise=otherwise) if (
            isinstance(asked := presence(test) or test, ir.Name) and asked.id == name
        ):
            return _or_else(program, _as_made(program, then, call, function), otherwise, call, function)
        case ir.Name():
            bindings = visible_bindings(program, value)
            param = bindings[0].extra if len(bindings) == 1 and bindings[0].node is function else None
            if not isinstance(param, ir.Parameter) or param.kind:
                return None
            given = passed_argument(CallSite(call, program.scope_of(call)), function, param)
            return None if isinstance(given, Unknown) else given or param.default
        case _:
            return None


def _or_else(
    program: Program, first: ir.Expr | None, second: ir.Expr, call: ir.Call, function: ir.Function
) -> ir.Expr | None:
    """The first of two expressions, if it is something; else the second."""
    if first is None:
        return None
    if no_value(first):
        return _as_made(program, second, call, function)
    values = program.value_of(first)
    return first if values and all(isinstance(value, Instance) for value in values) else None
