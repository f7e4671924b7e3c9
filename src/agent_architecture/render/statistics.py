"""Findings as counts, one line a rule: for a first look at a large project."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from agent_architecture.findings import every_evidence
from agent_architecture.render.counted import counted
from agent_architecture.render.findings_text import COLORS
from agent_architecture.render.layout import Cell
from agent_architecture.render.style import DIM
from agent_architecture.scoring import SEVERITY_RANK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.render.view import View
    from agent_architecture.report import Report


def statistics(report: Report, view: View) -> Iterator[list[str]]:
    """How many places each rule has findings in, the most first."""
    if not report.findings:
        return
    first = {finding.rule_id: finding for finding in reversed(report.findings)}
    places = Counter[str]()
    for finding in report.findings:
        places[finding.rule_id] += len(every_evidence(finding))
    order = sorted(first.values(), key=lambda one: (-places[one.rule_id], -SEVERITY_RANK[one.severity], one.rule_id))
    rows = [
        (
            Cell(f"{places[one.rule_id]:5}"),
            Cell(one.severity.value, COLORS[one.severity]),
            Cell(view.style.safe(one.rule_id)),
            Cell(view.style.safe(one.title), (DIM,)),
        )
        for one in order
    ]
    head = view.heading(
        f"Findings ({counted(len(report.findings), 'finding')} in {counted(sum(places.values()), 'place')})"
    )
    yield [head, *view.table(rows, all_rows=True)]
