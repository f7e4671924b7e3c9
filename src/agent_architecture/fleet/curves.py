"""Trend lines over the runs of a store, as a section of HTML with an SVG drawing and the same numbers in a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.fleet.overview import AXES, SEVERITIES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_architecture.fleet.overview import Past

WIDTH, HEIGHT, EDGE = 800, 240, 40
RUNS: Final = 60
"""Runs that are drawn: the last ones."""
GRID: Final = (0, 25, 50, 75, 100)
SERIES: Final = ("health", *AXES)


def trend(past: Sequence[Past]) -> str:
    """The section; empty where there is one run alone."""
    shown = past[-RUNS:]
    if len(shown) < 2:  # noqa: PLR2004 - a line has two ends
        return ""
    lines = "".join(_line(name, shown) for name in SERIES)
    keys = "".join(
        f'<text class="{name}" x="{EDGE + place * 130}" y="{HEIGHT - 4}">{name}</text>'
        for place, name in enumerate(SERIES)
    )
    drawing = (
        f'<svg role="img" viewBox="0 0 {WIDTH} {HEIGHT}" aria-label="Mean health and axes by run">'
        f"{_grid()}{lines}{keys}</svg>"
    )
    head = "".join(f'<th scope="col">{name}</th>' for name in ("run", "repositories", "not read", *SERIES, *SEVERITIES))
    rows = "\n".join(_row(one) for one in reversed(shown))
    return (
        f'<section><h2>Trend</h2>{drawing}<div class="wide"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div></section>"
    )


def _grid() -> str:
    return "".join(
        f'<line class="grid" x1="{EDGE}" x2="{WIDTH - 10}" y1="{_y(score):g}" y2="{_y(score):g}"/>'
        f'<text class="axis" x="4" y="{_y(score) + 4:g}">{score}</text>'
        for score in GRID
    )


def _line(name: str, past: Sequence[Past]) -> str:
    step = (WIDTH - 10 - EDGE) / (len(past) - 1)
    points = [
        f"{EDGE + place * step:.1f},{_y(value):.1f}"
        for place, one in enumerate(past)
        if (value := _score(one, name)) is not None
    ]
    return f'<polyline class="curve {name}" points="{" ".join(points)}"/>' if points else ""


def _score(one: Past, name: str) -> float | None:
    """A score from 0 to 100; health is drawn as a percentage."""
    value: float | None = getattr(one, name)
    return value if value is None or name != "health" else value * 100


def _y(score: float) -> float:
    return HEIGHT - EDGE - score / 100 * (HEIGHT - EDGE - 16)


def _row(one: Past) -> str:
    scores = [f"{value:.0f}" if (value := _score(one, name)) is not None else "" for name in SERIES]
    counts = [one.repositories, one.errors, *scores, *(getattr(one, severity) for severity in SEVERITIES)]
    cells = "".join(f'<td class="number">{value}</td>' for value in counts)
    return f'<tr><th scope="row">{one.run} ({one.started:%Y-%m-%d})</th>{cells}</tr>'
