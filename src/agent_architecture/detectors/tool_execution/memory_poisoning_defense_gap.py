"""Text of models, users and tools that is remembered as if it were true, and obeyed in later runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.memory import Remembered, Vetting
from agent_architecture.model.settings import Origin, Setting
from agent_architecture.model.system import AgentSystem

PARTLY: Final = 0.5

WHOSE: Final = {
    "model": "what a model wrote",
    "user": "what its users say",
    "tool": "what a tool returned",
    "web": "what the web says",
    "mail": "mail that others wrote",
    "retrieval": "text found in documents",
    "peer": "what an agent elsewhere sent",
    "file": "what files of others say",
}
CONTROLS: Final = {
    Vetting.PERSON: "a person decides whether it is kept",
    Vetting.JUDGED: "a model looks at it before, and what it rejects is not kept",
    Vetting.SCREENED: "it is searched for instructions before",
    Vetting.CLOSED: "only numbers, flags or closed values are kept of it",
}
PARTIAL: Final = {
    Vetting.SKIPPED: "some way goes on without the answer of the person who is asked",
    Vetting.REFUSES: "the check before it looks for no instructions",
    Vetting.SHAPED: "its schema has fields that hold any text",
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
        return unknown(entry, f"{entry.symbol} keeps a text whose author cannot be read.", related=related)
    if not entry.origin:
        return ok(entry, f"{entry.symbol} keeps only what the project itself wrote.", confidence=entry.confidence)
    what = f"{entry.symbol} keeps {WHOSE.get(entry.origin, 'text of others')} for later runs"
    if entry.vetting in CONTROLS:
        return ok(entry, f"{what}; {CONTROLS[entry.vetting]}.", confidence=entry.confidence, related=related)
    found = [PARTIAL[entry.vetting]] if entry.vetting in PARTIAL else []
    mitigated = tuple(_mitigations(entry))
    if entry.provenance.is_known and entry.trusted.origin is not Origin.ABSENT:
        reason = f"{what}; reads ask for where it comes from ({entry.provenance.value})."
        return ok(entry, reason, confidence=entry.confidence, related=related)
    if found or mitigated:
        nothing = [] if found else ["nothing looks for instructions in it"]
        reason = f"{what}: {'; '.join((*found, *nothing, *mitigated))}."
        return gap(entry, reason, risk=PARTLY, confidence=entry.confidence, related=related)
    reason = f"{what}, in one place for everybody, and nothing looks at it before{_named(entry.namespace)}."
    return gap(entry, reason, confidence=entry.confidence, related=related)


def _mitigations(entry: Remembered) -> Iterator[str]:
    if entry.namespace.origin is Origin.UNKNOWN or (entry.namespace.is_known and len(entry.namespace.values) > 1):
        yield "its owner alone finds it again"
    if entry.provenance.origin is not Origin.ABSENT:
        yield "it is kept with where it comes from"
    if entry.ttl.origin is Origin.UNKNOWN or (entry.ttl.is_known and entry.ttl.value):
        yield "it expires"


def _named(namespace: Setting) -> str:
    if namespace.source == "a model":
        return " (a model says whose it is)"
    return f" (namespace {namespace.value!r})" if namespace.is_known and namespace.value else ""
