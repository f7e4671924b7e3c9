"""What the page lists: every gap that is shown, and what is controlled or cannot be read, one row each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.detector import Outcome as Verdicted
from agent_architecture.model.system import Confidence, Degree
from agent_architecture.records import NamedTuple
from agent_architecture.render.json import DIGITS
from agent_architecture.render.places import in_order
from agent_architecture.scoring import SEVERITY_RANK, severity_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agent_architecture.render.html.texts import Texts
    from agent_architecture.render.json import Json
    from agent_architecture.render.places import Placed
    from agent_architecture.render.seen import Seen
    from agent_architecture.report import Outcome, SubjectRow
    from agent_architecture.sources.source import Span

OUTCOMES: Final = (Verdicted.ABSENT, Verdicted.PARTIAL, Verdicted.CONTROLLED, Verdicted.UNKNOWN)
CONFIDENCES: Final = tuple(Confidence)
DEGREES: Final = tuple(Degree)
NOWHERE: Final = -1
RELATED: Final = 8
"""Related places that are named."""


class Item(NamedTuple):
    """One row: a verdict at its place. `rule` and `node` are positions; `is_new`: the baseline does not have it."""

    rule: int
    outcome: Verdicted
    span: Span
    symbol: str
    reason: str
    risk: float
    severity: int
    confidence: Confidence
    degree: Degree
    framework: str
    gain: float
    fix: str
    related: tuple[Span, ...]
    node: int
    is_new: bool
    fingerprint: str = ""

    def row(self, texts: Texts) -> list[Json]:
        """The row of the document, in the order of `Item` in `web/src/data.ts`."""
        span = self.span
        related: list[Json] = [[texts(place.path), place.line] for place in self.related[:RELATED]]
        return [
            self.rule, OUTCOMES.index(self.outcome), texts(span.path), span.line, span.end_line, texts(self.symbol),
            texts(self.reason), round(self.risk, DIGITS), self.severity, CONFIDENCES.index(self.confidence),
            DEGREES.index(self.degree), texts(self.framework), round(self.gain, DIGITS), texts(self.fix), related,
            self.node, int(self.is_new),
        ]  # fmt: skip


def items_of(outcome: Outcome, seen: Sequence[Seen], rules: Mapping[str, int]) -> list[Item]:
    """The gaps as all formats order them, then what else was judged, by rule and place."""
    report = outcome.report
    known = None if outcome.comparison is None else outcome.comparison.known
    nodes = {row: at for at, one in enumerate(seen) for row in one.rows}
    verdicts: dict[tuple[str, Span, str, str], tuple[int, SubjectRow]] = {}
    for number, row in enumerate(report.subjects):
        verdict = row.verdict
        verdicts.setdefault((row.key, verdict.span, verdict.subject.symbol, verdict.reason), (number, row))
    gaps = [_gap(one, verdicts, nodes, rules, known) for one in in_order(report.findings, known)]
    return [*gaps, *_others(report.subjects, nodes, {metric.key: rules[metric.rule_id] for metric in
                                                     report.scores.metrics})]  # fmt: skip


def _gap(
    one: Placed,
    verdicts: Mapping[tuple[str, Span, str, str], tuple[int, SubjectRow]],
    nodes: Mapping[int, int],
    rules: Mapping[str, int],
    known: frozenset[str] | None,
) -> Item:
    finding, found = one.finding, one.evidence
    number, row = verdicts.get((finding.key, one.span, found.symbol, found.message), (NOWHERE, None))
    return Item(
        rule=rules[finding.rule_id],
        outcome=Verdicted.ABSENT if row is None else row.verdict.outcome,
        span=one.span,
        symbol=found.symbol,
        reason=found.message,
        risk=found.risk,
        severity=SEVERITY_RANK[severity_of(found.risk, finding.impact)],
        confidence=found.confidence,
        degree=Degree.RESOLVED if row is None else row.verdict.degree,
        framework="" if row is None else row.verdict.subject.framework,
        gain=found.gain,
        fix=finding.recommendation,
        related=found.related,
        node=nodes.get(number, NOWHERE),
        is_new=known is not None and found.fingerprint not in known,
        fingerprint=found.fingerprint,
    )


def _others(subjects: Sequence[SubjectRow], nodes: Mapping[int, int], rules: Mapping[str, int]) -> Iterator[Item]:
    for number, row in enumerate(subjects):
        verdict = row.verdict
        if not verdict.risk:
            yield Item(
                rule=rules[row.key],
                outcome=verdict.outcome,
                span=verdict.span,
                symbol=verdict.subject.symbol,
                reason=verdict.reason,
                risk=0.0,
                severity=0,
                confidence=verdict.confidence,
                degree=verdict.degree,
                framework=verdict.subject.framework,
                gain=0.0,
                fix="",
                related=verdict.related,
                node=nodes.get(number, NOWHERE),
                is_new=False,
            )
