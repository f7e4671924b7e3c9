"""A memory of hand-written code, with the nodes that put something in and take something out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.memory import Memory, MemoryRead, MemoryWrite
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.matching.context import called, dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.memory import Collection
    from agent_architecture.semantics.taint.access_paths import Place


class ByHand(NamedTuple):
    """`taken` are reads on a way to a model, `place` is the container itself."""

    memory: Memory
    put: tuple[ir.Node, ...] = ()
    taken: tuple[ir.Node, ...] = ()
    place: Place | None = None
    shown: tuple[Collection, ...] = ()
    """The lists that its rows become for a model."""

    def writes(self) -> Iterator[MemoryWrite]:
        """The memory's writes, one a line."""
        for node in _once(self.put):
            yield MemoryWrite(node.span, _symbol(node), "", (self.memory,))

    def reads(self) -> Iterator[MemoryRead]:
        """The memory's reads, one a line."""
        for node in _once(self.taken):
            yield MemoryRead(node.span, _symbol(node), "", (self.memory,))


def _once(nodes: tuple[ir.Node, ...]) -> Iterator[ir.Node]:
    yield from {(node.span.path, node.span.line): node for node in nodes}.values()


def _symbol(node: ir.Node) -> str:
    match node:
        case ir.Call():
            return called(node)
        case ir.Assign(target=target):
            return dotted(target.target if isinstance(target, ir.Index) else target)
        case ir.Name() | ir.Member():
            return dotted(node)
        case _:
            return ""
