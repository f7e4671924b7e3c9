"""What formats list one by one: every piece of evidence that has a place, with the finding that it belongs to."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from agent_architecture.findings import EvidenceKind, every_evidence
from agent_architecture.records import NamedTuple
from agent_architecture.scoring import CONFIDENCE_RANK, SEVERITY_RANK

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.findings import Evidence, Finding
    from agent_architecture.report import Report
    from agent_architecture.sources.source import Span


def joined(prefix: str, path: str) -> str:
    """A path of a report as seen from where the prefix begins; one that leads out of the scanned root is made short."""
    return posixpath.normpath(prefix + path) if path.startswith("../") else prefix + path


class Placed(NamedTuple):
    """One piece of evidence. `line` is 0 where it is about a whole file."""

    finding: Finding
    evidence: Evidence
    span: Span

    @property
    def line(self) -> int:
        """The first line, 1-based; 0 for a whole file."""
        return self.span.line if self.evidence.kind is EvidenceKind.CODE_SPAN else 0


def placed(findings: Iterable[Finding]) -> Iterator[Placed]:
    """All evidence, also what a finding only counts, in the order of the findings."""
    for finding in findings:
        for evidence in every_evidence(finding):
            if evidence.span is not None:
                yield Placed(finding, evidence, evidence.span)


def worst_first(places: Iterable[Placed], known: frozenset[str] | None = None) -> list[Placed]:
    """The places of one rule by their own risk, weight and confidence; what is not `known` comes before all else."""

    def badness(one: Placed) -> tuple[bool, float, float, int, Span]:
        found = one.evidence
        old = known is not None and found.fingerprint in known
        return old, -found.risk, -found.weight, -CONFIDENCE_RANK[found.confidence], one.span

    return sorted(places, key=badness)


def in_order(findings: Iterable[Finding], known: frozenset[str] | None = None) -> list[Placed]:
    """The places of all rules: what is not `known` first, then by severity, then by their own risk."""

    def order(one: Placed) -> tuple[bool, int, float, float, int, str, Span]:
        found, finding = one.evidence, one.finding
        old = known is not None and found.fingerprint in known
        rank = -SEVERITY_RANK[finding.severity], -found.risk, -found.weight, -CONFIDENCE_RANK[found.confidence]
        return old, *rank, finding.rule_id, one.span

    return sorted(placed(findings), key=order)


def by_reason(places: Iterable[Placed]) -> list[list[Placed]]:
    """Places of one rule with one reason together, in the order of the first of each."""
    groups: dict[tuple[str, str], list[Placed]] = {}
    for one in places:
        groups.setdefault((one.finding.rule_id, one.evidence.message), []).append(one)
    return list(groups.values())


def suppressed(report: Report) -> Iterator[Placed]:
    """All evidence that is hidden."""
    for one in report.suppressed:
        if one.evidence.span is not None:
            yield Placed(one.finding, one.evidence, one.evidence.span)
