"""The rules of the page: what each finds, what it costs, and what its page says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.render.findings_text import short
from agent_architecture.render.html.items import CONFIDENCES
from agent_architecture.render.json import DIGITS
from agent_architecture.render.rule_help import without_notes
from agent_architecture.scoring import SEVERITY_RANK

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agent_architecture.detector import Detector
    from agent_architecture.render.html.items import Item
    from agent_architecture.render.html.texts import Texts
    from agent_architecture.render.json import Json
    from agent_architecture.report import Report
    from agent_architecture.scoring import MetricScore

LINK: Final = regex(r"\[([^\]]+)\]\([^)\s]+\)")
MARKUP: Final = ("#", "|", "```")


def rules_of(report: Report, detectors: Iterable[Detector], items: Sequence[Item], texts: Texts) -> list[Json]:
    """A row for each rule that was run, in contract order; its page only where it has something to list."""
    by_rule = {detector.rule_id: detector for detector in detectors}
    listed = {item.rule for item in items}
    return [
        _row(metric, by_rule.get(metric.rule_id), texts, told=number in listed)
        for number, metric in enumerate(report.scores.metrics)
    ]


def _row(metric: MetricScore, detector: Detector | None, texts: Texts, *, told: bool) -> dict[str, Json]:
    page = list(paragraphs(detector.page)) if detector is not None and told else []
    return {
        "name": short(metric.rule_id),
        "title": "" if detector is None else detector.title,
        "axis": metric.axis or metric.group,
        "group": metric.group,
        "severity": SEVERITY_RANK[metric.severity],
        "impact": SEVERITY_RANK[metric.impact],
        "confidence": CONFIDENCES.index(metric.confidence),
        "effort": metric.effort,
        "risk": round(metric.risk, DIGITS),
        "costs": round(100 * metric.share * metric.risk, DIGITS),
        "applicable": metric.applicable,
        "judged": metric.judged,
        "unknown": metric.unknown,
        "page": [texts(text) for text in page],
        "references": [] if detector is None else list(detector.references),
    }


def paragraphs(page: str) -> Iterator[str]:
    """The prose of a page before its first section, a paragraph each; emphasis and code keep their marks."""
    for block in without_notes(page).partition("\n## ")[0].replace("\r\n", "\n").split("\n\n"):
        text = LINK.sub(r"\1", " ".join(block.split()))
        if text and not text.startswith(MARKUP):
            yield text
