"""What is secret, personal or said in confidence, and comes out: in code, in what a model is asked, in records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.disclosure import Disclosure, Kept, Sink
from agent_architecture.model.settings import Origin
from agent_architecture.model.system import AgentSystem

GOES: Final = {
    Sink.PROMPT: "enters the prompt",
    Sink.RESULT: "is returned to the model",
    Sink.ARGUMENT: "is an argument that the model has to know",
    Sink.RESPONSE: "is answered to whoever asks",
    Sink.LOG: "is logged",
    Sink.TRACE: "is traced",
    Sink.MEMORY: "is stored in memory",
}

LACKS: Final = {
    Sink.PROMPT: "told",
    Sink.RESULT: "told",
    Sink.ARGUMENT: "told",
    Sink.RESPONSE: "answered",
    Sink.LOG: "log",
    Sink.TRACE: "trace",
    Sink.MEMORY: "memory",
}
"""The part of the control that is missing where something comes out."""


@detector(
    title="Secret or personal data comes out",
    impact=Severity.HIGH,
    effort=Effort.MEDIUM,
    fix="Read each secret from the environment and give it to its client alone; redact what is logged and traced.",
    references=("CWE-532", "CWE-200", "CWE-359", "CWE-798", "CWE-522", "CWE-312", "OWASP ASI03", "OWASP LLM02:2026",
                "OWASP LLM08:2026", "OWASP MCP01:2025", "OWASP MCP10:2025", "AISVS 9.5.4", "AISVS 8.2.1"),
    parts={
        "code": "Take the secret out of the code, read it from the environment, and replace it: it is known.",
        "log": "Leave it out of the log, or redact it before.",
        "trace": "Mask the content that is traced, or switch its capture off.",
        "told": "Keep it out of what the model reads: a secret goes to its client alone.",
        "answered": "Answer whether it is set, never what it is.",
        "memory": "Redact it before it is stored.",
    },
)  # fmt: skip
def sensitive_data_exposure_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every secret in the code, read of one, and record, prompt, result and memory that receives what it should not."""
    for disclosure in system.disclosures:
        yield judge(disclosure)


def judge(disclosure: Disclosure) -> Verdict:
    """The verdict on one place."""
    if disclosure.sink is Sink.CLIENT:
        return ok(disclosure, f"{disclosure.name} is read from the environment and goes to its own client only.")
    if disclosure.sink is Sink.CODE:
        reason = f"{disclosure.name} is hard-coded: whoever reads the code has this secret."
        return gap(disclosure, reason, confidence=disclosure.confidence, lacks=("code",))
    if disclosure.sink is Sink.TRACE and disclosure.captures.origin is not Origin.ABSENT:
        return _tracer(disclosure)
    related = tuple(dict.fromkeys(span for span in (disclosure.source, *disclosure.trail) if span is not None))
    what = {
        Kept.SECRET: f"A secret ({disclosure.name})",
        Kept.PERSONAL: f"Personal data ({disclosure.name})",
        Kept.TALK: f"Conversation text ({disclosure.name})",
    }[disclosure.kept]
    if disclosure.redacted:
        reason = f"{what} {GOES[disclosure.sink]} after redaction."
        return ok(disclosure, reason, confidence=disclosure.confidence, related=related)
    reason = f"{what} {GOES[disclosure.sink]}{'' if disclosure.sink is Sink.ARGUMENT else ' unredacted'}."
    lacks = (LACKS[disclosure.sink],)
    return gap(disclosure, reason, confidence=disclosure.confidence, related=related, lacks=lacks)


def _tracer(disclosure: Disclosure) -> Verdict:
    captures, redacts = disclosure.captures, disclosure.redacts
    if captures.is_known and not any(captures.values):
        return ok(disclosure, f"{disclosure.symbol} records no message content{captures.remark}.")
    if redacts.origin is Origin.UNKNOWN or any(redacts.values):
        return ok(disclosure, f"{disclosure.symbol} records message content, masked by {redacts.source or 'a filter'}.")
    if not captures.is_known:
        return unknown(
            disclosure, f"{disclosure.symbol} may record message content: that comes from {captures.source}."
        )
    return gap(disclosure, f"{disclosure.symbol} records message content unmasked{captures.remark}.", lacks=("trace",))
