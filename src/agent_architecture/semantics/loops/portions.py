"""Parts of what a loop goes over that no other pass has: a batch, an element by its number.

What is written into such a part (`row.kind = answer`) is not there for the next pass, which has another part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.lookup import mentions
from agent_architecture.names.patterns import leaves
from agent_architecture.names.program import callee_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

SLICES: Final = frozenset({"slice", "subarray"})
"""Methods of JavaScript that give a part from one number to another."""


def is_portion(value: ir.Expr | None, loop: ir.Node) -> bool:
    """Whether a value is a part that begins where the loop is, and has an end: `rows[at : at + size]`, `rows[at]`,
    `rows.slice(at, at + size)`. What begins before (`rows[:at]`), or has no end, holds what other passes have, too.
    """
    counters = frozenset(_counters(loop))
    match value:
        case ir.Index(key=ir.Slice(lower=ir.Name(id=first), upper=upper)):
            return first in counters and upper is not None
        case ir.Index(key=ir.Name(id=number)):
            return number in counters
        case ir.Call(callee=ir.Member() as callee, args=(ir.Argument(value=ir.Name(id=first)), end, *_)):
            return callee_name(callee) in SLICES and first in counters and mentions(end.value, first)
        case _:
            return False


def _counters(loop: ir.Node) -> Iterator[str]:
    """The names that a loop gives another number for each pass."""
    if not isinstance(loop, ir.Loop):
        return
    targets = [loop.target] if loop.target is not None else []
    targets += [node.target for node in loop.update if isinstance(node, ir.Assign)]
    for target in targets:
        yield from (leaf.place.id for leaf in leaves(target) if isinstance(leaf.place, ir.Name))
