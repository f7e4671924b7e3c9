"""The nodes of the picture with the verdicts that are about them, and how grave the worst of those is.

A verdict belongs to the node of its subject; else to the smallest node around its place; else to the node that does
what it speaks of, or to which it leads. Some belong to none: they are about a file or the project.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.detector import Severity
from agent_architecture.picture.parts import NodeKind
from agent_architecture.records import NamedTuple
from agent_architecture.scoring import SEVERITY_RANK, severity_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.detector import Verdict
    from agent_architecture.picture.parts import Node, Picture
    from agent_architecture.report import Report
    from agent_architecture.sources.source import Span

OWNERS: Final = ("tool", "site", "source")
"""What a subject may be a part of, and names: of a hand-over the agent that makes it."""


class Seen(NamedTuple):
    """A node, the positions of its verdicts in `Report.subjects`, and the severity of the worst (Good: no gap)."""

    node: Node
    rows: tuple[int, ...]
    severity: Severity


def seen_nodes(report: Report) -> tuple[Seen, ...]:
    """All nodes of the picture, in its order."""
    places = _Places(report.picture)
    rows: list[list[int]] = [[] for _ in report.picture.nodes]
    for number, row in enumerate(report.subjects):
        at = places.of(row.verdict)
        if at is not None:
            rows[at].append(number)
    impacts = {metric.key: metric.impact for metric in report.scores.metrics}

    def severity(number: int) -> Severity:
        row = report.subjects[number]
        return severity_of(row.verdict.risk or 0.0, impacts[row.key])

    return tuple(
        Seen(node, tuple(own), worst(map(severity, own))) for node, own in zip(report.picture.nodes, rows, strict=True)
    )


def worst(severities: Iterable[Severity]) -> Severity:
    """The gravest of some severities; Good for none."""
    return max(severities, key=SEVERITY_RANK.__getitem__, default=Severity.GOOD)


class _Places:
    """Which node is at a place."""

    def __init__(self, picture: Picture) -> None:
        self._nodes = picture.nodes
        self._at: dict[Span, list[int]] = {}
        self._in: dict[str, list[int]] = {}
        self._doing: dict[Span, int] = {}
        for at, node in enumerate(picture.nodes):
            if node.kind is NodeKind.SOURCE:  # it stands where the run does that reads it
                continue
            self._at.setdefault(node.span, []).append(at)
            self._in.setdefault(node.span.path, []).append(at)
            marks = [doing.span for doing in node.does] + [check.span for check in node.checks if check.span]
            for span in marks:
                self._doing.setdefault(span, at)

    def of(self, verdict: Verdict) -> int | None:
        """The node that a verdict is about, by its position."""
        subject = verdict.subject
        for name in OWNERS:
            owner = getattr(subject, name, None)
            place = getattr(owner, "span", None)
            if place in self._at:
                return self._named(place, getattr(owner, "name", getattr(owner, "symbol", "")))
        found = self._around(verdict.span, getattr(subject, "name", subject.symbol))
        if found is None:
            found = self._doing.get(verdict.span)
        related = (self._around(span, "") for span in verdict.related)
        return found if found is not None else next((at for at in related if at is not None), None)

    def _around(self, span: Span, name: object) -> int | None:
        if span in self._at:
            return self._named(span, str(name))
        around = [at for at in self._in.get(span.path, ()) if self._nodes[at].span.contains(span)]
        return min(around, key=lambda at: _size(self._nodes[at].span), default=None)

    def _named(self, span: Span, name: str) -> int:
        """Of several nodes at one place the one of this name, else the first."""
        found = self._at[span]
        return next((at for at in found if self._nodes[at].name == name), found[0])


def _size(span: Span) -> tuple[int, int]:
    return span.end_line - span.line, span.end_col - span.col
