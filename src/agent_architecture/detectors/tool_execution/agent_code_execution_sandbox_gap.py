"""Code that a model wrote, executed in the agent's own process or on its host."""

from __future__ import annotations

from collections.abc import Iterator

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.settings import Origin
from agent_architecture.model.system import AgentSystem, CodeOrigin, CodeSink

DENYLIST = 0.7
"""A denylist over the text of a program stops who does not try; it is no sandbox."""

ISOLATED = {
    "container": "a container",
    "remote": "a remote sandbox",
    "isolate": "a virtual machine of its own (WebAssembly or a V8 isolate)",
}
EXPOSED = {"none": "the agent's own process", "process": "a process of the agent's host"}
WRITER = {
    CodeOrigin.MODEL: "Model-written code",
    CodeOrigin.TOOL_ARGUMENT: "Code that the model passes",
}


@detector(
    title="Model-written code runs without a sandbox",
    impact=Severity.CRITICAL,
    effort=Effort.HIGH,
    fix="Execute the code in a container or a remote sandbox, with the network off and time and memory limits.",
    references=("CWE-94", "CWE-95", "OWASP ASI05", "OWASP LLM10:2026", "AISVS 9.3.1"),
)
def agent_code_execution_sandbox_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every code sink that a model feeds."""
    for sink in system.code_sinks:
        if sink.origin in WRITER:
            yield judge(sink)


def judge(sink: CodeSink) -> Verdict:
    """The verdict on one sink, by where it executes; the least isolated of several places counts."""
    writer = WRITER[sink.origin]
    if sink.isolation.origin is Origin.UNKNOWN:
        reason = f"{writer} runs in a place that comes from {sink.isolation.source}."
        return unknown(sink, reason, confidence=sink.confidence, related=sink.trail)
    places = [str(value) for value in sink.isolation.values] or ["none"]
    exposed = next((place for place in places if place in EXPOSED), None)
    if exposed is not None:
        reason = f"{writer} runs in {EXPOSED[exposed]} ({sink.symbol}), with no sandbox."
        return gap(sink, reason, confidence=sink.confidence, related=sink.trail)
    if "denylist" in places:
        reason = f"{writer} runs after a check of its text alone ({sink.symbol}), with no sandbox."
        return gap(sink, reason, risk=DENYLIST, confidence=sink.confidence, related=sink.trail)
    if "arithmetic" in places:
        reason = f"{writer} is cut down to arithmetic before {sink.symbol}."
        return ok(sink, reason, confidence=sink.confidence, related=sink.trail)
    isolated = next((ISOLATED[place] for place in places if place in ISOLATED), None)
    if isolated is None:
        reason = f"{writer} runs in {places[0]!r}, whose isolation is not known."
        return unknown(sink, reason, confidence=sink.confidence, related=sink.trail)
    return ok(sink, f"{writer} runs in {isolated}.", confidence=sink.confidence, related=sink.trail)
