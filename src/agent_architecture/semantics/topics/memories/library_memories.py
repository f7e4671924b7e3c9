"""Memories that rows of packs name, what is written to them and read, and what keeps conversations small.

A memory that another one is made with (a client, a collection, a connection) is a part of it, and none of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.memory import Holding, Memory, MemoryLimit, MemoryRead, MemoryWrite
from agent_architecture.model.settings import ABSENT, Origin, first_of, unknown, written
from agent_architecture.semantics.callgraph.processes import Programs
from agent_architecture.semantics.matching.context import called
from agent_architecture.semantics.matching.effective import effective
from agent_architecture.semantics.matching.read import at_call, expressions
from agent_architecture.semantics.topics.memories.kept_runs import NEVER, has_thread_of_run, taken_out
from agent_architecture.semantics.topics.memories.own_stores import NOT_OWN, stored_by
from agent_architecture.semantics.topics.memories.partitions import deletions, partition
from agent_architecture.semantics.topics.memories.transient import is_passing
from agent_architecture.semantics.topics.memories.vector_stores import wrapped
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.settings import Setting
    from agent_architecture.semantics.effects.effects import Effects
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.topics.memories.prompt_reads import Recalled
    from agent_architecture.semantics.topics.memories.vector_stores import Wrapped
    from agent_architecture.sources.source import Span

KINDS: Final = ("memory", "checkpointer")
DELETES: Final = "deletes"
BESIDE: Final = "beside"


class Stated:
    """The memories of all matches, and of tools that are ready-made; read-only after it is made."""

    def __init__(self, context: Context, effects: Effects, read: Recalled, ready_made: tuple[Match, ...]) -> None:
        self._context = context
        self._effects = effects
        self._read = read
        made = (m for m in context.of_kind(*KINDS) if is_made(context, m) and not is_passing(context, m))
        matches = (*made, *ready_made)
        parts = {id(part): id(match) for match in matches for part in self._parts(match)}
        self._around = parts
        self._deleting = dict(deletions(context))
        self._by_match = {id(m): self._memory(m) for m in matches if id(m) not in parts}
        around = tuple(wrapped(context))
        self._own = tuple(self._wrapped(one) for one in around)
        self._inside = {id(one.client) for one in around}

    def memories(self) -> tuple[Memory, ...]:
        """All of them; at last the store of a platform, where the project makes none that it writes to."""
        made = tuple(memory for key, memory in self._by_match.items() if key not in self._inside)
        return (*made, *self._own, *self._supplied(made))

    def _wrapped(self, one: Wrapped) -> Memory:
        client = self._by_match.get(id(one.client)) or self._memory(one.client)
        named = client.namespace if one.named is None else unknown(one.named.name, one.call.span)
        return client._replace(
            span=one.call.span, symbol=one.cls.name, framework="", holds=Holding.DOCUMENTS, namespace=named
        )

    def _supplied(self, made: tuple[Memory, ...]) -> Iterator[Memory]:
        """A store that nobody in the project makes and a model is asked with, where it is first written to."""
        reads = {m.row.where.pack for m in self._context.of_kind("memory_read") if id(m.node) in self._read.nodes}
        facts = {memory.framework for memory in made if memory.holds is Holding.FACTS}
        for match in self._context.of_kind("memory_write"):
            pack = match.row.where.pack
            if pack in reads - facts and not self._made(match, "memory") and isinstance(match.node, ir.Call):
                facts.add(pack)
                symbol = called(match.node).rpartition(".")[0]
                deletes = self._deletes(pack)
                yield Memory(
                    match.node.span, symbol, pack, Holding.FACTS, durable=unknown("the platform"), deletes=deletes
                )

    def _deletes(self, *keys: int | str) -> Setting:
        """Whether a call deletes from a memory: from its match, or from one of its library that nobody makes."""
        found = next((self._deleting[key] for key in keys if key in self._deleting), None)
        return ABSENT if found is None else written(True, found)

    def writes(self) -> Iterator[MemoryWrite]:
        """The calls that put something in."""
        for match in self._context.of_kind("memory_write"):
            content, metadata, ttl = (effective(self._context, match, n) for n in ("content", "metadata", "ttl"))
            namespace = partition(self._context, match)
            yield MemoryWrite(*_head(match, called(match.node)), self._of(match), content, namespace, metadata, ttl)

    def reads(self) -> Iterator[MemoryRead]:
        """The calls that take something out."""
        for match in self._context.of_kind("memory_read"):
            query, namespace, chosen = (
                effective(self._context, match, name) for name in ("query", "namespace", "filter")
            )
            yield MemoryRead(*_head(match, called(match.node)), self._of(match), query, namespace, chosen)

    def limits(self) -> Iterator[MemoryLimit]:
        """What keeps the conversations of an agent small."""
        for match in self._context.of_kind("memory_limit"):
            bound, overflow = (effective(self._context, match, name) for name in ("bound", "overflow"))
            yield MemoryLimit(*_head(match, self._context.symbol(match.node)), bound, overflow)

    def _of(self, match: Match) -> tuple[Memory, ...]:
        made = self._made(match, "memory")
        filled = self._context.at(match.node, "memory")  # a call that makes a collection of what it is given
        made = made if filled is None else (filled,)
        ids = (self._around.get(id(one), id(one)) for one in made)  # what goes into a part goes into the whole
        return tuple(dict.fromkeys(self._by_match[one] for one in ids if one in self._by_match))

    def _parts(self, match: Match) -> tuple[Match, ...]:
        """The memories that a memory is made with."""
        return tuple(one for one in self._made(match, "client") if one is not match)

    def _made(self, match: Match, relation: str) -> tuple[Match, ...]:
        address = match.row.relations.get(relation)
        if address is None:
            return ()
        values = at_call(self._context.program, match.arguments, match.api.receiver, address).values
        return self._context.made_by(values, *KINDS)

    def _memory(self, match: Match) -> Memory:
        is_progress = match.row.kind == "checkpointer"
        holds = match.row.constants.get("holds", Holding.CONVERSATION)
        pack = match.row.where.pack

        keeper = self._keeper(match)
        taken = taken_out(self._context) if is_progress else NEVER

        def said(name: str) -> Setting:
            own = effective(self._context, match, name)
            return own if own is not ABSENT or keeper is None else effective(self._context, keeper, name)

        def where(name: str) -> Setting:
            """Where it is kept, by what it is made with where it says nothing itself."""
            parts = (effective(self._context, part, name) for part in self._parts(match))
            return first_of((said(name), *parts))

        own = stored_by(self._context, self._effects, match.node) if isinstance(match.node, ir.Class) else NOT_OWN
        deleting = (self._deletes(id(match), *(() if is_progress else (pack,))), taken.named, taken.old, own.deletes)
        ttl = taken.old if taken.old is not ABSENT else said("ttl")
        return Memory(
            self._place(match),
            self._context.symbol(match.node) or called(match.node),
            pack,
            Holding.PROGRESS if is_progress else Holding(str(holds)),
            durable=first_of((where("durable"), own.durable)),
            location=where("location"),
            bound=said("bound"),
            overflow=said("overflow"),
            ttl=first_of((ttl, own.ttl)),
            namespace=partition(self._context, match),
            deletes=first_of((*deleting, said(DELETES))),
            of_one_run=is_progress and has_thread_of_run(self._context),
        )

    def _keeper(self, match: Match) -> Match | None:
        """The store of the runs of a library, where a memory that has none of its own is kept, too."""
        if match.row.constants.get(BESIDE) is not True or effective(self._context, match, "durable") is not ABSENT:
            return None
        pack = match.row.where.pack
        known, at = self._context.of_kind("checkpointer"), match.node.span.path
        apart = self._context.once(Programs).apart
        return next((m for m in known if m.row.where.pack == pack and not apart(m.node.span.path, at)), None)

    def _place(self, match: Match) -> Span:
        """Where a memory stands: the call that makes it, or what a run that goes on with it calls it by."""
        address = match.row.properties.get("namespace")
        if isinstance(match.node, ir.Call) and address is not None and self._context.at(match.node, "run"):
            given = expressions(self._context.program, match.node, address)
            return given[0].span if given else match.node.span
        return _head(match, "")[0]


def is_made(context: Context, match: Match) -> bool:
    """Whether a call makes a store of the project: none where a library keeps the progress of its runs by itself, and
    none where the version that is installed makes nothing of the word.
    """
    if match.row.kind == "checkpointer" and context.at(match.node, "run") is not None:
        return False
    durable = effective(context, match, "durable")
    return not (durable.origin is Origin.DEFAULT and durable.values == (None,))


def _head(match: Match, symbol: str) -> tuple[Span, str, str]:
    node = match.node
    place = ir.place_of(node)
    return place, symbol, match.row.where.pack
