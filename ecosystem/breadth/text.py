"""The table of a breadth run: entities of the model, and in brackets what the count saw and the model has not."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from ecosystem.breadth.results import OK, Result

if TYPE_CHECKING:
    from collections.abc import Sequence

KINDS: Final = ("site", "server", "agent", "tool", "request")
DEGREES: Final = ("resolved", "inferred", "guessed")
WIDTH: Final = 40
COLUMN: Final = 16


def as_text(results: Sequence[Result], *, misses: bool) -> str:
    """A line a project, then totals; with `misses` the lines of code below each project."""
    lines = [f"{'project':<{WIDTH}}" + "".join(f"{kind + 's':>{COLUMN}}" for kind in KINDS)]
    for one in sorted(results, key=lambda one: one.project):
        lines.append(_line(one))
        if misses:
            lines += [f"    {each['what']:<18} {each['place']}  {each['text']}" for each in one.missing]
    return "\n".join([*lines, "", *_totals(results)])


def _line(one: Result) -> str:
    if one.status != OK:
        return f"{one.project:<{WIDTH}}  {one.status}: {one.message}"
    cells = "".join(f"{_cell(one, kind):>{COLUMN}}" for kind in KINDS)
    return f"{one.project:<{WIDTH}}{cells}{'  silent' if one.silent else ''}"


def _cell(one: Result, kind: str) -> str:
    missed = one.missed(kind)
    seen = f" ({missed} of {one.kinds[kind]})" if missed else ""
    return f"{one.number(kind)}{seen}"


def _totals(results: Sequence[Result]) -> list[str]:
    read = [one for one in results if one.status == OK]
    lines = [f"{'kind':<12}" + "".join(f"{degree:>10}" for degree in DEGREES) + f"{'counted':>10}{'not found':>11}"]
    for kind in KINDS:
        degrees = "".join(f"{_of_degree(read, kind, degree):>10}" for degree in DEGREES)
        counted = sum(one.kinds.get(kind, 0) for one in read)
        missed = sum(one.missed(kind) for one in read)
        beside = f"{counted:>10}{missed:>11}" if counted else ""
        lines.append(f"{kind:<12}{degrees}{beside}")
    forms = Counter[str]()
    for one in read:
        forms.update(one.seen)
    missing = Counter(each["what"] for one in read for each in one.missing)
    lines += [f"  {what}: {number} counted, {missing[what]} not found" for what, number in sorted(forms.items())]
    silent = [one.project for one in read if one.silent]
    unread = len(results) - len(read)
    lines.append(
        f"breadth: {len(read)} projects read, {unread} not, {len(silent)} silent where the count saw something"
    )
    return lines


def _of_degree(results: Sequence[Result], kind: str, degree: str) -> int:
    return sum(one.entities.get(kind, {}).get(degree, 0) for one in results)
