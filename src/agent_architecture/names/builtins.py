"""The functions and operators of the languages themselves, as far as they carry values along."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api, Const, Entries, Func, Items, Text, Unknown, Value, Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_architecture.names.program import Program

ENVIRONMENT: Final = frozenset({"py:os.getenv", "py:os.environ.get", "py:os.environ.setdefault"})
"""Calls that read an environment variable: argument 0 is its name, argument 1 the default."""

NUMBERS: Final = frozenset(
    {
        "py:builtins.int",
        "py:builtins.float",
        "npm:globalThis:Number",
        "npm:globalThis:parseInt",
        "npm:globalThis:parseFloat",
    }
)
COPIES: Final = frozenset(
    {
        *(f"py:builtins.{name}" for name in ("bool", "dict", "frozenset", "list", "set", "sorted", "str", "tuple")),
        *(f"npm:globalThis:{name}" for name in ("Array.from", "Boolean", "Object.freeze", "Promise.resolve", "String")),
        *("py:copy.copy", "py:copy.deepcopy", "npm:globalThis:structuredClone", "py:typing.cast"),
    }
)
"""Calls whose result stands for their first argument (`cast`: the second)."""

INFINITIES: Final = frozenset(
    {
        "py:math.inf",
        "npm:globalThis:Number.POSITIVE_INFINITY",
        "py:sys.maxsize",
        "npm:globalThis:Number.MAX_SAFE_INTEGER",
        "npm:globalThis:Number.MAX_VALUE",
    }
)
"""Numbers so large that nothing is ever counted up to them."""

_BINARY: Final[dict[str, Callable[[float, float], float]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
}
_LARGEST_POWER: Final = 64
_VARIABLE: Final = "the environment variable"


def constant(path: str) -> float | None:
    """The number that a language's own name stands for."""
    return math.inf if path in INFINITIES else None


def is_environment(value: Value) -> bool:
    """Whether a value is an environment variable that has no readable default."""
    if isinstance(value, Unknown):
        return value.why.startswith(_VARIABLE)
    return isinstance(value, Api) and value.path.startswith(("npm:globalThis:process.env", "py:os.environ"))


def call(program: Program, path: str, node: ir.Call) -> Values | None:
    """What a call of a language's own function returns; None when it is not one that is known here."""
    first = node.args[0].value if node.args and not node.args[0].spread else None
    if path in ENVIRONMENT:
        return _environment(program, node)
    if first is None:
        return {"py:builtins.list": (Items((), node),), "py:builtins.dict": (_keywords(node),)}.get(path)
    if path == "py:builtins.dict" and any(argument.keyword for argument in node.args):
        return (_keywords(node),)
    if path in NUMBERS:
        return tuple(_number(value, node) for value in program.value_of(first))
    if path == "py:typing.cast" and len(node.args) > 1:
        return program.value_of(node.args[1].value)
    if path in COPIES:
        return program.value_of(first)
    if path in {"py:functools.partial", "py:functools.partialmethod"}:
        return tuple(Func(v.function, v.receiver, node) if isinstance(v, Func) else v for v in program.value_of(first))
    if path in {"npm:globalThis:Object.values", "npm:globalThis:Object.keys", "npm:globalThis:Object.entries"}:
        return _object_parts(program, path, first, node)
    if path == "npm:globalThis:Object.assign":
        return (_assigned(program, node),)
    return None


def _environment(program: Program, node: ir.Call) -> Values:
    name = node.args[0].value if node.args else None
    label = name.value if isinstance(name, ir.Literal) and isinstance(name.value, str) else "of a computed name"
    default = (
        node.args[1].value if len(node.args) > 1 else next((a.value for a in node.args if a.keyword == "default"), None)
    )
    if default is None:
        return (Unknown(f"{_VARIABLE} {label}", node),)
    return program.value_of(default)


def _keywords(node: ir.Call) -> Value:
    entries = tuple((argument.keyword, argument.value) for argument in node.args if argument.keyword)
    return Entries(entries, node, complete=len(entries) == len(node.args))


