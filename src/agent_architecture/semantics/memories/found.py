"""All that agents remember in a project."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agent_architecture.semantics.memories.stated import Stated

if TYPE_CHECKING:
    from agent_architecture.model.memory import Memory, MemoryLimit, MemoryRead, MemoryWrite
    from agent_architecture.semantics.context import Context


class Memories(NamedTuple):
    """What was found, by kind and position."""

    memories: tuple[Memory, ...]
    writes: tuple[MemoryWrite, ...]
    reads: tuple[MemoryRead, ...]
    limits: tuple[MemoryLimit, ...]


def memories(context: Context) -> Memories:
    """Memories, what is written to them and read, and what keeps conversations small."""
    stated = Stated(context)
    return Memories(stated.memories(), tuple(stated.writes()), tuple(stated.reads()), tuple(stated.limits()))
