"""Every verdict, safe ones too, grouped by detector: the table behind the scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Final

from agent_architecture.detector import Outcome, Verdict
from agent_architecture.render.layout import Cell, column_widths, place_row
from agent_architecture.render.style import BOLD, CYAN, DIM, GREEN, RED, YELLOW
from agent_architecture.render.view import View

if TYPE_CHECKING:
    from agent_architecture.report import SubjectRow

MARKS: Final = {
    Outcome.CONTROLLED: ("✓", GREEN),
    Outcome.PARTIAL: ("◐", YELLOW),
    Outcome.ABSENT: ("✗", RED),
    Outcome.UNKNOWN: ("?", DIM),
}
LONGEST_NAME: Final = 32
LONGEST_REASON: Final = 300


def verdicts(subjects: tuple[SubjectRow, ...], view: View) -> Iterator[list[str]]:
    """One block of lines for each detector, in the report's order."""
    if subjects:
        yield [view.heading("Verdicts", len(subjects))]
    for key, group in groupby(subjects, key=lambda row: row.key):
        rows = [row.verdict for row in group]
        head = (Cell(view.style.safe(key.rpartition(".")[2]), (BOLD,)), Cell(_counts(rows), (DIM,)))
        yield [
            *(view.line(line) for line in place_row(head, column_widths([head]), view.width, "")),
            *view.table([_row(verdict, view) for verdict in rows], all_rows=True),
        ]


def _counts(rows: list[Verdict]) -> str:
    counts = Counter(verdict.outcome for verdict in rows)
    return ", ".join(f"{counts[outcome]} {outcome}" for outcome in Outcome if counts[outcome])


def _row(verdict: Verdict, view: View) -> tuple[Cell, ...]:
    mark, color = MARKS[verdict.outcome]
    risk = f" (risk {verdict.risk:.2g})" if verdict.outcome is Outcome.PARTIAL else ""
    return (
        Cell(view.style.mark(mark), (color,)),
        Cell(view.place(verdict.span), (CYAN,)),
        Cell(view.style.cut(verdict.subject.symbol, LONGEST_NAME)),
        Cell(view.style.cut(verdict.reason, LONGEST_REASON) + risk),
    )
