"""Loops that go down a tree or along a chain: each pass that goes on replaces a variable by a part of itself.

What there is to go through exists before the loop begins, as with a collection: it ends at a leaf.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.system import Bound, BoundKind
from agent_architecture.names.exits import always, leaves
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.semantics.taint.access_paths import root_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program


def descents(program: Program, loop: ir.Loop) -> Iterator[Bound]:
    """The steps down that every pass of a loop takes which does not leave it."""
    steps = [node for node in ir.walk(*loop.body) if isinstance(node, ir.Assign) and _goes_down(program, node)]
    if steps and always(loop.body, lambda node: leaves(node) or any(node is step for step in steps)):
        yield Bound(BoundKind.COLLECTION, steps[0].span)


def _goes_down(program: Program, node: ir.Assign) -> bool:
    """`node = node.next`, `node = child` where `child` is one of `node.children`."""
    if node.op or not isinstance(node.target, ir.Name) or node.value is None:
        return False
    value = node.value
    if isinstance(value, ir.Name):
        sources = [b.value for b in visible_bindings(program, value) if b.kind == "loop"]
        if len(sources) != 1 or sources[0] is None:
            return False
        value = sources[0]
    if isinstance(value, ir.Index) and isinstance(value.key, ir.Slice):
        return False  # a list that is cut down to its last ones never ends
    root = root_of(value)
    return isinstance(value, (ir.Member, ir.Index)) and root is not None and root.id == node.target.id
