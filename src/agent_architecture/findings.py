"""Findings: what a person is told about one rule in one file, with the evidence and what to do.

The rules are the contract's ("Findings Contract") and those of spec/scoring.md ("Findings"). Severity, confidence and
the choice of evidence come from `scoring`; this module must not know how they were reached, nor how a finding is shown.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import Final

from agent_architecture.detector import Detector, Effort, Severity, Verdict
from agent_architecture.fixes import advice
from agent_architecture.model.system import Confidence, Fix
from agent_architecture.records import NamedTuple
from agent_architecture.registry import Judged
from agent_architecture.scoring import MetricScore, Scores, distinct_gaps
from agent_architecture.sources.source import Span

EVIDENCE_CAP: Final = 5
"""Pieces of evidence that a finding shows (contract: "capped to 5 items per finding")."""

Statement = Callable[[Span], str]
"""Gives the source text of a span's lines; spacing does not matter."""


class EvidenceKind(StrEnum):
    """The contract's kinds of evidence."""

    CODE_SPAN = "code_span"
    PATH = "path"
    TEXT = "text"


class Evidence(NamedTuple):
    """One piece of evidence. A text has no `span`, symbol or fingerprint; the span of a `PATH` has no line (0).

    `fingerprint` is 64 hexadecimal digits that stay the same when lines move.
    """

    kind: EvidenceKind
    message: str
    span: Span | None = None
    symbol: str = ""
    related: tuple[Span, ...] = ()
    fingerprint: str = ""


class Finding(NamedTuple):
    """One rule in one file.

    `evidence` is what is shown: the worst first, at most five, then a text that counts the others. `others` are those
    others, for what works on every piece of evidence (baselines, SARIF).
    """

    rule_id: str
    key: str
    title: str
    path: str
    severity: Severity
    confidence: Confidence
    impact: Severity
    effort: Effort
    description: str
    recommendation: str
    references: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    others: tuple[Evidence, ...] = ()


def metrics_to_findings(
    scores: Scores, results: Iterable[Judged], fixes: Sequence[Fix], statement: Statement
) -> tuple[Finding, ...]:
    """The findings of all emitted, applicable detectors, sorted by rule id, title and file."""
    by_rule = {result.detector.rule_id: result for result in results}
    found = [
        _finding(metric, by_rule[metric.rule_id].detector, gaps, fixes, statement)
        for metric in scores.metrics
        if metric.applicable
        for gaps in _by_file(distinct_gaps(by_rule[metric.rule_id].verdicts))
    ]
    return tuple(sorted(found, key=lambda finding: (finding.rule_id, finding.title, finding.path)))


def _by_file(gaps: Iterable[Verdict]) -> list[list[Verdict]]:
    files: defaultdict[str, list[Verdict]] = defaultdict(list)
    for gap in gaps:
        files[gap.span.path].append(gap)
    return list(files.values())


def _finding(
    metric: MetricScore, detector: Detector, gaps: Sequence[Verdict], fixes: Sequence[Fix], statement: Statement
) -> Finding:
    prints = fingerprints(metric.rule_id, gaps, statement)
    evidence = tuple(_evidence(gap, fingerprint) for gap, fingerprint in zip(gaps, prints, strict=True))
    shown, others = _capped(evidence)
    return Finding(
        rule_id=metric.rule_id,
        key=metric.key,
        title=detector.title,
        path=gaps[0].span.path,
        severity=metric.severity,
        confidence=metric.confidence,
        impact=metric.impact,
        effort=metric.effort,
        description=first_paragraph(detector.page),
        recommendation=recommendation(detector, gaps, fixes),
        references=detector.references,
        evidence=shown,
        others=others,
    )


def _capped(evidence: tuple[Evidence, ...]) -> tuple[tuple[Evidence, ...], tuple[Evidence, ...]]:
    """What a finding shows of its evidence, with a text that counts the others; and the others."""
    shown, others = evidence[:EVIDENCE_CAP], evidence[EVIDENCE_CAP:]
    return ((*shown, Evidence(EvidenceKind.TEXT, _overflow(len(others)))) if others else shown), others


def every_evidence(finding: Finding) -> tuple[Evidence, ...]:
    """All evidence of a finding that has a place, the worst first, also what it only counts."""
    return tuple(evidence for evidence in (*finding.evidence, *finding.others) if evidence.span is not None)


def with_evidence(finding: Finding, evidence: Sequence[Evidence]) -> Finding | None:
    """The same finding with this evidence alone; None when there is none."""
    shown, others = _capped(tuple(evidence))
    return finding._replace(evidence=shown, others=others) if shown else None


def _evidence(gap: Verdict, fingerprint: str) -> Evidence:
    kind = EvidenceKind.CODE_SPAN if gap.span.line > 0 else EvidenceKind.PATH
    return Evidence(kind, gap.reason, gap.span, gap.subject.symbol, gap.related, fingerprint)


def _overflow(count: int) -> str:
    return f"{count} more {'place' if count == 1 else 'places'} in this file"


def fingerprints(rule_id: str, gaps: Sequence[Verdict], statement: Statement) -> tuple[str, ...]:
    """A fingerprint for each gap of one file: of rule, file, symbol and statement, and an ordinal where all are equal.

    Ordinals follow the place in the file, so that moving the whole group changes nothing.
    """
    seen: defaultdict[tuple[str, str, str, str], int] = defaultdict(int)
    made: dict[int, str] = {}
    for index in sorted(range(len(gaps)), key=lambda index: (gaps[index].span, gaps[index].reason)):
        gap = gaps[index]
        identity = (rule_id, gap.span.path, gap.subject.symbol, " ".join(statement(gap.span).split()))
        text = "\0".join((*identity, str(seen[identity])))
        seen[identity] += 1
        made[index] = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return tuple(made[index] for index in range(len(gaps)))


def recommendation(detector: Detector, gaps: Iterable[Verdict], fixes: Iterable[Fix]) -> str:
    """What closes the gap: the line for the library of the worst gap, else the detector's own advice."""
    return advice(detector, tuple(gaps), fixes)


def first_paragraph(page: str) -> str:
    """The first paragraph of a Markdown page below its heading, on one line; empty when there is none."""
    for block in page.replace("\r\n", "\n").split("\n\n"):
        text = " ".join(line.strip() for line in block.splitlines() if not line.startswith("#")).strip()
        if text:
            return text
    return ""
