"""Stores that outlive the process and keep everything, of everybody, for ever."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.memory import NOT_SHOWN, Holding, Memory, MemoryWrite
from agent_architecture.model.settings import Origin, Setting
from agent_architecture.model.system import AgentSystem, Confidence
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.sources.source import Span

PARTS: Final = 3
"""Retention, deletion, namespace: a third for each that is missing (ruling 8)."""

KEPT: Final = {
    Holding.CONVERSATION: "conversations",
    Holding.FACTS: "facts",
    Holding.DOCUMENTS: "documents",
    Holding.VECTORS: "vectors",
    Holding.PROGRESS: "the progress of runs",
}
COLLECTIONS: Final = frozenset({Holding.DOCUMENTS, Holding.VECTORS})
"""What stands in a collection: a name that is written, the environment's or the library's own is one for everybody."""
ENVIRONMENT: Final = regex(r"(?i)\benv|environ|getenv|attribute \w+ of \w*(?:settings|config)|\bsettings\.|\bconfig\.")
"""What a name comes from that is set once for all."""


class Part(NamedTuple):
    """One of the three; `there` is None where it cannot be read. `seen` is a clause."""

    key: str
    there: bool | None
    seen: str
    span: Span | None = None


@detector(
    title="Long-term memory without retention, deletion or namespace",
    impact=Severity.MEDIUM,
    effort=Effort.MEDIUM,
    fix="Give each entry an owner and an expiry, and offer a call that deletes what is kept of a user.",
    parts={
        "retention": "Give each entry an expiry, or bound their number.",
        "deletion": "Offer a call that deletes what is kept of a user.",
        "owner": "Keep each entry under a key of its owner.",
    },
    references=("CWE-359", "OWASP LLM09:2026", "OWASP LLM02:2026", "OWASP MCP10:2025", "AISVS 8.3.1", "AISVS 8.1.1"),
)
def long_term_memory_retention_score(system: AgentSystem) -> Iterator[Verdict]:
    """Every store that survives the process, once; of several kept behind one call the worst. Snapshots that no later
    run reads are none.
    """
    found: dict[tuple[Span, str], Verdict] = {}
    written = [m for w in system.memory_writes for m in w.memories if m.holds in COLLECTIONS]
    for memory in system.memories:
        if any(_is_same(memory, one) for one in written if memory not in written or _is_first(one, memory)):
            continue  # another handle of what is judged where it is filled, or filled first
        if memory.persists is not False and not memory.of_one_run:
            writes = [w for w in system.memory_writes if memory in w.memories or _may_reach(w, memory)]
            verdict = judge(memory, writes)
            place = (memory.span, memory.symbol)
            found[place] = max(verdict, found.get(place, verdict), key=lambda v: v.risk or 0)
    yield from found.values()


def _is_same(one: Memory, other: Memory) -> bool:
    """Whether two handles of a library open the same collection, as far as it is written where and which it is."""
    if one.framework != other.framework or one.holds is not other.holds or not one.framework:
        return False
    pairs = ((one.location, other.location), (one.namespace, other.namespace))
    return one.persists is not False and all((a.values, a.source) == (b.values, b.source) for a, b in pairs)


def _is_first(one: Memory, other: Memory) -> bool:
    """Whether one stands before the other, and is told by values or by what is set once for all."""
    told = all(s.values or ENVIRONMENT.search(s.source) is not None for s in (one.location, one.namespace))
    return told and one.span < other.span


def _may_reach(write: MemoryWrite, memory: Memory) -> bool:
    """Whether a write whose store cannot be read may be one to this memory: a platform hands the store in."""
    return not write.memories and bool(memory.framework) and write.framework == memory.framework


def judge(memory: Memory, writes: list[MemoryWrite]) -> Verdict:
    """The verdict on one store."""
    what = f"{memory.symbol or 'This store'} keeps {KEPT[memory.holds]}"
    confidence = Confidence.HIGH if memory.framework else Confidence.MEDIUM
    if memory.persists is None:
        reason = f"{what}; whether they outlive the process comes from {memory.durable.source}."
        return unknown(memory, reason, confidence=confidence)
    if memory.holds in COLLECTIONS and memory.framework and not writes:
        reason = f"{what} that this project never writes: their retention is set elsewhere."
        return unknown(memory, reason, confidence=confidence)
    parts = (_retention(memory, writes), _deletion(memory), _namespace(memory, writes))
    reason = f"{what}: {', '.join(part.seen for part in parts)}."
    related = tuple(part.span for part in parts if part.span is not None)
    if any(part.there is None for part in parts):
        return unknown(memory, reason, confidence=confidence, related=related)
    missing = sum(not part.there for part in parts)
    if not missing:
        return ok(memory, reason, confidence=confidence, related=related)
    lacks = tuple(part.key for part in parts if not part.there)
    return gap(memory, reason, risk=missing / PARTS, confidence=confidence, related=related, lacks=lacks)


def _retention(memory: Memory, writes: Iterable[MemoryWrite]) -> Part:
    """An expiry of the store or of what is written to it, or a number of entries beyond which the oldest go."""
    ttl = next((write.ttl for write in writes if write.ttl.is_known and write.ttl.value is not None), memory.ttl)
    if ttl.origin is Origin.UNKNOWN:
        return Part("retention", None, f"expiry from {ttl.source}", ttl.span)
    is_kept = memory.overflow.value == NOT_SHOWN
    if not memory.framework and memory.bound.is_known and memory.bound.value and not is_kept:
        return Part("retention", True, f"at most {memory.bound.value}", memory.bound.span)
    if ttl.origin is Origin.ABSENT:
        return Part("retention", False, "no expiry")
    if any(not isinstance(value, (str, int, float)) or not value for value in ttl.values):
        whose = ttl.default_of or "set here"
        return Part("retention", False, f"no expiry ({whose})", ttl.span)
    whose = f" ({ttl.default_of})" if ttl.default_of else ""
    return Part("retention", True, f"expiry after {ttl.value}{whose}", ttl.span)


def _deletion(memory: Memory) -> Part:
    deletes = memory.deletes
    if deletes.origin is Origin.UNKNOWN:
        return Part("deletion", None, f"deletion from {deletes.source}", deletes.span)
    if any(deletes.values):
        return Part("deletion", True, "entries can be deleted", deletes.span)
    return Part("deletion", False, "no deletion")


def _namespace(memory: Memory, writes: Iterable[MemoryWrite]) -> Part:
    """A key of run time keeps owners apart, and so does what a library asks for; one constant name for all does not."""
    if memory.holds is Holding.PROGRESS:
        return Part("owner", True, "a key per run")
    settings = [memory.namespace, *(write.namespace for write in writes)]
    own = next((s for s in settings if _parts_owners(memory, s)), None)
    if own is not None:
        named = f" ({own.value})" if own.value is not None else ""
        return Part("owner", True, f"a key per owner{named}", own.span)
    fixed = next((s for s in settings if s.is_known and s.value is not None), None)
    if fixed is not None:
        return Part("owner", False, f"one namespace for everybody ({fixed.value!r})", fixed.span)
    return Part("owner", False, "no key per owner")


def _parts_owners(memory: Memory, setting: Setting) -> bool:
    if memory.holds in COLLECTIONS:
        return setting.origin is Origin.UNKNOWN and ENVIRONMENT.search(setting.source) is None
    if setting.origin in {Origin.UNKNOWN, Origin.DEFAULT}:
        return setting.origin is Origin.UNKNOWN or setting.value is not None
    return setting.origin is Origin.WRITTEN and setting.value is not None and not memory.framework
