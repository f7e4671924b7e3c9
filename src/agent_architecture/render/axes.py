"""The four axes as bars, the scores over the applicable detectors alone, and health. It computes no score."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from agent_architecture.render.style import BOLD, DIM, GREEN, RED, YELLOW
from agent_architecture.render.view import View

if TYPE_CHECKING:
    from agent_architecture.scoring import AxisScore, Scores

FULL: Final = 100
BAR: Final = 16
NARROW_BAR: Final = 10
NARROW: Final = 80
"""Below this width the bars are short and each remark has its own line."""
FINE: Final = 80
POOR: Final = 50
"""Where a bar turns from green to yellow, and to red: the bands Medium and High begin at the risks 0.2 and 0.5."""


def axes(scores: Scores, view: View) -> Iterator[str]:
    """The lines of the section."""
    yield view.heading("Scores")
    size = max((len(axis.axis) for axis in scores.axes), default=0)
    for axis in scores.axes:
        yield from _axis(axis, size, view)
    health = view.style.paint(f"{scores.health:.2f}", BOLD, _color(scores.health * FULL))
    weakest = view.style.paint(f"weakest axis {scores.weakest:.2f}", DIM)
    yield f"  {'health':{size}}  {health}  {weakest}"


def _axis(axis: AxisScore, size: int, view: View) -> Iterator[str]:
    wide = view.width >= NARROW
    cells = BAR if wide else NARROW_BAR
    line = f"  {axis.axis:{size}}  {_bar(axis.score, cells, view)} {axis.score:5.1f}"
    if not axis.applicable:  # a full bar would praise what nobody looked at
        line = view.style.paint(f"  {axis.axis:{size}}  {view.style.mark('░') * cells} {axis.score:5.1f}", DIM)
    if wide:
        yield f"{line}   {view.style.paint(_remark(axis), DIM)}"
        return
    yield line
    yield from (view.style.paint(text, DIM) for text in view.prose(_remark(axis), " " * (size + 4)))


def _remark(axis: AxisScore) -> str:
    if not axis.detectors:
        return "no detector written yet"
    counted = f"{axis.applicable} of {axis.detectors} applicable"
    return counted if axis.applicable_score is None else f"{counted} ({axis.applicable_score:.1f} over these)"


def _bar(score: float, width: int, view: View) -> str:
    """A bar that is full only at 100, and empty only at 0."""
    filled = round(score / FULL * width)
    if 0 < score < FULL:
        filled = min(max(filled, 1), width - 1)
    full, rest = view.style.mark("█"), view.style.mark("░")
    return view.style.paint(full * filled, _color(score)) + view.style.paint(rest * (width - filled), DIM)


def _color(score: float) -> str:
    if score >= FINE:
        return GREEN
    return YELLOW if score >= POOR else RED
