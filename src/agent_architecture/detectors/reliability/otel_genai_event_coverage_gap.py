"""Calls of models of which no record is kept: spans at best, no event, no log with fields, failures swallowed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from agent_architecture.detector import Effort, Severity, Verdict, detector, gap, ok, unknown
from agent_architecture.model.request_records import Form, Observed, ObservedKind, Written
from agent_architecture.model.settings import Origin
from agent_architecture.model.system import AgentSystem, EvalSuite
from agent_architecture.model.tracing import Recording

PARTIAL: Final = 0.5
"""A record for each message, which was replaced since; a line of text."""
OFF: Final = (False, None)
RECORDS: Final = (Form.EVENT, Form.STRUCTURED)
NOUN: Final = {ObservedKind.CALL: "model call", ObservedKind.RUN: "run", ObservedKind.LOOP: "run"}
ORDER: Final = tuple(ObservedKind)
CALLS: Final = ("calls",)


@detector(
    title="Calls of models without a record of each",
    impact=Severity.LOW,
    effort=Effort.LOW,
    fix="Write one record with fields of each call and each failure: model, tokens, why it ended, the error's type.",
    references=("CWE-778", "CWE-223", "OWASP ASI10", "OWASP MCP08", "AISVS 12.1.3"),
    parts={
        "calls": "Write one record with fields of each call: model, tokens, why it ended.",
        "errors": "Write a record of each failure, with the error's type.",
        "grades": "Record each grade (`gen_ai.evaluation.result`).",
    },
)
def otel_genai_event_coverage_gap(system: AgentSystem) -> Iterator[Verdict]:
    """Every call under a tracer, every site without any, every handler around them; once a line. A graded suite counts
    where some suite keeps its grades: elsewhere they are no telemetry, and `agent_eval_maturity_gap` judges them.
    """
    seen: set[tuple[str, int]] = set()
    for each in sorted(system.observed, key=lambda one: (ORDER.index(one.kind), one.span)):
        place = (each.span.path, each.span.line)
        verdict = judge(each) if place not in seen else None
        if verdict is not None:
            seen.add(place)
            yield verdict
    for suite in system.eval_suites if any(suite.records for suite in system.eval_suites) else ():
        if suite.dataset and suite.scorer and not suite.mocked_model:
            yield judge_suite(suite)


def judge(each: Observed) -> Verdict | None:
    """The verdict on one of them; None for a call that nothing traces, and for a loop whose calls are traced."""
    if each.kind is ObservedKind.HANDLER:
        return judge_handler(each)
    on = [one for one in each.recordings if one.is_on]
    unread = [one for one in each.recordings if one.enabled.origin is Origin.UNKNOWN]
    hidden = next((one for one in unread if one.events), next(iter(unread), None))
    may_write = hidden is not None and bool(hidden.events)
    if each.kind is ObservedKind.LOOP and (on or may_write):
        return None
    if each.kind is ObservedKind.CALL and not on and not may_write:
        return None
    return _judge_call(each, on, hidden)


def _judge_call(each: Observed, on: list[Recording], hidden: Recording | None) -> Verdict:
    what = each.symbol or f"this {NOUN[each.kind]}"
    kept = _first(each.written, *RECORDS)
    if kept is not None:
        return ok(each, f"{kept.by} records {what}.", related=(kept.span,))
    event = next((one for one in on if one.events == "operation"), None)
    if event is not None:
        return ok(each, f"{event.by} writes an event for each call, beside its spans.", related=event.related)
    if not on and hidden is not None and not hidden.events:
        where = f"its spans come from {hidden.enabled.source}"
        return gap(each, f"No event or log of {what}: {hidden.by} writes none, {where}.", lacks=CALLS)
    if not on and hidden is not None:
        reason = f"{hidden.by} may record {what}: that comes from {hidden.enabled.source}."
        return unknown(each, reason, related=hidden.related)
    if not on:
        return gap(each, f"No record of {what}: no tracer, no event, no structured log.", lacks=CALLS)
    replaced = next((one for one in on if one.events == "messages"), None)
    message = _first(each.written, Form.MESSAGES)
    if replaced is not None or message is not None:
        by = replaced.by if replaced is not None else message.by if message is not None else ""
        reason = f"{by} writes one event per message, replaced in `gen_ai.*` by one per call."
        return gap(each, reason, risk=PARTIAL, lacks=CALLS)
    return gap(
        each, f"{on[0].by} opens spans for {what}, but writes no event or log.", related=on[0].related, lacks=CALLS
    )


def judge_handler(each: Observed) -> Verdict | None:
    """The verdict on one handler: the best that it writes of what went wrong; None where it writes nothing and raises
    the error again, for whoever ends it.
    """
    what = f"errors of {each.symbol}"
    kept = _first(each.written, *RECORDS)
    if kept is not None:
        return ok(each, f"{kept.by} records {what}.", related=(kept.span,))
    text = _first(each.written, Form.TEXT)
    if text is not None:
        reason = f"{text.by} logs {what} as plain text, without an error type field."
        return gap(each, reason, risk=PARTIAL, related=(text.span,), lacks=("errors",))
    if each.raises:
        return None
    return gap(each, f"This handler swallows {what}: no event, no log.", lacks=("errors",))


def judge_suite(suite: EvalSuite) -> Verdict:
    """The verdict on one graded suite: whether its grades outlive it as records."""
    if suite.records:
        return ok(suite, f"{suite.symbol} records each grade: {suite.records}.")
    return gap(
        suite, f"{suite.symbol} grades answers, but records no grade (`gen_ai.evaluation.result`).", lacks=("grades",)
    )


def _first(written: Iterable[Written], *forms: Form) -> Written | None:
    return next((one for one in written if one.form in forms), None)
