"""Sets of alternatives as a whole: how many are kept, and when two of them count as the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.values import CAP, Api, Const, Entries, Items, Text, Unknown, Value, Values

if TYPE_CHECKING:
    from agent_architecture.syntax import ir


def limited(values: Values, node: ir.Expr) -> Values:
    """The alternatives without repetition; more than `CAP` are not readable."""
    if len(values) == 1:
        return values
    seen: set[object] = set()
    unique = []
    for value in values:
        key = (type(value), *(id(part) if not isinstance(part, (str, int, float, bool)) else part for part in value))
        if key not in seen:
            seen.add(key)
            unique.append(value)
    if len(unique) > CAP:
        return (Unknown(f"more than {CAP} alternatives", node),)
    return tuple(unique)


def shape_of(values: Values) -> object:
    """What two answers are compared by: what is made anew each time (a joined list) counts by its parts."""
    return tuple(_of_one(value) for value in values)


def _of_one(value: Value) -> object:
    match value:
        case Api(path=path):
            return Api, path
        case Items(items=items):
            return Items, len(items), value.complete
        case Entries(entries=entries):
            return Entries, tuple(key for key, _ in entries), value.complete
        case Text():
            return Text
        case Unknown(why=why):
            return Unknown, why
        case Const(value=constant):
            return type(constant), constant
        case _:
            return value
