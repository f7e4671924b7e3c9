"""The outcome as the page's program reads it: texts by number, and rows instead of objects, so that five thousand
verdicts stay small. `web/src/data.ts` is its other side, and `FORMAT` the number that both know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.render.html.items import items_of
from agent_architecture.render.html.overview import overview
from agent_architecture.render.html.rules import rules_of
from agent_architecture.render.html.system import system_of
from agent_architecture.render.html.texts import Texts, excerpts
from agent_architecture.render.seen import seen_nodes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.detector import Detector
    from agent_architecture.render.json import Json
    from agent_architecture.render.view import SourceLine
    from agent_architecture.report import Outcome

FORMAT: Final = 1


def document(outcome: Outcome, detectors: Iterable[Detector], source: SourceLine) -> dict[str, Json]:
    """The whole document."""
    report, texts = outcome.report, Texts()
    seen = seen_nodes(report)
    rules = {metric.rule_id: number for number, metric in enumerate(report.scores.metrics)}
    items = items_of(outcome, seen, rules)
    places = [one.span for one in items] + [one.node.span for one in seen]
    places += [way.entry for way in report.picture.ways] + [way.does.span for way in report.picture.ways]
    return {
        "format": FORMAT,
        "tool": dict(report.tool._asdict()),
        "overview": overview(outcome, items, rules, texts),
        "rules": rules_of(report, detectors, items, texts),
        "items": [one.row(texts) for one in items],
        "system": system_of(report, seen, texts),
        "code": excerpts(places, source, texts),
        "texts": list(texts.all),
    }
