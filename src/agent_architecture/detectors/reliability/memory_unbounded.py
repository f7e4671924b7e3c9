"""Conversations, state and memories that only grow, while a run lasts or from run to run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.limits import judge_passes, judge_size
from agent_architecture.model.coordination import Shared
from agent_architecture.model.memory import NOT_SHOWN, Collection, Holding, Memory, MemoryLimit
from agent_architecture.model.settings import ABSENT, Origin
from agent_architecture.model.system import AgentSystem, Confidence
from agent_architecture.sources.source import Span

ONE_RUN: Final = 0.3
"""What a bounded number of steps can add to is bounded, too, though nobody chose its size (ruling 5)."""
EMPTIED: Final = 0.5
"""One of two: its size is bounded or it is emptied at some time."""
EFFECTIVE_RISK: Final = 0.5
"""Below this risk a step bound is effective, as for the signal effective_step_budget_ratio."""

GATHERED: Final = frozenset({Holding.DOCUMENTS, Holding.VECTORS})
"""Collections that are filled once, for a run or a process."""


@detector(
    title="Memory that only grows",
    impact=Severity.MEDIUM,
    effort=Effort.MEDIUM,
    fix="Keep a fixed number of messages or tokens, summarise or drop the rest, and evict what nobody comes back to.",
    references=("CWE-770", "CWE-400", "OWASP LLM06:2026", "OWASP MCP10:2025", "AISVS 2.1.4", "AISVS 9.1.2"),
)
def memory_unbounded(system: AgentSystem) -> Iterator[Verdict]:
    """Every memory of the process, every collection that grows in a run, every part that keeps them small."""
    beside = frozenset(_told_elsewhere(system))
    for memory in system.memories:
        if memory.persists is False and memory.holds not in GATHERED and memory.span not in beside:
            yield judge_memory(memory)
    for collection in (each for each in system.collections if each.grows):
        yield judge_collection(collection)
    for limit in system.memory_limits:
        yield judge_part(limit)
    spans = [*(memory.span for memory in system.memories), *(one.span for one in system.collections)]
    known = {(span.path, span.line) for span in spans}
    for table in system.shared:
        if table.grows and (table.span.path, table.span.line) not in known:
            yield judge_table(table)


def _told_elsewhere(system: AgentSystem) -> Iterator[Span]:
    """The savers in memory that are no subject of their own: what one carries on is a key of a state that only grows,
    and is judged there; of several that one graph may be given, the first stands for all.
    """
    growing = (one for one in system.collections if one.grows and one.lives_on and one.bound.origin is Origin.ABSENT)
    yield from (span for one in growing if one.sheds is None for span in one.savers)
    every = [[m.span for m in run.savers if m.persists is False and m.holds is Holding.PROGRESS]
             for run in system.progress]  # fmt: skip
    first = {min(spans) for spans in every if spans}
    yield from (span for spans in every for span in spans if span not in first)


def judge_table(table: Shared) -> Verdict:
    """What outlives the run and gets entries from those who call a server, though no model is asked with all of it."""
    each = f"an entry for each {table.key.removeprefix('a ')}" if table.key else "longer with each request"
    what = f"{table.symbol} outlives the run and gets {each}"
    size = judge_size(table.bound, table.overflow)
    related = tuple(s.span for s in (table.bound, table.deletes) if s.span is not None) or table.related
    if size.risk is None:
        return unknown(table, f"{what}: {size.seen}.", confidence=Confidence.MEDIUM, related=related)
    if size.risk == 0 or table.passing:
        then = size.seen if size.risk == 0 else "entries are removed when their work ends, or after a time"
        return ok(table, f"{what}: {then}.", confidence=Confidence.MEDIUM, related=related)
    if any(table.deletes.values):
        reason = f"{what}: some entries are removed, but {size.seen}."
        return gap(table, reason, risk=EMPTIED, confidence=Confidence.MEDIUM, related=related)
    reason = f"{what}: {size.seen}, entries never removed."
    return gap(table, reason, confidence=Confidence.MEDIUM, related=related)


def judge_memory(memory: Memory) -> Verdict:
    """A memory in the process: how much it keeps of each conversation, and whether it lets go of old ones."""
    what = f"{memory.symbol or 'This memory'} outlives the run"
    confidence = Confidence.HIGH if memory.framework else Confidence.MEDIUM
    is_read_once = memory.overflow.value == NOT_SHOWN and memory.bound.values == (1,)
    size = judge_size(ABSENT, ABSENT) if is_read_once else judge_size(memory.bound, memory.overflow)
    related = tuple(s.span for s in (memory.bound, memory.deletes, memory.ttl) if s.span is not None)
    expires = memory.ttl.is_known and any(memory.ttl.values)
    if size.risk is None or memory.ttl.origin is Origin.UNKNOWN:
        seen = size.seen if size.risk is None else f"its time to live comes from {memory.ttl.source}"
        return unknown(memory, f"{what}: {seen}.", confidence=confidence, related=related)
    emptied = expires or any(memory.deletes.values)
    how = f"entries expire (TTL {memory.ttl.value})" if expires else "entries are removed"
    is_keyed = _is_keyed(memory)
    if expires or (size.risk == 0 and (emptied or not is_keyed)):
        return ok(memory, f"{what}: {size.seen if size.risk == 0 else how}.", confidence=confidence, related=related)
    if size.risk == 0:
        reason = f"{what}: {size.seen}, but old conversations are never removed."
        return gap(memory, reason, risk=EMPTIED, confidence=confidence, related=related)
    if emptied:
        reason = f"{what}: {how}, but {size.seen} before that."
        return gap(memory, reason, risk=EMPTIED, confidence=confidence, related=related)
    reason = f"{what}: {size.seen}, entries never removed."
    return gap(memory, reason, confidence=confidence, related=related)


def _is_keyed(memory: Memory) -> bool:
    """Whether it keeps several conversations, each under a key."""
    own = memory.namespace.origin is not Origin.ABSENT and not memory.framework
    return own or memory.holds is Holding.PROGRESS or memory.namespace.origin is Origin.DEFAULT


def judge_collection(collection: Collection) -> Verdict:
    """What grows while an agent runs."""
    what = f"{collection.symbol} {_growing(collection)}"
    confidence = collection.confidence
    size = judge_size(collection.bound, collection.overflow)
    related = tuple(_places(collection))
    if size.risk is None:
        return unknown(collection, f"{what}: {size.seen}.", confidence=confidence, related=related)
    if size.risk == 0:
        return ok(collection, f"{what}: {size.seen}.", confidence=confidence, related=related)
    related = (*related, *collection.savers)
    if collection.sheds is not None:
        reason = f"{what}, and its steps can remove old entries."
        return ok(collection, reason, confidence=Confidence.MEDIUM, related=(collection.sheds, *related))
    if collection.sender is not None:
        return gap(collection, f"{what}: {size.seen}.", confidence=confidence, related=(collection.sender, *related))
    if collection.assembled is not None:
        there = (collection.assembled, *related)
        return gap(collection, f"{what}: {size.seen}.", confidence=confidence, related=there)
    if collection.stored:
        return gap(collection, f"{what}: {size.seen}.", confidence=confidence, related=related)
    if collection.lives_on:
        reason = f"{what} and lasts into the next run: {size.seen}, entries never removed."
        return gap(collection, reason, confidence=confidence, related=related)
    if not collection.paths:
        return ok(collection, f"{collection.symbol} lives for one run without a loop.", confidence=confidence)
    passes = judge_passes(collection.paths)
    if passes.risk is None:
        reason = f"{what}: {size.seen}, and {passes.seen}."
        return unknown(collection, reason, confidence=confidence, related=related)
    if passes.risk < EFFECTIVE_RISK:
        reason = f"{what} of one run: only its steps bound it ({passes.seen})."
        return gap(collection, reason, risk=ONE_RUN, confidence=confidence, related=related)
    reason = f"{what}: {size.seen}, and {passes.seen}."
    return gap(collection, reason, confidence=confidence, related=related)


def _growing(collection: Collection) -> str:
    if collection.assembled is not None:
        return "is asked with a text that is put together of text from outside"
    if collection.stored:
        return "is made of the stored conversation"
    return "grows every step" if collection.sender is None else "is as long as the client makes it"


def _places(collection: Collection) -> Iterator[Span]:
    if collection.bound.span is not None:
        yield collection.bound.span
    yield from (path.span for path in collection.paths)


def judge_part(limit: MemoryLimit) -> Verdict:
    """A part of a library that is to keep a conversation small: whether it is told when."""
    what = f"{limit.symbol or 'This part'} keeps the conversation small"
    size = judge_size(limit.bound, limit.overflow)
    related = () if limit.bound.span is None else (limit.bound.span,)
    if limit.bound.origin is Origin.ABSENT and limit.overflow.origin is not Origin.ABSENT and not limit.overflow.value:
        return unknown(limit, f"{what}; its code decides what is kept.", related=related)
    if size.risk is None:
        return unknown(limit, f"{what}: {size.seen}.", related=related)
    if size.risk == 0:
        return ok(limit, f"{what}: {size.seen}.", related=related)
    return gap(limit, f"{limit.symbol or 'This part'} never cuts the conversation: {size.seen}.", related=related)
