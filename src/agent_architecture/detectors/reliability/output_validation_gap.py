"""What a model wrote is parsed, executed, rendered or shown, and nothing checks it before."""

from __future__ import annotations

from collections.abc import Iterator

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.impact import TELLING, approved, tells_by_name
from agent_architecture.model.confidence import Confidence
from agent_architecture.model.outputs import Consumer, ModelOutput, Validation
from agent_architecture.model.system import AgentSystem, Tool
from agent_architecture.model.words import words_of

PARTIAL = 0.5
"""A check that not every answer has to pass."""
READ = 0.5
"""The weight of what only a person reads (ruling 21)."""

USED = {
    Consumer.PARSE: "parses model output",
    Consumer.EFFECT: "acts on model output",
    Consumer.RENDER: "renders model output",
    Consumer.STORE: "stores model output",
    Consumer.KEEP: "stores model output",
    Consumer.SEND: "sends model output",
    Consumer.BRANCH: "goes on by words of model output",
    Consumer.DISPLAY: "shows model output",
}
ORDERED = {
    "write_file": "writes where the model says",
    "read_file": "reads where the model says",
    "execute_process": "runs a program with arguments of the model",
    "network_read": "asks an address that the model says, or a part of it",
    "network_write": "sends to an address that the model says, or a part of it",
    "mail": "mails what the model says, to whom it says",
}
VALUES = "hands on what the model says as values"
SEEN = {
    Validation.NONE: "no schema validates it first",
    Validation.SHAPE_ASKED: "the prompt asks for a shape, nothing enforces it",
    Validation.CHECKED: "code refuses some answers, no schema covers the rest",
    Validation.FALLS_THROUGH: "a failed check does not stop its use",
}
HELD = {
    Validation.ENFORCED: " under an enforced schema",
    Validation.LISTED: " that code lets pass: all else is refused",
    Validation.GUARDED: "; a guard can refuse it first",
    Validation.PERSON: "; a person decides first",
    Validation.SANITISED: ", quoted or escaped first",
}
UNCHECKED = "nothing checks it first"


@detector(
    title="Model output used without validation",
    impact=Severity.HIGH,
    effort=Effort.MEDIUM,
    fix="Ask for a schema that is enforced, or validate the answer against one and stop where it fails.",
    references=("CWE-1426", "CWE-20", "OWASP LLM10:2026", "OWASP ASI05", "AISVS 7.1.1"),
)
def output_validation_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every use of a model's output by the program, what it orders of tools, and every answer that is only shown."""
    shown = {output.source for output in system.shown}
    for output in system.model_outputs:
        if output.consumer in USED and not (output.consumer is Consumer.DISPLAY and output.source in shown):
            yield judge(output)
    for output in (*system.tool_orders, *system.shown):
        yield judge(output)
    known = {output.source for output in (*system.model_outputs, *system.tool_orders)}
    for tool in tells_by_name(system):
        if tool.span not in known and words_of(tool.name)[0] in TELLING:
            yield _by_name(system, tool)


def _by_name(system: AgentSystem, tool: Tool) -> Verdict:
    """The verdict on a stub: its declared contract is judged."""
    what, sure = f"{tool.name}, by its name, sends what the model says, to whom it says", Confidence.LOW
    if approved(system, tool):
        return ok(tool, f"{what}{HELD[Validation.PERSON]}.", confidence=sure)
    reason = f"{what}: {SEEN[Validation.CHECKED] if tool.guards else UNCHECKED}."
    return gap(tool, reason, risk=PARTIAL if tool.guards else 1.0, confidence=sure)


def judge(output: ModelOutput) -> Verdict:
    """The verdict on one use."""
    is_order = output.effect in ORDERED and output.consumer is not Consumer.STORE
    does = ORDERED[output.effect] if is_order else VALUES if output.effect else USED[output.consumer]
    what = f"{output.symbol or 'This'} {does}"
    related = tuple(dict.fromkeys((output.source, *output.trail)))
    weight, sure = READ if output.consumer is Consumer.DISPLAY else 1.0, output.confidence
    if output.validation in HELD:
        return ok(output, f"{what}{HELD[output.validation]}.", weight=weight, confidence=sure, related=related)
    if output.validation is Validation.UNKNOWN:
        reason = f"{what}; whether a schema is enforced cannot be read."
        return unknown(output, reason, weight=weight, confidence=sure, related=related)
    risk = 1.0 if output.validation is Validation.NONE else PARTIAL
    is_free = output.validation is Validation.NONE and (is_order or output.consumer is Consumer.DISPLAY)
    reason = f"{what}: {UNCHECKED if is_free else SEEN[output.validation]}."
    return gap(output, reason, risk=risk, weight=weight, confidence=sure, related=related)
