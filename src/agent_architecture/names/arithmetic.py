"""Operators and texts over constants, bounded: no number and no text of the scanned project can grow without end."""

from __future__ import annotations

import math
import operator
from itertools import islice, product
from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import CAP, Api, Const, Items, Text, Unknown, Value, Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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

LARGEST: Final = 2**256
"""Beyond this a number counts as infinite."""

LONGEST: Final = 65_536
"""Characters of a text that is put together; a longer one keeps its parts only."""

_BINARY: Final[dict[ir.Op, Callable[[float, float], float]]] = {
    ir.Op.ADD: operator.add,
    ir.Op.SUB: operator.sub,
    ir.Op.MUL: operator.mul,
    ir.Op.DIV: operator.truediv,
    ir.Op.FLOORDIV: operator.floordiv,
    ir.Op.MOD: operator.mod,
}
PATHS: Final = "py:pathlib."
"""Python's paths: a path below a path is a path."""
_TEXTUAL: Final = frozenset({ir.Op.ADD, ir.Op.MOD})


def constant(path: str) -> float | None:
    """The number that a language's own name stands for."""
    return math.inf if path in INFINITIES else None


def are_paths(values: Values) -> bool:
    """Whether something is a path of Python's, so that what is below it is one, too, whatever its name is."""
    return bool(values) and all(isinstance(value, Api) and value.path.startswith(PATHS) for value in values)


def below(expr: ir.Operator, paths: Values) -> Values:
    """`folder / name`: the paths below these."""
    return tuple(path._replace(node=expr, receiver=path) for path in paths if isinstance(path, Api))


def computed(expr: ir.Operator, operands: Sequence[Values]) -> Values:
    """What an operator gives for every choice of its operands' alternatives."""
    choices = tuple(islice(product(*operands), CAP + 1))
    if len(choices) > CAP:
        return (Unknown("a computed value", expr),)
    return tuple(_of_choice(expr, choice) for choice in choices)


def joined_text(parts: tuple[ir.Expr, ...], values: Sequence[Values], node: ir.Expr) -> Value:
    """The text of these parts one after the other: a constant where every part is one constant."""
    texts: list[str] = []
    for found in values:
        if len(found) != 1 or not isinstance(found[0], Const) or found[0].value is None:
            return Text(parts, node)
        texts.append(str(found[0].value))
    return Const("".join(texts), node.span) if sum(map(len, texts)) <= LONGEST else Text(parts, node)


def _of_choice(expr: ir.Operator, choice: tuple[Value, ...]) -> Value:
    if any(isinstance(v, Api) and constant(v.path) is not None for v in choice):
        negative = expr.op == ir.Op.NEG
        return Const(-math.inf if negative else math.inf, expr.span)
    if expr.op in _TEXTUAL and any(_is_text(v) for v in choice):
        if expr.op == ir.Op.ADD and all(isinstance(v, Const) for v in choice):
            return joined_text(expr.operands, [(v,) for v in choice], expr)
        return Text(expr.operands, expr)
    if expr.op == ir.Op.DIV and are_paths(choice[:1]):
        return below(expr, choice[:1])[0]
    if (answer := _compared(expr.op, choice)) is not None:
        return Const(answer, expr.span)
    constants = tuple(v.value for v in choice if isinstance(v, Const))
    if len(constants) != len(choice):
        return Unknown("a computed value", expr)
    if expr.op == ir.Op.NOT:
        return Const(not constants[0], expr.span)
    numbers = [value for value in constants if isinstance(value, (int, float)) and not isinstance(value, bool)]
    found = _number(expr.op, numbers) if len(numbers) == len(constants) else None
    return Unknown("a computed value", expr) if found is None else Const(found, expr.span)


def _compared(op: ir.Op, choice: tuple[Value, ...]) -> bool | None:
    """What a comparison of texts gives: `mode == "on"`, `mode in ("1", "on")`; None for any other."""
    match choice:
        case (Const(value=str() as left), Const(value=str() as right)) if op in {ir.Op.EQ, ir.Op.NE}:
            return (left == right) is (op is ir.Op.EQ)
        case (Const(value=str() as left), Items(items=items, complete=True)) if op is ir.Op.IN:
            texts = [item.value for item in items if isinstance(item, ir.Literal)]
            return left in texts if len(texts) == len(items) else None
        case _:
            return None


def _is_text(value: Value) -> bool:
    return isinstance(value, Text) or (isinstance(value, Const) and isinstance(value.value, str))


def _number(op: ir.Op, numbers: list[float]) -> float | None:
    """The result of an operator on numbers; None where it has none. Too large a result is infinite."""
    if len(numbers) == 1:
        return -numbers[0] if op is ir.Op.NEG else numbers[0] if op is ir.Op.POS else None
    left, right = numbers[0], numbers[1]
    function = _BINARY.get(op)
    if op is not ir.Op.POW and function is None:
        return None
    try:
        found = _power(left, right) if function is None else function(left, right)
    except (ZeroDivisionError, OverflowError, ValueError):
        return None
    if abs(found) > LARGEST:
        return -math.inf if found < 0 else math.inf
    return None if math.isnan(found) else found


def _power(left: float, right: float) -> float:
    """`left ** right`, without computing what is larger than `LARGEST`."""
    if abs(left) > 1 and right > 0 and right * math.log2(abs(left)) > math.log2(LARGEST):
        return math.inf
    found = left**right
    return found if isinstance(found, (int, float)) else math.nan
