"""Methods that remember their answers: for questions that are asked over and over of something that never changes."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable


class _Remembers(Protocol):
    remembered: dict[object, Any]


Owner = TypeVar("Owner", bound=_Remembers)
A = ParamSpec("A")
T = TypeVar("T")


def remembered(find: Callable[Concatenate[Owner, A], T]) -> Callable[Concatenate[Owner, A], T]:
    """The same method, which works its answer out once for each group of arguments; all of them can be hashed."""

    def asked(owner: Owner, /, *args: A.args, **named: A.kwargs) -> T:
        key = find.__name__, args, tuple(named.items())
        if key not in owner.remembered:
            owner.remembered[key] = find(owner, *args, **named)
        return owner.remembered[key]  # type: ignore[no-any-return]

    return wraps(find)(asked)
