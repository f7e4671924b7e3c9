"""Text of models, users and tools that is remembered as if it were true, and obeyed in later runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.memory import Remembered, Vetting
from agent_architecture.model.settings import Origin, Setting
from agent_architecture.model.system import AgentSystem
from agent_architecture.wording import FROM, listed

PARTLY: Final = 0.5

CONTROLS: Final = {
    Vetting.PERSON: "a person approves it first",
    Vetting.JUDGED: "a model can reject it first",
    Vetting.SCREENED: "it is screened first",
    Vetting.CLOSED: "only numbers, flags or closed values are kept",
}
PARTIAL: Final = {
    Vetting.SKIPPED: "some path skips the person who is asked",
    Vetting.REFUSES: "its check looks for no instructions",
    Vetting.SHAPED: "its schema has free-text fields",
}


@detector(
    title="Memory that anybody can poison",
    impact=Severity.HIGH,
    effort=Effort.HIGH,
    fix="Screen what is remembered for instructions, or let a person see it; keep owners and sources with it.",
    references=("CWE-349", "CWE-345", "CWE-501", "CWE-20", "OWASP ASI06", "OWASP LLM01:2026", "OWASP LLM05:2026",
                "OWASP LLM09:2026", "OWASP MCP10:2025", "AISVS 8.2.3", "AISVS 8.1.1"),
)  # fmt: skip
def memory_poisoning_defense_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every write into a memory that is read again."""
    for entry in system.remembered:
        yield judge(entry)


def judge(entry: Remembered) -> Verdict:
    """The verdict on one write."""
    related = tuple(span for span in (entry.check, entry.source, *entry.trail) if span is not None)
    if entry.vetting is Vetting.UNKNOWN:
        return unknown(entry, f"{entry.symbol} stores text whose author cannot be read.", related=related)
    if not entry.origin:
        return ok(entry, f"{entry.symbol} stores only text of the project itself.", confidence=entry.confidence)
    what = f"{entry.symbol} stores {FROM.get(entry.origin, 'text of others')} for later runs"
    if entry.vetting in CONTROLS:
        return ok(entry, f"{what}; {CONTROLS[entry.vetting]}.", confidence=entry.confidence, related=related)
    found = [PARTIAL[entry.vetting]] if entry.vetting in PARTIAL else []
    mitigated = tuple(_mitigations(entry))
    if entry.provenance.is_known and entry.trusted.origin is not Origin.ABSENT:
        reason = f"{what}; reads filter by its source ({entry.provenance.value})."
        return ok(entry, reason, confidence=entry.confidence, related=related)
    if found or mitigated:
        also = f"; only {listed(mitigated)}" if mitigated else ""
        reason = f"{what}: {found[0] if found else 'not screened'}{also}."
        return gap(entry, reason, risk=PARTLY, confidence=entry.confidence, related=related)
    reason = f"{what}: not screened, shared by all users{_named(entry.namespace)}."
    return gap(entry, reason, confidence=entry.confidence, related=related)


def _mitigations(entry: Remembered) -> Iterator[str]:
    if entry.namespace.origin is Origin.UNKNOWN or (entry.namespace.is_known and len(entry.namespace.values) > 1):
        yield "kept per owner"
    if entry.provenance.origin is not Origin.ABSENT:
        yield "stored with its source"
    if entry.ttl.origin is Origin.UNKNOWN or (entry.ttl.is_known and entry.ttl.value):
        yield "with an expiry"


def _named(namespace: Setting) -> str:
    if namespace.source == "a model":
        return " (the model chooses the owner)"
    return f" (namespace {namespace.value!r})" if namespace.is_known and namespace.value else ""
