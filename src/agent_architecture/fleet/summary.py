"""The fleet on the console: what was read, the worst repositories, what is weak everywhere, what is shared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.fleet.overview import AXES, SEVERITIES
from agent_architecture.fleet.sheet import words
from agent_architecture.render.layout import Cell, column_widths
from agent_architecture.render.safe import pad
from agent_architecture.render.style import BOLD, DIM, GREEN, RED, YELLOW
from agent_architecture.render.view import View

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agent_architecture.fleet.overview import Moved, Overview, Repository, Shared
    from agent_architecture.render.style import Style

FINE: Final = 80
POOR: Final = 50
"""Where a score turns from green to yellow, and to red, as in the report of one project."""
NAMES: Final = 4
"""Repositories that are named beside what they share."""


def render(found: Overview, *, width: int, style: Style, verbose: bool = False) -> str:
    """The text, with a final newline; lists are cut after ten rows unless `verbose`."""
    view = View(width, style, verbose, lambda _, __: None)
    sections = (_head(found, view), _ranking(found, view), _unread(found, view), _weakest(found, view))
    made = [list(lines) for lines in (*sections, _shared(found, view), _changes(found, view))]
    return "\n\n".join("\n".join(lines) for lines in made if lines) + "\n"


def _head(found: Overview, view: View) -> Iterator[str]:
    judged, unread, total = len(found.judged), len(found.unread), len(found.repositories)
    told = f"{repositories(total)} · {judged} with agents · {total - judged - unread} without"
    yield view.heading(view.style.mark(f"Run {found.run.run}  ") + view.style.mark(told))
    if unread:
        yield view.style.paint(f"  {repositories(unread)} could not be read", RED)
    if not found.finished:
        yield view.style.paint("  this run was stopped; the same command goes on with it", YELLOW)
    if found.run.health is not None:
        axes = "  ".join(f"{axis} {getattr(found.run, axis):.0f}" for axis in AXES)
        yield f"  mean health {found.run.health:.2f}  {axes}"


def _ranking(found: Overview, view: View) -> Iterator[str]:
    if not found.judged:
        return
    yield view.heading("Least healthy first", len(found.judged))
    head = [Cell(text, (DIM,)) for text in ("repository", "health", *(axis[:5] for axis in AXES), "findings")]
    yield from view.table([head, *(_ranked(one, view.style) for one in found.judged)])


def _ranked(one: Repository, style: Style) -> Sequence[Cell]:
    counts = [f"{getattr(one, severity)} {severity}" for severity in SEVERITIES[:2] if getattr(one, severity)]
    others = one.medium + one.low
    counts += [f"{others} less"] if others else []
    health = one.health or 0.0
    scores = [Cell(f"{score:5.0f}", (_color(score),)) for score in one.axes]
    name = Cell(style.safe(one.repository), (BOLD,))
    return [name, Cell(f"{health:.2f}", (_color(health * 100),)), *scores, Cell(", ".join(counts) or "none")]


def _unread(found: Overview, view: View) -> Iterator[str]:
    if found.unread:
        yield view.heading("Not read", len(found.unread))
        yield from view.table([[Cell(view.style.safe(one.repository)), _said(one.error, view)] for one in found.unread])


def _weakest(found: Overview, view: View) -> Iterator[str]:
    if found.weakest:
        yield view.heading("Weakest detectors", len(found.weakest))
        rows = [
            [Cell(one.key), Cell(f"risk {one.mean_risk:.2f}"), Cell(f"gaps in {one.with_gaps} of {one.repositories}")]
            for one in found.weakest
        ]
        yield from view.table(rows)


def _shared(found: Overview, view: View) -> Iterator[str]:
    if found.shared:
        yield view.heading("Shared across repositories", len(found.shared))
        yield from view.table([_shared_row(one, view) for one in found.shared])


def _shared_row(one: Shared, view: View) -> Sequence[Cell]:
    more = len(one.repositories) - NAMES
    names = ", ".join(one.repositories[:NAMES]) + (f" and {more} more" if more > 0 else "")
    return [Cell(one.what), Cell(view.style.safe(one.name)), Cell(f"in {len(one.repositories)}"), _said(names, view)]


def _changes(found: Overview, view: View) -> Iterator[str]:
    if len(found.past) < 2 or not (found.changes or found.moved):  # noqa: PLR2004 - this run, and the one before
        return
    new, fixed = (sum(one.change == word for one in found.changes) for word in ("new", "fixed"))
    yield view.heading(f"Since run {found.past[-2].run}") + f"  {new} new places, {fixed} fixed"
    yield from view.table([_moved(one, view) for one in found.moved])


def _moved(one: Moved, view: View) -> Sequence[Cell]:
    places = [f"{count} {word}" for count, word in ((one.new, "new"), (one.fixed, "fixed")) if count]
    health = [] if one.health_before == one.health_after else [view.style.mark(_healths(one))]
    error = [view.style.cut(one.error_after, 300)] if one.error_after else []
    return [Cell(view.style.safe(one.repository)), Cell(one.change), Cell(", ".join([*health, *places, *error]))]


def _healths(one: Moved) -> str:
    before, after = ("none" if value is None else f"{value:.2f}" for value in (one.health_before, one.health_after))
    return f"health {before} → {after}"


def _said(text: str, view: View) -> Cell:
    return Cell(view.style.cut(text, 300))


def _color(score: float) -> str:
    return GREEN if score >= FINE else YELLOW if score >= POOR else RED


def repositories(number: int) -> str:
    """How many repositories, in words."""
    return f"{number} {'repository' if number == 1 else 'repositories'}"


def table_text(columns: Sequence[str], rows: Iterable[Sequence[object]], style: Style) -> str:
    """The answer to a query, in aligned columns; nothing is cut."""
    made = [[Cell(style.safe(words(value))) for value in row] for row in rows]
    table = [[Cell(style.safe(name)) for name in columns], *made]
    widths = column_widths(table)
    lines = ["  ".join(pad(one.text, size) for one, size in zip(row, widths, strict=True)).rstrip() for row in table]
    return "\n".join([style.paint(lines[0], BOLD), *lines[1:]]) + "\n"
