"""Sets of alternatives as a whole: how many are kept, and when two of them count as the same.

A registry of many agents, or a function that makes one of many clients, gives more than are kept. What all of them have
in common is what they are; so of each kind of object one is kept, with a mark that there are more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import (
    CAP,
    Api,
    ClassValue,
    Const,
    Entries,
    Func,
    Instance,
    Items,
    Text,
    Unknown,
    Value,
    Values,
)

if TYPE_CHECKING:
    from agent_architecture.syntax import ir


OWN: Final = 40
"""As many functions, classes and objects of the project are kept where nothing else is among them that can be read: a
table or a factory that chooses between them is written out by hand.
"""


def limited(values: Values, node: ir.Expr) -> Values:
    """The alternatives without repetition; of more than `CAP`, some objects of each kind, and that there are more."""
    if len(values) == 1:
        return values
    seen: set[object] = set()
    unique = []
    for value in {id(value): value for value in values}.values():  # most come again as the very same objects
        key = (type(value), *(id(part) if not isinstance(part, (str, int, float, bool)) else part for part in value))
        if key not in seen:
            seen.add(key)
            unique.append(value)
    if len(unique) > (OWN if all(map(_is_own, unique)) else CAP):
        return (*_kinds(unique), Unknown(f"more than {CAP} alternatives", node))
    return tuple(unique)


def _is_own(value: Value) -> bool:
    """Whether it is a function, a class or an object of the project, or stands for none and for what is unread."""
    is_none = isinstance(value, Const) and value.value is None
    return is_none or isinstance(value, (Func, ClassValue, Instance, Unknown))


def _kinds(values: list[Value]) -> Values:
    """One object of each kind: of a library's, one for each path; of mappings, one for the same keys."""
    found: dict[object, Value] = {}
    for value in values:
        if isinstance(value, (Api, Func, ClassValue, Instance, Entries)):
            found.setdefault(_of_one(value), value)
    return tuple(found.values())[: CAP - 1]


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
            return Entries, tuple(key for key, _ in entries), value.complete, value.others is None
        case Text():
            return Text
        case Unknown(why=why):
            return Unknown, why
        case Const(value=constant):
            return type(constant), constant
        case _:
            return value
