"""Findings: what a person is told about one rule in one file, with the evidence and what to do.

The rules are the contract's ("Findings Contract") and those of the specification of the scores. Severity, confidence
and the choice of evidence come from `scoring`; this module must not know how they were reached, nor how a finding is
shown.
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
from agent_architecture.scoring import MetricScore, Scores, distinct_gaps, gain_of, urgency
from agent_architecture.sources.source import Span

EVIDENCE_CAP: Final = 5
"""Pieces of evidence that a finding shows (contract: "capped to 5 items per finding")."""

NAMES_THE_FILE: Final = 16
"""Digits of a fingerprint that stand for the file: a renamed one changes these alone."""
DIGITS: Final = 64

SymbolPath = Callable[[Span], str]
"""Gives the names of what stands around a span: functions and classes, the keys of a document."""


class EvidenceKind(StrEnum):
    """The contract's kinds of evidence."""

    CODE_SPAN = "code_span"
    PATH = "path"
    TEXT = "text"


class Evidence(NamedTuple):
    """One piece of evidence. A text has no `span`, symbol or fingerprint; the span of a `PATH` has no line (0).

    `risk` (0..1), `weight` and `confidence` are the gap's own, `gain` is what closing it adds to the health (0..1), and
    `urgency` ranks it among those of all rules. `fingerprint` is 64 hexadecimal digits that stay the
    same when the code around and inside the statement is edited: see `fingerprints`.
    """

    kind: EvidenceKind
    message: str
    span: Span | None = None
    symbol: str = ""
    related: tuple[Span, ...] = ()
    fingerprint: str = ""
    risk: float = 0.0
    weight: float = 1.0
    confidence: Confidence = Confidence.HIGH
    gain: float = 0.0
    urgency: float = 0.0


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
    scores: Scores, results: Iterable[Judged], fixes: Sequence[Fix], symbol_path: SymbolPath
) -> tuple[Finding, ...]:
    """The findings of all emitted, applicable detectors, sorted by rule id, title and file."""
    by_rule = {result.detector.rule_id: result for result in results}
    found = [
        _finding(metric, by_rule[metric.rule_id].detector, gaps, fixes, symbol_path)
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
    metric: MetricScore, detector: Detector, gaps: Sequence[Verdict], fixes: Sequence[Fix], symbol_path: SymbolPath
) -> Finding:
    prints = fingerprints(metric.rule_id, gaps, symbol_path)
    evidence = tuple(_evidence(metric, gap, fingerprint) for gap, fingerprint in zip(gaps, prints, strict=True))
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


def _evidence(metric: MetricScore, gap: Verdict, fingerprint: str) -> Evidence:
    risk = gap.risk or 0.0
    gain = gain_of(metric, risk, gap.weight)
    return Evidence(
        kind=EvidenceKind.CODE_SPAN if gap.span.line > 0 else EvidenceKind.PATH,
        message=gap.reason,
        span=gap.span,
        symbol=gap.subject.symbol,
        related=gap.related,
        fingerprint=fingerprint,
        risk=risk,
        weight=gap.weight,
        confidence=gap.confidence,
        gain=gain,
        urgency=urgency(metric, risk, gap.weight, gap.confidence, gain),
    )


def _overflow(count: int) -> str:
    return f"{count} more {'place' if count == 1 else 'places'} in this file"


def fingerprints(rule_id: str, gaps: Sequence[Verdict], symbol_path: SymbolPath) -> tuple[str, ...]:
    """A fingerprint for each gap of one file: of the file, the rule (what is missing), the names around the place and
    the subject's own. No text of the statement is in it, so that comments, formatting and arguments leave it alone.

    Where all of these are equal an ordinal tells them apart. Ordinals follow the place in the file, so that moving the
    whole group changes nothing.
    """
    seen: defaultdict[tuple[str, str, str, str], int] = defaultdict(int)
    made: dict[int, str] = {}
    for index in sorted(range(len(gaps)), key=lambda index: (gaps[index].span, gaps[index].reason)):
        gap = gaps[index]
        identity = (rule_id, gap.span.path, symbol_path(gap.span), " ".join(gap.subject.symbol.split()))
        own = "\0".join((rule_id, *identity[2:], str(seen[identity])))
        seen[identity] += 1
        made[index] = file_digits(gap.span.path) + _digits(own, DIGITS - NAMES_THE_FILE)
    return tuple(made[index] for index in range(len(gaps)))


def moved(fingerprint: str, path: str) -> str:
    """The fingerprint of the same gap after its file was renamed to `path`."""
    return file_digits(path) + fingerprint[NAMES_THE_FILE:]


def file_digits(path: str) -> str:
    """What a fingerprint begins with in this file."""
    return _digits(path, NAMES_THE_FILE)


def _digits(text: str, count: int) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:count]


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
