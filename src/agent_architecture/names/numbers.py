"""What the languages' own functions on numbers give: conversions, roundings, the least and the greatest."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from agent_architecture.names.arithmetic import constant
from agent_architecture.names.values import Api, Const, Unknown, Value, Values
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

CONVERSIONS: Final = {
    "py:builtins.int": "whole",
    "py:builtins.float": "any",
    "npm:globalThis:Number": "any",
    "npm:globalThis:BigInt": "whole",
    "npm:globalThis:parseInt": "whole prefix",
    "npm:globalThis:Number.parseInt": "whole prefix",
    "npm:globalThis:parseFloat": "prefix",
    "npm:globalThis:Number.parseFloat": "prefix",
}
"""Calls that make a number of their first argument: whether a whole one, and whether a leading number is enough."""

MAKING: Final = frozenset({"int", "float", "bool", "len", "Number", "Boolean", "parseInt", "parseFloat"})
"""What functions of the languages themselves are called that make a number or a flag of whatever they are given."""

ROUNDINGS: Final[dict[str, Callable[[float], float]]] = {
    "py:math.floor": math.floor,
    "py:math.ceil": math.ceil,
    "py:math.trunc": math.trunc,
    "py:builtins.round": round,
    "npm:globalThis:Math.floor": math.floor,
    "npm:globalThis:Math.ceil": math.ceil,
    "npm:globalThis:Math.trunc": math.trunc,
    "npm:globalThis:Math.round": lambda number: math.floor(number + 0.5),
}
"""Calls that round their first argument."""

LEAST: Final = frozenset({"py:builtins.min", "npm:globalThis:Math.min"})
MOST: Final = frozenset({"py:builtins.max", "npm:globalThis:Math.max"})
KNOWN: Final = frozenset({*CONVERSIONS, *ROUNDINGS, *LEAST, *MOST})
"""Calls whose result is a number that hangs on numbers that they are given."""

_LEADING: Final = regex(r"\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_LEADING_WHOLE: Final = regex(r"\s*[+-]?\d+")
_LONGEST_NUMBER: Final = 100


def of_call(path: str, node: ir.Call, given: Sequence[Values]) -> Values | None:
    """What a call of one of `KNOWN` returns for these alternatives of its arguments; None where that is not told."""
    if not given:
        return None
    if path in CONVERSIONS:
        return tuple(_number(value, CONVERSIONS[path], node) for value in given[0])
    if path in ROUNDINGS:
        whole = len(given) == 1
        return tuple(_rounded(_number(v, "any", node), ROUNDINGS[path]) if whole else v for v in given[0])
    if len(given) < 2 or any(argument.spread or argument.keyword is not None for argument in node.args):  # noqa: PLR2004
        return None
    return _least(given, node) if path in LEAST else _most(given, node)


def _least(given: Sequence[Values], node: ir.Call) -> Values | None:
    """The most that a minimum can be: the least constant among what it is of, whatever the others are."""
    numbers = _constants(given)
    return (Const(min(numbers), node.span),) if numbers else None


def _most(given: Sequence[Values], node: ir.Call) -> Values | None:
    """What a maximum is of constants alone; beside one constant, what the other argument is where it is greater."""
    numbers = _constants(given)
    if len(numbers) == len(given):
        return (Const(max(numbers), node.span),)
    others = [values for values in given if not _constants([values])]
    if len(others) > 1 or not numbers:
        return None
    return tuple(_at_least(value, max(numbers), node) for value in others[0])


def _at_least(value: Value, least: float, node: ir.Call) -> Value:
    number = value.value if isinstance(value, Const) else None
    if not isinstance(number, (int, float)) or isinstance(number, bool) or number >= least:
        return value
    return Const(least, node.span)


def _constants(given: Sequence[Values]) -> list[int | float]:
    """The numbers among the values that are one constant each."""
    known = [v.value for values in given if len(values) == 1 for v in values if isinstance(v, Const)]
    return [value for value in known if isinstance(value, (int, float)) and not isinstance(value, bool)]


def _rounded(value: Value, way: Callable[[float], float]) -> Value:
    number = value.value if isinstance(value, Const) else None
    if not isinstance(value, Const) or not isinstance(number, (int, float)) or not math.isfinite(number):
        return value
    return value._replace(value=way(number))


def _number(value: Value, kind: str, node: ir.Call) -> Value:
    """The number that a constant stands for; anything else stays what it is."""
    if isinstance(value, Api):
        infinite = constant(value.path)
        return value if infinite is None else Const(infinite, node.span)
    if not isinstance(value, Const):
        return value
    text = value.value
    if isinstance(text, str) and "prefix" in kind:
        match = (_LEADING_WHOLE if "whole" in kind else _LEADING).match(text)
        text = match[0] if match else text
    if isinstance(text, str) and (len(text) > _LONGEST_NUMBER or (len(node.args) > 1 and not _is_decimal(node))):
        return Unknown("a text that is not a number", node)
    try:
        number = float(text)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return Unknown("a text that is not a number", node)
    if math.isnan(number):
        return Unknown("a text that is not a number", node)
    whole = number.is_integer() or ("whole" in kind and math.isfinite(number))
    return Const(int(number) if whole else number, value.span)


def _is_decimal(node: ir.Call) -> bool:
    base = node.args[1].value
    return isinstance(base, ir.Literal) and base.value == 10  # noqa: PLR2004 - the usual base
