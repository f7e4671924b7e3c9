"""What formats list one by one: every piece of evidence that has a place, with the finding that it belongs to."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from agent_architecture.findings import EvidenceKind, every_evidence
from agent_architecture.records import NamedTuple

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


def suppressed(report: Report) -> Iterator[Placed]:
    """All evidence that is hidden."""
    for one in report.suppressed:
        if one.evidence.span is not None:
            yield Placed(one.finding, one.evidence, one.evidence.span)
