"""What made a value: the calls, functions and classes behind it, nearest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.values import Api, ClassValue, Entries, Func, Instance, Items, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.syntax import ir


def receivers(api: Api) -> Iterator[Api]:
    """The values that a method call goes back to: `graph.with_config(x).invoke` gives the steps before it, nearest
    first.
    """
    current = api.receiver
    while current is not None:
        yield current
        current = current.receiver


def makers(value: Value) -> Iterator[ir.Node]:
    """The nodes that may have made a value: its own first, then those of its receivers, nearest first."""
    match value:
        case Api():
            for one in (value, *receivers(value)):
                yield from (node for node in (one.made_for, one.node) if node is not None)
        case Func():
            yield value.function
        case Instance():
            if value.call is not None:
                yield value.call
            yield value.cls
        case ClassValue():
            yield value.cls
        case Items() | Entries():
            yield value.node
        case _:
            return
