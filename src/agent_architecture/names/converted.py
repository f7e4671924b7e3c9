"""Functions of the project that make a number of what they are given, or read a variable of the environment under the
name that they are given: `whole(value, fallback)`, `env_int("TURNS", 10)` are what that call gives, whatever other
calls of it do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import numbers
from agent_architecture.names.builtins import (
    ENVIRONMENT,
    VARIABLES,
    is_environment,
    is_reading,
    is_whole_environment,
    variable,
)
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import CallSite, callee_name
from agent_architecture.names.values import Api, Const, Unknown, Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding

DEPTH: Final = 10
"""Calls, choices and variables between what such a function returns and its parameters."""

LARGEST: Final = 8
"""Results of a function that is read so."""

TEXT: Final = frozenset({"strip", "lower", "upper", "trim", "toLowerCase", "toUpperCase"})
"""Methods whose result says what their text says."""
TESTS: Final = frozenset({ir.Op.IN, ir.Op.EQ, ir.Op.NE, ir.Op.IS})
"""What makes yes or no of a text."""

NAMES: Final = frozenset(path.rpartition(":")[2].rpartition(".")[2] for path in numbers.KNOWN)


def converted(program: Program, function: ir.Function, call: ir.Call) -> Values | None:
    """What a function gives to one call, where all that it returns are its parameters, constants, variables of the
    environment, and numbers that the languages' own functions make of them; None for any other function. A variable
    that has a default is its default, as everywhere.
    """
    results = program.structure(function).returns
    if not results or len(results) > LARGEST or not program.once(_converts, function):
        return None
    found = [_at(program, result, function, call, DEPTH) for result in results]
    if any(values is None for values in found):
        return None
    every = tuple(v for values in found for v in values or ())
    return tuple(value for value in every if not is_environment(value)) or every


def _converts(program: Program, function: ir.Function) -> bool:
    """Whether a function calls a language's own function on numbers or reads the environment, and hangs on what it is
    given.
    """
    if not function.params or function.is_generator or any(param.kind for param in function.params):
        return False
    structure = program.structure(function)
    return any(callee_name(call.callee) in NAMES for call in structure.calls) or any(map(is_reading, structure.nodes))


def _at(program: Program, expr: ir.Expr, function: ir.Function, call: ir.Call, depth: int) -> Values | None:
    """What an expression of a function is in one call of it; None where that hangs on more than is read here."""
    if not depth:
        return None
    match expr:
        case ir.Literal():
            return program.value_of(expr)
        case ir.Name():
            return _joined([_bound(program, b, function, call, depth) for b in visible_bindings(program, expr)])
        case ir.Conditional(then=then, otherwise=otherwise):
            return _joined([_at(program, part, function, call, depth - 1) for part in (then, otherwise)])
        case ir.Operator(op=ir.Op.OR | ir.Op.NULLISH, operands=operands):
            return _joined([_at(program, part, function, call, depth - 1) for part in operands])
        case ir.Call(callee=ir.Member(target=target, name=name)) if name in TEXT:
            return _at(program, target, function, call, depth - 1)
        case ir.Operator(op=op, operands=operands) if op in TESTS:
            sides = [_at(program, part, function, call, depth - 1) for part in operands]
            asked = [value for values in sides for value in values or () if is_environment(value)]
            return tuple(asked) or None
        case ir.Call() | ir.Index() if (variable_name := _variable(program, expr)) is not None:
            named = _at(program, variable_name, function, call, depth - 1) or ()
            default = expr.args[1:2] if isinstance(expr, ir.Call) else []
            if default:
                return _at(program, default[0].value, function, call, depth - 1)
            texts = [value.value for value in named if isinstance(value, Const)]
            return (variable(str(texts[0]), expr),) if len(texts) == len(named) == 1 else None
        case ir.Call() if callee_name(expr.callee) in NAMES:
            given = [_at(program, argument.value, function, call, depth - 1) for argument in expr.args]
            known = [values for values in given if values is not None]
            if any(is_environment(value) for values in known for value in values):
                return tuple(value for values in known for value in values if is_environment(value))
            callees = program.value_of(expr.callee)
            path = callees[0].path if len(callees) == 1 and isinstance(callees[0], Api) else ""
            return numbers.of_call(path, expr, known) if path in numbers.KNOWN and len(known) == len(given) else None
        case _:
            return None


def _variable(program: Program, expr: ir.Call | ir.Index) -> ir.Expr | None:
    """The name of the variable of the environment that an expression reads."""
    if isinstance(expr, ir.Index):
        holds = isinstance(expr.target, ir.Member) and expr.target.name in VARIABLES
        return expr.key if holds and any(map(is_whole_environment, program.value_of(expr.target))) else None
    reads = any(isinstance(value, Api) and value.path in ENVIRONMENT for value in program.value_of(expr.callee))
    return expr.args[0].value if reads and expr.args else None


def _joined(parts: list[Values | None]) -> Values | None:
    return tuple(v for values in parts for v in values or ()) if parts and None not in parts else None


def _bound(program: Program, binding: Binding, function: ir.Function, call: ir.Call, depth: int) -> Values | None:
    """What a variable of a function is in one call of it, or a constant outside of it."""
    if binding.steps:
        return None
    if binding.kind == "assign" and binding.value is not None:
        return _at(program, binding.value, function, call, depth - 1)
    if binding.kind != "parameter" or binding.node is not function or not isinstance(binding.extra, ir.Parameter):
        return None
    given = passed_argument(CallSite(call, function), function, binding.extra)
    given = binding.extra.default if given is None else given
    if isinstance(given, Unknown):
        return (given,)
    return (Const(ir.UNDEFINED, call.span),) if given is None else program.value_of(given)
