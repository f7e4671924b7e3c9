"""Hides evidence: a pure function of an outcome. A finding disappears when nothing of its evidence is left."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from agent_architecture.contract import short
from agent_architecture.findings import Evidence, Finding, every_evidence, with_evidence
from agent_architecture.report import Outcome, Report, Suppressed, sorted_notices
from agent_architecture.sources.source import Notice
from agent_architecture.suppressions.marks import Mark, Marks


def suppress(outcome: Outcome, found: Iterable[Marks]) -> Outcome:
    """The outcome without what the marks hide; scores stay. Marks that hide nothing are notices."""
    parts = list(found)
    marks = [mark for part in parts for mark in part.marks]
    report = outcome.report
    by_key: defaultdict[str, list[Mark]] = defaultdict(list)
    for mark in marks:
        by_key[mark.key].append(mark)
    used: set[Mark] = set()
    shown: list[Finding] = []
    hidden: list[Suppressed] = []
    for finding in report.findings:
        kept: list[Evidence] = []
        for evidence in every_evidence(finding):
            hiding = _hiding(by_key[short(finding.key)], evidence)
            used.update(hiding)
            if hiding:
                hidden.append(Suppressed(finding, evidence, hiding[0].kind, hiding[0].reason))
            else:
                kept.append(evidence)
        rest = with_evidence(finding, kept)
        if rest is not None:
            shown.append(rest)
    notices = [notice for part in parts for notice in part.notices] + list(_unused(marks, used, report))
    changed = report._replace(
        findings=tuple(shown), suppressed=tuple(hidden), notices=sorted_notices((*report.notices, *notices))
    )
    return outcome._replace(report=changed)


def _hiding(marks: Iterable[Mark], evidence: Evidence) -> list[Mark]:
    span = evidence.span
    return [] if span is None else [mark for mark in marks if mark.hides(span.path, max(span.line, 0))]


def _unused(marks: Iterable[Mark], used: set[Mark], report: Report) -> Iterable[Notice]:
    """A word for each mark that hid nothing, where its rule was judged at all."""
    judged = {short(metric.key) for metric in report.scores.metrics} if report.applicable else set[str]()
    for mark in marks:
        if mark.unused is not None and mark not in used and mark.key in judged:
            yield Notice(mark.path, mark.line, mark.unused, incomplete=False)
