"""Findings, worst first: one section a rule, with the evidence in every file, the fix, and where to read more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

from agent_architecture.detector import Severity
from agent_architecture.render.excerpt import excerpt
from agent_architecture.render.layout import wrap
from agent_architecture.render.safe import cells
from agent_architecture.render.style import BLUE, BOLD, CYAN, DIM, MAGENTA, RED, YELLOW
from agent_architecture.render.view import SHOWN, View
from agent_architecture.scoring import SEVERITY_RANK

if TYPE_CHECKING:
    from agent_architecture.findings import Evidence, Finding
    from agent_architecture.report import Report
    from agent_architecture.sources.source import Span

COLORS: Final = {
    Severity.CRITICAL: (BOLD, RED),
    Severity.HIGH: (RED,),
    Severity.MEDIUM: (YELLOW,),
    Severity.LOW: (BLUE,),
    Severity.GOOD: (DIM,),
}
RELATED: Final = 3
"""Related places named beside a piece of evidence."""
GUTTER: Final = 6
"""Cells for the line number."""


def findings(report: Report, view: View) -> Iterator[list[str]]:
    """One block of lines for each rule with findings."""
    for _, same_rule in groupby(in_order(report), key=lambda finding: finding.rule_id):
        yield list(_rule(list(same_rule), view))


def in_order(report: Report) -> list[Finding]:
    """The findings worst first: by severity, the detector's risk, rule and path."""
    risks = {metric.rule_id: metric.risk for metric in report.scores.metrics}

    def badness(finding: Finding) -> tuple[int, float, str, str]:
        risk = risks.get(finding.rule_id, 0.0)
        return -SEVERITY_RANK[finding.severity], -risk, finding.rule_id, finding.path

    return sorted(report.findings, key=badness)


def _rule(same_rule: Sequence[Finding], view: View) -> Iterator[str]:
    first = same_rule[0]
    style = view.style
    codes = COLORS[first.severity]
    yield from _title(first, codes, view)
    shown = same_rule if view.verbose else same_rule[:SHOWN]
    for finding in shown:
        for evidence in finding.evidence:
            yield from _evidence(evidence, codes, view)
    if len(shown) < len(same_rule):
        yield style.paint(style.mark(f"  … {len(same_rule) - len(shown)} more files (-v lists all)"), DIM)
    for advice in dict.fromkeys(finding.recommendation for finding in shown):
        yield from _labelled("fix:", advice, view)
    yield style.paint(
        f"  why:  agent-architecture explain {style.safe(first.rule_id.removeprefix('arxo/agent-'))}", DIM
    )


def _title(finding: Finding, codes: tuple[str, ...], view: View) -> Iterator[str]:
    """Severity, title and rule id, on one line where they fit."""
    style, level = view.style, finding.severity.upper()
    head = level + "  "
    title = wrap(style.safe(finding.title), view.width - len(head)) or [""]
    rule = style.safe(finding.rule_id)
    together = len(title) == 1 and len(head) + cells(title[0]) + 2 + cells(rule) <= view.width
    lines = [style.paint(line, BOLD) for line in title]
    rest = [*lines[1:], *([] if together else [style.paint(rule, DIM)])]
    yield f"{style.paint(level, *codes)}  {lines[0]}" + (f"  {style.paint(rule, DIM)}" if together else "")
    yield from (" " * len(head) + line for line in rest)


def _labelled(label: str, text: str, view: View) -> Iterator[str]:
    lines = view.prose(text, " " * 8, first="")
    for number, line in enumerate(lines):
        yield f"  {view.style.paint(label, MAGENTA)}  {line}" if number == 0 else line


def _evidence(evidence: Evidence, codes: tuple[str, ...], view: View) -> Iterator[str]:
    if evidence.span is None:
        yield from (view.style.paint(line, DIM) for line in view.prose(evidence.message, "  "))
        return
    symbol = view.style.cut(evidence.symbol, 60)
    yield f"  {view.style.paint(view.place(evidence.span, column=True), CYAN)}" + (
        view.style.paint(f"  {symbol}", DIM) if symbol else ""
    )
    yield from _quote(evidence.span, codes, view)
    yield from view.prose(evidence.message, " " * (GUTTER + 3))
    elsewhere = [span for span in evidence.related if span[:2] != evidence.span[:2]]
    if elsewhere:
        indent = " " * (GUTTER + 3)
        yield from (view.style.paint(line, DIM) for line in view.prose(_related(elsewhere, view), indent))


def _quote(span: Span, codes: tuple[str, ...], view: View) -> Iterator[str]:
    """The source line and the underline below it; nothing when the line cannot be read."""
    line = view.source(span.path, span.line) if span.line > 0 else None
    if line is None or not line.strip():
        return
    style = view.style
    bar = style.paint(style.mark("│"), DIM)
    number = style.paint(str(span.line).rjust(GUTTER), DIM)
    end = span.end_col if span.end_line == span.line else None
    piece = excerpt(line, span.col, end, view.width - GUTTER - 3, unicode=style.unicode)
    yield f"{number} {bar} {piece.before}{style.paint(piece.span, BOLD)}{piece.after}"
    yield f"{'':{GUTTER}} {bar} {'':{piece.offset}}{style.paint('^' * piece.length, *codes)}"


def _related(places: Sequence[Span], view: View) -> str:
    named = list(dict.fromkeys(map(view.place, places)))
    more = f" and {len(named) - RELATED} more" if len(named) > RELATED else ""
    return f"see also {', '.join(named[:RELATED])}{more}"
