"""Sets of alternatives as a whole: how many are kept, and when two of them count as the same.

A registry of many agents, or a function that makes one of many clients, gives more than are kept. What all of them have
in common is what they are; so of each kind of object one is kept, with a mark that there are more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.null_checks import is_nothing
from agent_architecture.names.values import (
    CAP,
    Api,
    ClassValue,
    Const,
    Entries,
    Func,
    Instance,
    Items,
    ModuleValue,
    Text,
    Unknown,
    Value,
    Values,
)

if TYPE_CHECKING:
    from agent_architecture.syntax import ir


MANY: Final = f"more than {CAP} alternatives"

OWN: Final = 40
"""As many functions, classes and objects of the project are kept where nothing else is among them that can be read: a
table or a factory that chooses between them is written out by hand.
"""


PLAIN: Final = (str, int, float, bool)
"""Parts of values that are told apart by what they are."""

PARTS: Final = 3
"""Steps that one expression adds to a chain at a time: `for key, (one, two) in table.items()` takes parts of parts."""


def limited(values: Values, node: ir.Expr | None) -> Values:
    """The alternatives without repetition; of more than `CAP`, some objects of each kind, and that there are more."""
    if len(values) < 2:  # noqa: PLR2004 - it repeats nothing
        if not values or type(value := values[0]) is not Api or value.receiver is None:
            return values
        return (folded(value),)
    seen: set[object] = set()
    unique = []
    for one in {id(value): value for value in values}.values():  # most come again as the very same objects
        value = folded(one) if type(one) is Api and one.receiver is not None else one
        key = _identity(value)
        if key not in seen:
            seen.add(key)
            unique.append(value)
    return tuple(unique) if _are_few(unique) else (*_kinds(unique), Unknown(MANY, node))


def limited_in_circle(values: Values, node: ir.Expr | None) -> Values:
    """The same where the values rest on themselves: what were once too many stay too many, so that what is known only
    grows. Of too many kinds of things of libraries none is kept.
    """
    unique = limited(values, node)
    if not any(isinstance(value, Unknown) and value.why == MANY for value in unique):
        return unique
    kinds = _kinds(sorted(unique, key=_place), len(unique))
    if len(kinds) >= CAP:
        kinds = tuple(value for value in kinds if isinstance(value, (Func, ClassValue, Instance)))[:OWN]
    return (*kinds, Unknown(MANY, node))


def _are_few(values: list[Value]) -> bool:
    return len(values) <= (OWN if all(map(_is_own, values)) else CAP)


def folded(value: Api) -> Api:
    """The value; one that an expression made of what it had made itself is what it made then: a loop or a recursion
    that takes a part of what it took before (`folder = folder.parent`) leads back to where it was.
    """
    node, parts, receiver = value.node, 1, value.receiver
    while receiver is not None and receiver.node is node:
        parts, receiver = parts + 1, receiver.receiver
    if parts > PARTS:
        return value.receiver or value
    while receiver is not None:
        if receiver.node is node:
            return receiver
        receiver = receiver.receiver
    return value


def joined(before: Values, found: Values) -> Values:
    """What two answers to one question come to together: what came before stays first."""
    known = {_shape(value) for value in before}
    return limited((*before, *(value for value in found if _shape(value) not in known)), None)


def _identity(value: Value) -> object:
    """What tells a value from others: a container by what is in it, and a chain by its steps, for they are made anew
    each time.
    """
    if isinstance(value, Api):
        steps: list[object] = [value.path, id(value.node), id(value.bound), id(value.made_for)]
        receiver = value.receiver
        while receiver is not None:
            steps.append(id(receiver.node))
            receiver = receiver.receiver
        return tuple(steps)
    if isinstance(value, Instance):
        return Instance, id(value.cls), id(value.call)
    if isinstance(value, Unknown):
        return Unknown, value.why, id(value.node)
    if isinstance(value, Func):
        return _of_one(value)
    if isinstance(value, (Items, Entries)):
        return value
    return (type(value), *[part if isinstance(part, PLAIN) else id(part) for part in value])


def _is_own(value: Value) -> bool:
    """Whether it is a function, a class or an object of the project, or stands for none and for what is unread."""
    is_none = isinstance(value, Const) and value.value is None
    return is_none or isinstance(value, (Func, ClassValue, Instance, Unknown)) or _is_made_for_one(value)


def _is_made_for_one(value: Value) -> bool:
    return isinstance(value, Api) and value.made_for is not None


def _kinds(values: list[Value], most: int = CAP - 1) -> Values:
    """One object of each kind: of a library's, one for each path; of mappings, one for the same keys."""
    found: dict[object, Value] = {}
    for value in values:
        if isinstance(value, (Api, Func, ClassValue, Instance, Entries)):
            found.setdefault(_of_one(value), value)
    return tuple(found.values())[:most]


def shape_of(values: Values) -> object:
    """What two answers are compared by, whatever their order: what is made anew each time (a joined list) counts by its
    parts.
    """
    return frozenset(map(_shape, values))


def in_order(values: Values) -> Values:
    """What is there first, then what is not, then what is not readable, each by where it stands in the code: in a
    circle alternatives come in any order.
    """
    return values if len(values) < 2 else tuple(sorted(values, key=_place))  # noqa: PLR2004 - one has no order


def _place(value: Value) -> tuple[object, ...]:
    kind = type(value).__name__
    if isinstance(value, Api):
        return 0, value.node.span, kind, value.path, () if value.made_for is None else value.made_for.span
    if isinstance(value, Unknown):
        return 2, () if value.node is None else value.node.span, kind, value.why
    if isinstance(value, Const):
        return int(is_nothing(value)), value.span, kind, repr(value.value)
    if isinstance(value, Instance):
        return 0, value.cls.span, kind, "" if value.call is None else repr(value.call.span)
    if isinstance(value, Func):
        return 0, value.function.span, kind, "" if value.receiver is None else value.receiver.cls.qualname
    if isinstance(value, ClassValue):
        return 0, value.cls.span, kind, ""
    return 0, value.module.span if isinstance(value, ModuleValue) else value.node.span, kind, ""


def _shape(value: Value) -> object:
    if isinstance(value, Entries):
        return Entries, value.entries, value.complete, value.others
    return _of_one(value)


def _of_one(value: Value) -> object:
    if isinstance(value, Api):
        return (Api, value.path) if value.made_for is None else (Api, value.path, id(value.made_for))
    if isinstance(value, Func):
        bound = value.bound
        return Func, value.function, value.receiver, () if bound is None else bound.args[1:]
    if isinstance(value, Unknown):
        return Unknown, value.why
    if isinstance(value, Const):
        constant = value.value
        return type(constant), constant
    if isinstance(value, Items):
        return Items, len(value.items), value.complete
    if isinstance(value, Entries):
        return Entries, tuple([key for key, _ in value.entries]), value.complete, value.others is None
    return Text if isinstance(value, Text) else value
