"""What changed between two reports, for a person at a terminal: scores, gaps, and the architecture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from agent_architecture.contract import contract, short
from agent_architecture.render.counted import counted
from agent_architecture.render.findings_text import COLORS
from agent_architecture.render.layout import Cell
from agent_architecture.render.style import CYAN, DIM, GREEN, RED

if TYPE_CHECKING:
    from agent_architecture.changes import Changes, Gap, Grown, Part, ScoreChange
    from agent_architecture.render.view import View

LONGEST_NAME: Final = 60
WORDS: Final = {True: ("better", (GREEN,)), False: ("worse", (RED,)), None: ("", ())}


def render(changes: Changes, view: View) -> str:
    """The whole difference as text, with a final newline."""
    head = view.style.safe(f"{changes.before} {view.style.mark('→')} {changes.after}")
    blocks = [[head], *sections(changes, view), [summary(changes)]]
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def summary(changes: Changes) -> str:
    """What it comes to, in a few words."""
    if changes.nothing:
        return "nothing changed"
    counts = (
        (len(changes.new), "new gap"),
        (len(changes.fixed), "fixed gap"),
        (sum(score.better is False for score in changes.scores), "worse score"),
        (sum(score.better is True for score in changes.scores), "better score"),
        (len(changes.added) + len(changes.removed) + len(changes.grown), "architecture change"),
    )
    return ", ".join(counted(count, noun) for count, noun in counts if count)


def sections(changes: Changes, view: View) -> Iterator[list[str]]:
    """A block of lines for each kind of change that there is."""
    if changes.remarks:
        yield [line for remark in changes.remarks for line in view.prose(remark)]
    composites = {item.key for item in contract().composites}
    scores = sorted(changes.scores, key=lambda change: change.key not in composites)
    yield from _block("Changed scores", [_score(change, view) for change in scores], view)
    yield from _block("New gaps", [_gap(gap, view) for gap in changes.new], view)
    yield from _rest(changes, view)


def since_baseline(changes: Changes, view: View) -> Iterator[list[str]]:
    """The same beside a report, which has listed what is new."""
    yield from sections(changes._replace(new=()), view)


def _rest(changes: Changes, view: View) -> Iterator[list[str]]:
    yield from _block("Fixed gaps", [_gap(gap, view) for gap in changes.fixed], view)
    rows = [_grown(item, view) for item in changes.grown]
    rows += [_part("+", part, view) for part in changes.added] + [_part("-", part, view) for part in changes.removed]
    yield from _block("Architecture", rows, view)


def _block(title: str, rows: list[tuple[Cell, ...]], view: View) -> Iterator[list[str]]:
    if rows:
        yield [view.heading(title, len(rows)), *view.table(rows)]


def _score(change: ScoreChange, view: View) -> tuple[Cell, ...]:
    before, after = (_number(value) for value in (change.before, change.after))
    word, codes = WORDS[change.better]
    return Cell(short(change.key)), Cell(f"{before} {view.style.mark('→')} {after}"), Cell(word, codes)


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.4g}"


def _gap(gap: Gap, view: View) -> tuple[Cell, ...]:
    return (
        Cell(gap.severity, COLORS[gap.severity]),
        Cell(_place(gap.path, gap.line, view), (CYAN,)),
        Cell(view.style.cut(f"{gap.message} ({gap.rule_id})", 600)),
    )


def _part(mark: str, part: Part, view: View) -> tuple[Cell, ...]:
    return (
        Cell(f"{mark} {part.kind}", (GREEN,) if mark == "+" else (RED,)),
        Cell(view.style.cut(part.name, LONGEST_NAME)),
        Cell(_place(part.path, part.line, view), (CYAN,)),
        Cell(view.style.cut(part.detail, LONGEST_NAME), (DIM,)),
    )


def _grown(item: Grown, view: View) -> tuple[Cell, ...]:
    tool = item.tool
    return (
        Cell(f"! {tool.kind}", (RED,)),
        Cell(view.style.cut(tool.name, LONGEST_NAME)),
        Cell(_place(tool.path, tool.line, view), (CYAN,)),
        Cell(view.style.safe(f"now {'; now '.join(item.more)}")),
    )


def _place(path: str, line: int, view: View) -> str:
    return view.path(path) + (f":{line}" if line else "")
