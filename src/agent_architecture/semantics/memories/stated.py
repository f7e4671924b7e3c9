"""Memories that rows of packs name, what is written to them and read, and what keeps conversations small.

A memory that another one is made with (a client, a collection, a connection) is a part of it, and none of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.memory import Holding, Memory, MemoryLimit, MemoryRead, MemoryWrite
from agent_architecture.model.settings import written
from agent_architecture.semantics.context import called
from agent_architecture.semantics.effective import effective
from agent_architecture.semantics.match import resolved
from agent_architecture.semantics.read import at_call
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.settings import Setting
    from agent_architecture.semantics.context import Context
    from agent_architecture.semantics.match import Match
    from agent_architecture.sources.source import Span

KINDS: Final = ("memory", "checkpointer")
DELETES: Final = "deletes"


class Stated:
    """The memories of all matches; read-only after it is made."""

    def __init__(self, context: Context) -> None:
        self._context = context
        matches = tuple(context.of_kind(*KINDS))
        parts = {id(part) for match in matches for part in self._parts(match)}
        deleting = dict(_deleting(context))
        self._by_match = {id(m): self._memory(m, deleting.get(id(m))) for m in matches if id(m) not in parts}

    def memories(self) -> tuple[Memory, ...]:
        """All of them, by position."""
        return tuple(self._by_match.values())

    def writes(self) -> Iterator[MemoryWrite]:
        """The calls that put something in."""
        for match in self._context.of_kind("memory_write"):
            content, namespace, metadata = (
                effective(self._context, match, name) for name in ("content", "namespace", "metadata")
            )
            yield MemoryWrite(*_head(match, called(match.node)), self._of(match), content, namespace, metadata)

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
        return tuple(self._by_match[id(one)] for one in made if id(one) in self._by_match)

    def _parts(self, match: Match) -> tuple[Match, ...]:
        """The memories that a memory is made with."""
        return tuple(one for one in self._made(match, "client") if one is not match)

    def _made(self, match: Match, relation: str) -> tuple[Match, ...]:
        address = match.row.relations.get(relation)
        if address is None:
            return ()
        values = at_call(self._context.program, match.arguments, match.api.receiver, address).values
        return self._context.made_by(values, *KINDS)

    def _memory(self, match: Match, deleted: Span | None) -> Memory:
        is_progress = match.row.kind == "checkpointer"
        holds = match.row.constants.get("holds", Holding.CONVERSATION)

        def said(name: str) -> Setting:
            return effective(self._context, match, name)

        return Memory(
            *_head(match, self._context.symbol(match.node)),
            Holding.PROGRESS if is_progress else Holding(str(holds)),
            durable=said("durable"),
            location=said("location"),
            bound=said("bound"),
            overflow=said("overflow"),
            ttl=said("ttl"),
            namespace=said("namespace"),
            deletes=said(DELETES) if deleted is None else written(True, deleted),
        )


def _head(match: Match, symbol: str) -> tuple[Span, str, str]:
    node = match.node
    place = node.name_span if isinstance(node, (ir.Function, ir.Class)) else node.span
    return place, symbol, match.row.where.pack


def _deleting(context: Context) -> Iterator[tuple[int, Span]]:
    """The memories, by the id of their match, from which a call deletes; the last such call counts."""
    for name in sorted(context.packs.mark_names(DELETES)):
        for site in context.program.calls(name):
            for api in resolved(context.program, site.call.callee):
                made = context.made(api, *KINDS)
                if made is not None and any(mark.covers == DELETES for mark in context.packs.marks(api.path)):
                    yield id(made), site.call.span
