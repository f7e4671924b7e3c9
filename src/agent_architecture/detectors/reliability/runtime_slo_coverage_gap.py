"""Runs of agents of which nobody will know how long they took, whether they failed, or what they used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.system import AgentSystem
from agent_architecture.model.tracing import Signal, TracedWork, WorkKind
from agent_architecture.wording import fitting, listed, named

MISSING: Final = {
    Signal.LATENCY: "latency",
    Signal.ERRORS: "errors",
    Signal.COST: "token usage",
}


@detector(
    title="Agent run without latency, errors or cost on record",
    impact=Severity.MEDIUM,
    effort=Effort.MEDIUM,
    fix="Record duration, errors and token usage of every run, or switch on tracing that has all three.",
    parts={
        Signal.LATENCY: "Record the duration of every run.",
        Signal.ERRORS: "Record the errors of every run.",
        Signal.COST: "Record the token usage of every run.",
    },
    references=("CWE-778", "OWASP ASI08", "OWASP LLM06:2026", "OWASP MCP08", "AISVS 12.1.3", "AISVS 12.2.5"),
)
def runtime_slo_coverage_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every site that runs an agent."""
    for work in system.traced_work:
        if work.kind is WorkKind.SITE and work.span not in system.without_model:
            yield judge(work)


def judge(work: TracedWork) -> Verdict:
    """The verdict on one run: a third for each signal that is missing."""
    what = work.symbol or "this run"
    missing = [signal for signal in Signal if signal not in _recorded(work)]
    if not missing:
        return ok(work, fitting("Latency, errors and token usage are recorded by ", tuple(_by(work))))
    hidden = next((each for each in work.recordings if each.is_hidden), None)
    if hidden is not None and set(missing) & set(hidden.signals):
        return unknown(work, f"{hidden.by} may record {what}: that comes from {hidden.enabled.source}.")
    reason = f"No record of {listed([MISSING[each] for each in missing], 'or')} of {what}"
    if len(missing) < len(Signal):
        return gap(
            work,
            f"{reason}; the rest is recorded by {named(_by(work), 1)}.",
            risk=len(missing) / len(Signal),
            lacks=missing,
        )
    off = next((each for each in work.recordings if each.why_not), None)
    why = f": {off.by} {off.why_not}" if off is not None else ""
    return gap(work, f"{reason}{why}.")


def _recorded(work: TracedWork) -> frozenset[Signal]:
    by_spans = (signal for each in work.recordings if each.is_on for signal in each.signals)
    return frozenset((*by_spans, *(each.signal for each in work.measured)))


def _by(work: TracedWork) -> tuple[str, ...]:
    """What records a run, each once."""
    spans = (each.by for each in work.recordings if each.is_on)
    return tuple(dict.fromkeys((*spans, *(each.by for each in work.measured))))


def signals(system: AgentSystem, verdicts: tuple[Verdict, ...]) -> dict[str, float]:
    """The share of runs with each signal, and their mean."""
    del system
    judged = [v.subject for v in verdicts if v.risk is not None and isinstance(v.subject, TracedWork)]
    shares = {each: _share(judged, each) for each in Signal}
    return {
        "runtime_slo_coverage_ratio": sum(shares.values()) / len(shares),
        "latency_coverage_ratio": shares[Signal.LATENCY],
        "error_coverage_ratio": shares[Signal.ERRORS],
        "cost_accounting_coverage_ratio": shares[Signal.COST],
    }


def _share(judged: list[TracedWork], signal: Signal) -> float:
    return sum(signal in _recorded(work) for work in judged) / len(judged) if judged else 1.0
