"""What a model wrote is parsed, executed or rendered, and nothing checks it before."""

from __future__ import annotations

from collections.abc import Iterator

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.outputs import Consumer, ModelOutput, Validation
from agent_architecture.model.system import AgentSystem

PARTIAL = 0.5
"""A check that not every answer has to pass."""

USED = {
    Consumer.PARSE: "parses model output",
    Consumer.EFFECT: "acts on model output",
    Consumer.RENDER: "renders model output",
    Consumer.STORE: "stores model output",
    Consumer.KEEP: "stores model output",
    Consumer.SEND: "sends model output",
}
SEEN = {
    Validation.NONE: "no schema validates it first",
    Validation.SHAPE_ASKED: "the prompt asks for a shape, nothing enforces it",
    Validation.CHECKED: "code refuses some answers, no schema covers the rest",
    Validation.FALLS_THROUGH: "a failed check does not stop its use",
}


@detector(
    title="Model output used without validation",
    impact=Severity.HIGH,
    effort=Effort.MEDIUM,
    fix="Ask for a schema that is enforced, or validate the answer against one and stop where it fails.",
    references=("CWE-1426", "CWE-20", "OWASP LLM10:2026", "OWASP ASI05", "AISVS 7.1.1"),
)
def output_validation_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every use of a model's output by the program."""
    for output in system.model_outputs:
        if output.consumer in USED:
            yield judge(output)


def judge(output: ModelOutput) -> Verdict:
    """The verdict on one use."""
    what = f"{output.symbol or 'This'} {USED[output.consumer]}"
    related = (output.source, *output.trail)
    if output.validation is Validation.ENFORCED:
        return ok(output, f"{what} under an enforced schema.", confidence=output.confidence, related=related)
    if output.validation is Validation.LISTED:
        return ok(
            output, f"{what} that code lets pass: all else is refused.", confidence=output.confidence, related=related
        )
    if output.validation is Validation.SANITISED:
        return ok(output, f"{what}, quoted or escaped first.", confidence=output.confidence, related=related)
    if output.validation is Validation.UNKNOWN:
        reason = f"{what}; whether a schema is enforced cannot be read."
        return unknown(output, reason, confidence=output.confidence, related=related)
    risk = 1.0 if output.validation is Validation.NONE else PARTIAL
    reason = f"{what}: {SEEN[output.validation]}."
    return gap(output, reason, risk=risk, confidence=output.confidence, related=related)