def _number(value: Value, node: ir.Call) -> Value:
    if not isinstance(value, Const):
        return value
    try:
        number = float(value.value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return Unknown("a text that is not a number", node)
    return Const(int(number) if number.is_integer() else number, value.span)


def _power(left: float, right: float) -> float:
    try:
        return math.pow(left, right)
    except (OverflowError, ZeroDivisionError):
        return math.inf


def _object_parts(program: Program, path: str, first: ir.Expr, node: ir.Call) -> Values:
    out: list[Value] = []
    for value in program.value_of(first):
        if isinstance(value, Entries) and path.endswith("values"):
            out.append(Items(tuple(entry for _, entry in value.entries), node, value.complete))
        else:
            out.append(Items((), node, complete=False))
    return tuple(out)


def _assigned(program: Program, node: ir.Call) -> Value:
    entries: dict[str, ir.Expr] = {}
    complete = True
    for argument in node.args:
        maps = [v for v in program.value_of(argument.value) if isinstance(v, Entries)]
        for value in maps:
            entries.update(value.entries)
        complete = complete and bool(maps)
    return Entries(tuple(entries.items()), node, complete)


def method_of_container(program: Program, node: ir.Call) -> Values | None:
    """What a method of a plain list, dictionary or text returns; None when the target is none of these."""
    if not isinstance(node.callee, ir.Member):
        return None
    name = node.callee.name
    if name not in {
        "get",
        "copy",
        "values",
        "concat",
        "filter",
        "map",
        "slice",
        "flat",
        "format",
        "strip",
        "trim",
        "join",
        "pop",
    }:
        return None
    targets = program.value_of(node.callee.target)
    if not targets or not all(isinstance(value, (Items, Entries, Text, Const)) for value in targets):
        return None
    return tuple(v for value in targets for v in _container_method(program, value, name, node))


def _container_method(program: Program, value: Value, name: str, node: ir.Call) -> Values:
    from agent_architecture.names import members

    first = node.args[0].value if node.args else None
    match value, name:
        case Entries(), "get" | "pop" if first is not None:
            keys = program.value_of(first)
            key = keys[0].value if len(keys) == 1 and isinstance(keys[0], Const) else None
            found = tuple(members.element(program, value, key, node))
            missing = not found or all(
                isinstance(v, Unknown) or (isinstance(v, Const) and v.value is ir.UNDEFINED) for v in found
            )
            default = program.value_of(node.args[1].value) if len(node.args) > 1 else (Const(None, node.span),)
            return default if missing and value.complete else (*found, *(default if missing else ()))
        case Entries(), "values":
            return (Items(tuple(entry for _, entry in value.entries), node, value.complete),)
        case Items() | Entries(), "copy":
            return (value,)
        case Items(), "concat":
            added = [v for a in node.args for v in program.value_of(a.value)]
            items = tuple(i for v in added if isinstance(v, Items) for i in v.items)
            return (
                Items(
                    value.items + items,
                    node,
                    value.complete and all(isinstance(v, Items) and v.complete for v in added),
                ),
            )
        case Items(), "filter" | "slice" | "flat":
            return (Items(value.items, node, complete=False),)
        case Items(), "map":
            return (Items((), node, complete=False),)
        case ((Text() | Const()), "format"):
            return (Text((node.callee, *(argument.value for argument in node.args)), node),)
        case ((Text() | Const()), "strip" | "trim"):
            return (value,)
        case _:
            return (Unknown(f"the result of {name}()", node),)


def arithmetic(expr: ir.Operator, operands: list[Values]) -> Value:
    """The constant result of an operator over single constants; a joined text when one side is text; else unknown."""
    constants = [values[0].value for values in operands if len(values) == 1 and isinstance(values[0], Const)]
    if len(constants) != len(operands):
        infinite = [constant(v.path) for values in operands for v in values if isinstance(v, Api)]
        if any(value is not None for value in infinite):
            return Const(math.inf, expr.span)
        texts = any(
            isinstance(v, Text) or (isinstance(v, Const) and isinstance(v.value, str))
            for values in operands
            for v in values
        )
        return Text(expr.operands, expr) if texts and expr.op in {"+", "%"} else Unknown("a computed value", expr)
    return _computed(expr, constants)


def _computed(expr: ir.Operator, constants: list[ir.Constant]) -> Value:
    if expr.op == "neg" and isinstance(constants[0], (int, float)):
        return Const(-constants[0], expr.span)
    if expr.op == "not":
        return Const(not constants[0], expr.span)
    if expr.op == "+" and all(isinstance(value, str) for value in constants):
        return Const("".join(str(value) for value in constants), expr.span)
    numbers = [value for value in constants if isinstance(value, (int, float)) and not isinstance(value, bool)]
    if len(numbers) == len(constants) and len(expr.operands) > 1:
        left, right = numbers[0], numbers[1]
        if expr.op == "**" and abs(right) <= _LARGEST_POWER and abs(left) <= 2**_LARGEST_POWER:
            return Const(_power(left, right), expr.span)
        function = _BINARY.get(expr.op)
        if function is not None:
            try:
                return Const(function(left, right), expr.span)
            except (ZeroDivisionError, OverflowError):
                return Unknown("a division by zero", expr)
    return Unknown("a computed value", expr)
