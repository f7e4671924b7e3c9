"""What a model wrote is taken for true by another agent, a memory or an effect, and nothing verifies it before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, sentence, unknown
from agent_architecture.impact import approved, tells_by_name
from agent_architecture.model.confidence import Confidence
from agent_architecture.model.outputs import Premise, Target, Verification
from agent_architecture.model.system import AgentSystem, Tool

ACTING: Final = 3.0
"""The weight of an effect."""
PARTLY: Final = 0.5

DOES: Final = {
    "mail": "mails {}", "message": "sends {} as a message", "payment": "pays by {}", "deploy": "publishes {}",
    "network_write": "sends {} over the network", "write_file": "writes {} to a file",
    "database": "runs {} as a database statement", "database_write": "writes {} to a database",
}  # fmt: skip

CONTROLS: Final = {
    Verification.SOURCES: "its schema asks for sources",
    Verification.CONFIDENCE: "low confidence goes another way",
    Verification.VERIFIED: "a verifier can reject it first",
    Verification.PERSON: "a person decides first",
}
SKIPPED: Final = "some path skips the verifier or person that is asked"


@detector(
    title="What a model wrote is taken for true",
    impact=Severity.MEDIUM,
    effort=Effort.HIGH,
    fix="Have a second model with a way to reject, a check against the sources, or a person look at it before.",
    references=("CWE-1426", "CWE-345", "CWE-349", "OWASP LLM07:2026", "OWASP ASI08", "OWASP ASI06",
                "OWASP MCP10:2025", "AISVS 7.2.1", "AISVS 7.4.3", "AISVS 8.2.3"),
)  # fmt: skip
def hallucination_propagation_risk(system: AgentSystem) -> Iterator[Verdict]:
    """Every message, store and effect that a model's text enters."""
    for premise in system.premises:
        if premise.target is Target.STEP:
            continue
        yield judge(premise if premise.enters is None else premise._replace(span=premise.enters))
    known = {premise.span for premise in system.premises}
    for tool in tells_by_name(system):
        if tool.span not in known:
            yield _by_name(system, tool)


def _by_name(system: AgentSystem, tool: Tool) -> Verdict:
    """The verdict on a stub: its declared contract is judged."""
    what, sure = f"{tool.name}, by its name, tells or keeps model output", Confidence.LOW
    if approved(system, tool):
        return ok(tool, f"{what}; {CONTROLS[Verification.PERSON]}.", weight=ACTING, confidence=sure)
    return gap(tool, f"{what}: no verification first.", weight=ACTING, confidence=sure)


def judge(premise: Premise) -> Verdict:
    """The verdict on one place."""
    weight = ACTING if premise.target is Target.EFFECT else 1.0
    related = tuple(span for span in (premise.check, premise.source, *premise.trail) if span is not None)
    what, found = _what(premise), premise.verification
    if found in CONTROLS:
        return ok(premise, f"{what}; {CONTROLS[found]}.", weight=weight, related=related)
    if found is Verification.UNKNOWN:
        reason = f"{what}; whether it is verified first cannot be read."
        return unknown(premise, reason, weight=weight, related=related)
    if found is Verification.SKIPPED:
        return gap(premise, f"{what}: {SKIPPED}.", risk=PARTLY, weight=weight, related=related)
    refuses = "its check does not ask whether it is true"
    reason = f"{what}: {refuses}." if found is Verification.REFUSES else f"{what}: no verification first."
    return gap(premise, reason, weight=weight, confidence=premise.confidence, related=related)


def _what(premise: Premise) -> str:
    wrote = "model output" if premise.source is None else f"model output (line {premise.source.line})"
    if premise.source is not None and premise.source.path != premise.span.path:
        wrote = f"model output ({premise.source.path}:{premise.source.line})"
    match premise.target:
        case Target.AGENT | Target.STEP:
            return f"{sentence(wrote)} reaches another model ({premise.symbol})"
        case Target.MEMORY:
            return f"{premise.symbol} stores {wrote} in memory"
        case Target.EFFECT:
            return f"{premise.symbol} {DOES[premise.effect].format(wrote)}"
