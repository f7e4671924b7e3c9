"""Memories that runs share: whose an entry is, and who says so.

States what keeps owners apart; judges nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Confidence
from agent_architecture.model.coordination import Shared, Sharing
from agent_architecture.model.memory import Holding
from agent_architecture.model.settings import ABSENT, Origin
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.topics.verification.checks import scope_at
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.memory import Memory, MemoryWrite
    from agent_architecture.model.settings import Setting
    from agent_architecture.model.system import AgentSystem
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.agents.functions_of_agents import Near
    from agent_architecture.semantics.loops.multi_user_code import Served
    from agent_architecture.semantics.topics.coordination.owner_keys import Keys

KEPT: Final = frozenset({Holding.CONVERSATION, Holding.FACTS})
GATHERED: Final = frozenset({Holding.DOCUMENTS, Holding.VECTORS})


class Remembered:
    """Answers for memories that were found."""

    def __init__(self, program: Program, near: Near, served: Served, keys: Keys) -> None:
        self._program = program
        self._near = near
        self._served = served
        self._keys = keys

    def all(self, memories: Iterable[Memory], writes: tuple[MemoryWrite, ...]) -> Iterator[Shared]:
        """Memories of conversations and facts that something is written to."""
        for memory in memories:
            if memory.holds not in KEPT or not self._served.is_beside_run(memory.span.path):
                continue
            into = [write for write in writes if memory in write.memories]
            keyed: tuple[Memory | MemoryWrite, ...] = (memory, *into)
            key_of = next((one for one in keyed if one.namespace is not ABSENT), memory)
            own, by_run = key_of.namespace, key_of.namespace.source == memory.framework
            if memory.framework and (own is ABSENT or (own.origin is Origin.DEFAULT and by_run)) and not into:
                continue  # whose it is says each run, and is judged there
            if own.origin is Origin.UNKNOWN or len(own.values) > 1 or (own.is_known and not memory.framework):
                key = own.source if own.values == () else ", ".join(map(str, own.values))
                one = Shared(memory.span, memory.symbol, memory.framework, Sharing.MEMORY, key or "a key")
                yield self._chosen(one, key_of.namespace) if memory.framework else one  # else said of its holder
            elif not _is_own_file(memory) and (memory.persists or self._is_global(memory)):
                key = str(own.value) if own.is_known and own.value is not None else ""
                yield Shared(
                    key_of.span if key else memory.span,
                    memory.symbol,
                    memory.framework,
                    Sharing.MEMORY,
                    key,
                    constant=bool(key),
                )

    def _chosen(self, one: Shared, key: Setting) -> Shared:
        """The same with whose word the key is that is written for it."""
        span = key.span
        nodes = () if span is None else self._program.structure(scope_at(self._program, span)).nodes
        for expr in (n for n in nodes if n.span == span and isinstance(n, (ir.Name, ir.Member, ir.Index, ir.Template))):
            whose = self._keys.chosen_by(expr)
            if whose == "client":
                return one._replace(key=dotted(expr) or "a key", chosen_by=whose, related=(expr.span,))
        return one

    def _is_told(self, write: MemoryWrite) -> bool:
        """Whether a write puts in what requests or agents' tools bring, not what a script of an operator does."""
        scope = scope_at(self._program, write.span)
        return isinstance(scope, ir.Function) and self._near.to_agent(scope) and self._served.of(scope)

    def gathered(self, system: AgentSystem) -> Iterator[Shared]:
        """Collections that several users fill, where neither they nor what is put in has a key of run time, and no read
        asks for an owner's part. What a collection is made of (`FAISS.from_documents(pages)`) is put into a new one.
        """
        parted = {read.framework for read in system.memory_reads if read.filter is not ABSENT}
        for memory in system.memories:
            if memory.holds not in GATHERED or not memory.framework or memory.framework in parted:
                continue
            into = [write for write in system.memory_writes if memory in write.memories and write.span != memory.span]
            settings = [memory.namespace, *(write.namespace for write in into)]
            names = {str(one.value) for one in settings if one.is_known and one.value is not None}
            is_one = len(names) <= 1 and all(one.is_known or one is ABSENT for one in settings)
            if is_one and any(map(self._is_told, into)):
                key = next(iter(names), "")
                one = Shared(memory.span, memory.symbol, memory.framework, Sharing.MEMORY, key, constant=bool(key))
                yield one._replace(confidence=Confidence.MEDIUM, related=(into[0].span,))

    def _is_global(self, memory: Memory) -> bool:
        module = self._program.table.get(memory.span.path)
        inside = (f for f in module.index.functions if f.span.contains(memory.span)) if module is not None else ()
        return module is not None and next(iter(inside), None) is None


def _is_own_file(memory: Memory) -> bool:
    """Whether the project's own code keeps facts in one place for all: that it knows no owners is said of the store."""
    return not memory.framework and memory.holds is Holding.FACTS
