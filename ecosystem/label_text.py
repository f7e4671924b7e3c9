"""How far labels and the tool agree: a table a project for people, and JSON for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from ecosystem.labels import COUNTED
from ecosystem.measure import Measured, together
from ecosystem.verdict_text import share_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WIDTH: Final = 44


def as_text(results: Mapping[str, Sequence[Measured]], *, misses: bool) -> str:
    """A table a project, and one for all together."""
    parts = [_table(name, measured, misses=misses) for name, measured in results.items()]
    if len(results) > 1:
        parts.append(_table("all", totals(results), misses=False))
    return "\n\n".join(parts)


def totals(results: Mapping[str, Sequence[Measured]]) -> tuple[Measured, ...]:
    """Every kind over all projects."""
    return tuple(together([measured[number] for measured in results.values()]) for number in range(len(COUNTED)))


def _table(name: str, measured: Sequence[Measured], *, misses: bool) -> str:
    lines = [f"{name:<{WIDTH}}{'right':>6}{'missed':>8}{'false':>7}{'recall':>8}{'precision':>11}"]
    for one in measured:
        if one.right or one.missed or one.false:
            counts = f"{len(one.right):>6}{len(one.missed):>8}{len(one.false):>7}"
            lines.append(f"  {one.kind:<{WIDTH - 2}}{counts}{share_text(one.recall):>8}{share_text(one.precision):>11}")
    sites = measured[0]
    if sites.limits:
        good = len(sites.limits) - len(sites.wrong_limits)
        lines.append(f"  {'step limit':<{WIDTH - 2}}{good:>6} of {len(sites.limits)}")
    return "\n".join([*lines, *(_misses(measured) if misses else ())])


def _misses(measured: Sequence[Measured]) -> list[str]:
    lines: list[str] = []
    for one in measured:
        lines += [f"    missed {one.kind:<8} {label.places[0]}  {label.what}" for label in one.missed]
        lines += [f"    false  {one.kind:<8} {found.place}  {found.what}" for found in one.false]
        lines += [
            f"    limit  {label.places[0]}  labelled {label.limit!r}, found {found.limit!r}"
            for label, found in one.wrong_limits
        ]
    return lines


def as_json(results: Mapping[str, Sequence[Measured]]) -> str:
    """The figures for programs: counts, shares, and the places of what is wrong."""
    return json.dumps(
        {
            name: {
                one.kind: {
                    "right": len(one.right),
                    "missed": [str(label.places[0]) for label in one.missed],
                    "false": [str(found.place) for found in one.false],
                    "recall": one.recall,
                    "precision": one.precision,
                    "limits": len(one.limits),
                    "wrong_limits": [str(label.places[0]) for label, _ in one.wrong_limits],
                }
                for one in measured
            }
            for name, measured in results.items()
        },
        indent=2,
    )
