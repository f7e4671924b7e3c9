"""The projects of a repository that has several, with the scores of each beside those of the whole."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from agent_architecture.parts import owner_of
from agent_architecture.render.layout import Cell
from agent_architecture.render.places import placed
from agent_architecture.render.style import BOLD, CYAN
from agent_architecture.render.view import SHOWN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_architecture.render.places import Placed
    from agent_architecture.render.view import View
    from agent_architecture.report import Report
    from agent_architecture.scoring import AxisScore

ELSEWHERE = "elsewhere"


def by_project(report: Report, places: Sequence[Placed]) -> list[tuple[str, list[Placed]]]:
    """Places by the folder of their project, in the order of the folders; those of none come last."""
    groups: dict[str, list[Placed]] = {part.path: [] for part in report.parts}
    for one in places:
        owner = owner_of(one.span.path, report.parts)
        groups.setdefault(ELSEWHERE if owner is None else owner.path, []).append(one)
    return [(path, group) for path, group in groups.items() if group]


def rows(report: Report) -> list[tuple[str, ...]]:
    """For each project its folder, sites, places, health and axes; the worst first, then the whole. With a head."""
    places = Counter(name for name, group in by_project(report, list(placed(report.findings))) for _ in group)
    head = ("project", "sites", "places", "health", *(axis.axis for axis in report.scores.axes))
    parts = sorted(report.parts, key=lambda part: (part.health, part.path))
    whole = len(report.project.sites), sum(places.values()), report.scores.health, report.scores.axes
    return [
        head,
        *(_row(part.path, part.sites, places[part.path], part.health, part.axes) for part in parts),
        _row("all", *whole),
    ]


def _row(name: str, sites: int, places: int, health: float, axes: Sequence[AxisScore]) -> tuple[str, ...]:
    return (name, str(sites), str(places), f"{health:.2f}", *(_score(axis) for axis in axes))


def _score(axis: AxisScore) -> str:
    """An axis' score; of one that nothing was judged for a dash would do, a full score would praise."""
    return f"{axis.score:.1f}" if axis.applicable else "n/a"


def projects(report: Report, view: View) -> Iterator[str]:
    """The section: a table with the worst project first, and the whole last."""
    if not report.parts:
        return
    head, *parts, whole = rows(report)
    yield view.heading("Projects", len(parts))
    shown = parts if view.verbose else parts[:SHOWN]
    table = [head, *shown, whole]
    sizes = [max(len(row[column]) for row in table) for column in range(len(head))]
    for row in table:
        codes = (BOLD,) if row in (head, whole) else ()
        first = Cell(view.path(row[0]).ljust(sizes[0]), codes or (CYAN,))
        cells = [first, *(Cell("  " + text.rjust(size), codes) for text, size in zip(row[1:], sizes[1:], strict=True))]
        yield view.line([Cell("  "), *cells])
    if len(shown) < len(parts):
        yield view.style.mark(f"  … {len(parts) - len(shown)} more (-v lists all)")
