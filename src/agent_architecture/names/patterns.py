"""How names are taken out of a value: assignment targets, destructuring, match patterns.

Pure functions on IR expressions. Must not know scopes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.records import NamedTuple
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator


REST: Final = "..."


class Leaf(NamedTuple):
    """One place that a pattern stores into: a `Name`, `Member` or `Index`.

    `steps` say how its part is taken out of the whole value: `[0]` an index (`[-1]` from the end), `[]` an element that
    is not told which, `.name` a key, `...a,b` the rest after these keys or places.
    `default` is the value it gets when the part is missing.
    """

    place: ir.Expr
    steps: tuple[str, ...]
    default: ir.Expr | None = None


def leaves(target: ir.Expr, steps: tuple[str, ...] = ()) -> Iterator[Leaf]:
    """Every place in an assignment target, in source order."""
    stack = [Leaf(target, steps)]
    while stack:
        leaf = stack.pop()
        match leaf.place:
            case ir.Name() | ir.Member() | ir.Index():
                yield leaf
            case ir.List(items=items):
                stack.extend(reversed([*_of_list(items, leaf.steps)]))
            case ir.Map(entries=entries):
                stack.extend(reversed([Leaf(value, (*leaf.steps, step)) for value, step in _of_map(entries)]))
            case ir.Assign(target=inner, value=default):
                stack.append(Leaf(inner, leaf.steps, default))
            case ir.Spread(value=inner):
                stack.append(Leaf(inner, (*leaf.steps, "...")))
            case _:
                pass


def captures(pattern: ir.Expr) -> Iterator[Leaf]:
    """The names that a Python `match` pattern binds. `.?` is a part of an object that the pattern does not name."""
    stack = [Leaf(pattern, ())]
    while stack:
        place, steps, _ = stack.pop()
        match place:
            case ir.Name(id=name) if name != "_":
                yield Leaf(place, steps)
            case ir.List(items=items):
                stack.extend(reversed([*_of_list(items, steps)]))
            case ir.Map(entries=entries):
                stack.extend(reversed([Leaf(value, (*steps, step)) for value, step in _of_map(entries)]))
            case ir.Call(args=args):
                stack.extend(Leaf(arg.value, (*steps, f".{arg.keyword or '?'}")) for arg in reversed(args))
            case ir.Spread(value=inner):
                stack.append(Leaf(inner, (*steps, "...")))
            case ir.Operator(op=ir.Op.BITOR, operands=operands):
                stack.extend(Leaf(operand, steps) for operand in reversed(operands))
            case ir.Assign(target=alias, value=inner):
                stack.append(Leaf(alias, steps))
                stack.extend(() if inner is None else (Leaf(inner, steps),))
            case _:
                pass


def _of_list(items: tuple[ir.Expr, ...], steps: tuple[str, ...]) -> Iterator[Leaf]:
    """The items of a list pattern; those after a `*rest` are counted from the end."""
    after_rest = False
    for number, item in enumerate(items):
        if isinstance(item, ir.Spread):
            after_rest = True
            yield Leaf(item.value, (*steps, REST + ",".join(map(str, range(number)))))
        else:
            position = number - len(items) if after_rest else number
            yield Leaf(item, (*steps, f"[{position}]"))


def _of_map(entries: tuple[ir.Entry, ...]) -> Iterator[tuple[ir.Expr, str]]:
    """The values of a map pattern, each with the step that leads to it."""
    steps = [_key_step(entry.key) for entry in entries if entry.key is not None]
    rest = REST + ",".join(step[1:] for step in steps if step.startswith("."))
    yield from ((entry.value, rest if entry.key is None else _key_step(entry.key)) for entry in entries)


def is_rest(step: str) -> bool:
    """Whether a step takes what is left."""
    return step.startswith(REST)


def taken_before(step: str) -> frozenset[str]:
    """The keys, or places in a list, that are not in the rest that a step takes."""
    return frozenset(filter(None, step.removeprefix(REST).split(",")))


def _key_step(key: ir.Expr) -> str:
    return f".{key.value}" if isinstance(key, ir.Literal) and isinstance(key.value, (str, int)) else "[]"
