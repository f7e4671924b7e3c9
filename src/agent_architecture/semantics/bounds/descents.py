"""Loops that go down a tree or along a chain: each pass that goes on replaces a variable by a part of itself.

What there is to go through exists before the loop begins, as with a collection: it ends at a leaf.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.system import Bound, BoundKind
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.semantics.callgraph.reach import leaves
from agent_architecture.semantics.taint.access_paths import root_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program


def descents(program: Program, loop: ir.Loop) -> Iterator[Bound]:
    """The steps down that every pass of a loop takes which does not leave it."""
    steps = [node for node in ir.walk(*loop.body) if isinstance(node, ir.Assign) and _goes_down(program, node)]
    if steps and _settled(loop.body, steps):
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


def _settled(block: tuple[ir.Node, ...], steps: list[ir.Assign]) -> bool:
    """Whether each way through some statements leaves the loop or takes one of the steps."""
    for statement in block:
        if leaves(statement) or any(statement is step for step in steps):
            return True
        match statement:
            case ir.If(then=then, otherwise=otherwise) if _settled(then, steps) and _settled(otherwise, steps):
                return True
            case ir.Loop(body=body, otherwise=otherwise) if _settled(otherwise, steps) and _takes(body, steps):
                return True
            case ir.Continue():
                return False
            case _:
                continue
    return False


def _takes(body: tuple[ir.Node, ...], steps: list[ir.Assign]) -> bool:
    """Whether a search takes a step where it finds something, and only then stops early (`for … break … else`)."""
    stops = [node for node in ir.walk(*body) if isinstance(node, ir.Break)]
    return bool(stops) and any(step is node for node in ir.walk(*body) for step in steps)
