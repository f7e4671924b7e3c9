"""Work of agents that leaves no trace: runs, model calls, tools, handoffs and calls to other machines in no span."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.impact import power
from agent_architecture.model.system import AgentSystem
from agent_architecture.model.tracing import Extent, Recording, TracedWork, WorkKind

PARTIAL: Final = 0.5
"""Its steps are recorded and nothing links them, or some ways to it lie in no span (ruling "All")."""
STEPS: Final = frozenset({WorkKind.CALL, WorkKind.TOOL})
"""The steps of a run, of which the second signal speaks."""
NOUN: Final = {
    WorkKind.SITE: "run",
    WorkKind.CALL: "model call",
    WorkKind.TOOL: "tool",
    WorkKind.HANDOFF: "handoff",
    WorkKind.REMOTE: "remote call",
}


@detector(
    title="Work of an agent that no trace records",
    impact=Severity.MEDIUM,
    effort=Effort.MEDIUM,
    fix="Switch the library's tracing or an instrumentor on where the process starts; open spans around your own code.",
    references=("CWE-778", "CWE-223", "OWASP ASI08", "OWASP ASI10", "OWASP LLM03:2026", "OWASP MCP08", "AISVS 12.1.1"),
)
def trace_linkage_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every run, model call, tool, handoff and call to another machine, each once a line."""
    seen: set[tuple[str, int, str]] = set()
    for work in sorted(system.traced_work, key=lambda each: (list(WorkKind).index(each.kind), each.span)):
        place = (work.span.path, work.span.line, "" if work.kind is not WorkKind.TOOL else work.symbol)
        if place not in seen:
            seen.add(place)
            yield judge(work)


def judge(work: TracedWork) -> Verdict:
    """The verdict on one piece of work, by the best that records it."""
    what, weight = work.symbol or f"this {NOUN[work.kind]}", power(work.tool).weight if work.tool is not None else 1.0
    on = [each for each in work.recordings if each.is_on]
    whole = next((each for each in on if each.extent is Extent.WHOLE), None)
    if whole is not None:
        return ok(work, f"{what} is traced by {whole.by}.", weight=weight, related=whole.related)
    hidden = next((each for each in work.recordings if each.is_hidden), None)
    if hidden is not None:
        reason = f"{hidden.by} may trace {what}: that comes from {hidden.enabled.source}."
        return unknown(work, reason, weight=weight, related=hidden.related)
    if on:
        reason = f"{_partly(on[0], what)}."
        return gap(work, reason, risk=PARTIAL, weight=weight, related=on[0].related)
    off = next((each for each in work.recordings if each.why_not), None)
    if off is not None:
        reason = f"No trace of {what}: {off.by} {off.why_not}."
        return gap(work, reason, weight=weight, related=off.related)
    return gap(
        work, f"No trace of {what}: no span, callback or instrumentor covers it.", weight=weight, related=work.also
    )


def _partly(recording: Recording, what: str) -> str:
    if recording.extent is Extent.STEPS:
        return f"{recording.by} traces each model call by itself; no span links those of {what}"
    return f"{recording.by} traces {what} on some paths only"


def signals(system: AgentSystem, verdicts: tuple[Verdict, ...]) -> dict[str, float]:
    """One minus the risk, of runs, handoffs and remote calls, and of steps."""
    del system
    steps = [v for v in verdicts if isinstance(v.subject, TracedWork) and v.subject.kind in STEPS]
    links = [v for v in verdicts if isinstance(v.subject, TracedWork) and v.subject.kind not in STEPS]
    return {"trace_linkage_coverage_ratio": _covered(links), "step_span_coverage_ratio": _covered(steps)}


def _covered(verdicts: list[Verdict]) -> float:
    judged = [(v.weight, v.risk) for v in verdicts if v.risk is not None]
    total = sum(weight for weight, _ in judged)
    return 1.0 - sum(weight * risk for weight, risk in judged) / total if total else 1.0
