"""The normal form of handlers, for all languages: one that only raises again what it caught catches nothing."""

from __future__ import annotations

from agent_architecture.syntax import ir


def catching(handlers: tuple[ir.Handler, ...]) -> tuple[ir.Handler, ...]:
    """The handlers without the last ones that only raise again. One before another keeps errors from that one."""
    left = len(handlers)
    while left and _only_raises_again(handlers[left - 1]):
        left -= 1
    return handlers[:left]


def _only_raises_again(handler: ir.Handler) -> bool:
    match handler.body:
        case (ir.Raise(value=None),):
            return True
        case (ir.Raise(value=ir.Name(id=raised)),):
            return raised == handler.name
        case _:
            return False
