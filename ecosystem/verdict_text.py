"""How far detectors and readers agree, as a table: a line a detector, and one for each group."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from agent_architecture.contract import scalars
from ecosystem.judged import Agreement, together

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ecosystem.judged import Said
    from ecosystem.verdicts import Decided

WIDTH: Final = 44
HEAD: Final = f"{'right':>6}{'missed':>8}{'false':>7}{'recall':>8}{'precision':>11}{'controlled':>12}{'grades':>9}"


def as_text(results: Mapping[str, Sequence[Agreement]], *, misses: bool) -> str:
    """A table a project, and one for all together with its groups."""
    parts = [_table(name, agreements, misses=misses) for name, agreements in results.items()]
    every = [one for agreements in results.values() for one in agreements]
    if len(results) > 1:
        parts.append(_table("all", [*_by_detector(every), *_by_group(every)], misses=False))
    return "\n\n".join(parts)


def twins_as_text(results: Mapping[str, Sequence[Agreement]], *, misses: bool) -> str:
    """What the tool says of edited copies: a line a detector, over all of them."""
    every = [one for agreements in results.values() for one in agreements]
    lines = [f"{'twins':<{WIDTH}}{'right of':>12}{'gaps':>12}{'controlled':>12}"]
    for one in _by_detector(every):
        gaps, safe = len(one.right), len(one.controlled)
        of_gaps, of_safe = gaps + len(one.missed), safe + len(one.unseen) + len(one.false)
        counts = (f"{gaps + safe} of {of_gaps + of_safe}", f"{gaps} of {of_gaps}", f"{safe} of {of_safe}")
        lines.append(f"  {one.key:<{WIDTH - 2}}" + "".join(f"{count:>12}" for count in counts))
    if misses:
        for name, agreements in results.items():
            lines += [f"{name} {one.key}\n{line}" for one in agreements for line in _misses(one)]
    return "\n".join(lines)


def as_json(results: Mapping[str, Sequence[Agreement]]) -> str:
    """The figures for programs: counts, shares, and the places of what is wrong, by project and detector."""
    return json.dumps(
        {
            name: {
                one.key: {
                    "right": len(one.right),
                    "missed": [str(decided.places[0]) for decided, _ in one.missed],
                    "false": [str(said.place) for _, said in one.false],
                    "recall": one.recall,
                    "precision": one.precision,
                    "controlled": len(one.controlled),
                    "unseen": [str(decided.places[0]) for decided, _ in one.unseen],
                    "wrong_grades": [str(decided.places[0]) for decided, _ in one.wrong_grades],
                }
                for one in agreements
            }
            for name, agreements in results.items()
        },
        indent=2,
    )


def _by_detector(every: Sequence[Agreement]) -> Iterator[Agreement]:
    for key in scalars():
        of_key = [one for one in every if one.key == key]
        if of_key:
            yield together(of_key, key)


def _by_group(every: Sequence[Agreement]) -> Iterator[Agreement]:
    groups = {key: scalar.group for key, scalar in scalars().items()}
    for group in dict.fromkeys(groups.values()):
        of_group = [one for one in every if groups[one.key] == group]
        if of_group:
            yield together(of_group, f"group {group}")


def _table(name: str, agreements: Sequence[Agreement], *, misses: bool) -> str:
    lines = [f"{name:<{WIDTH}}{HEAD}"]
    for one in agreements:
        counts = f"{len(one.right):>6}{len(one.missed):>8}{len(one.false):>7}"
        shares = f"{share_text(one.recall):>8}{share_text(one.precision):>11}"
        safe = f"{len(one.controlled)} of {len(one.controlled) + len(one.unseen)}"
        grades = f"{len(one.right) - len(one.wrong_grades)} of {len(one.right)}"
        lines.append(f"  {one.key:<{WIDTH - 2}}{counts}{shares}{safe:>12}{grades:>9}")
        lines.extend(_misses(one) if misses else ())
    return "\n".join(lines)


def share_text(share: float | None) -> str:
    """A share as people read it; a dash where there is nothing to share."""
    return "-" if share is None else f"{share:.2f}"


def _misses(one: Agreement) -> Iterator[str]:
    yield from (_line("missed", pair) for pair in one.missed)
    yield from (_line("false", pair) for pair in one.false)
    yield from (_line("unseen", pair) for pair in one.unseen)
    yield from (_line("grade", pair) for pair in one.wrong_grades)


def _line(what: str, pair: tuple[Decided | None, Said | None]) -> str:
    decided, said = pair
    place = decided.places[0] if decided is not None else said.place if said is not None else ""
    labelled = "no subject" if decided is None else _grade(decided.outcome, decided.risk)
    found = "not found" if said is None else f"{_grade(said.outcome, said.risk)}: {said.reason}"
    name = decided.name if decided is not None and decided.name else said.name if said is not None else ""
    return f"    {what:<7} {place}  {name}  labelled {labelled}, found {found}"


def _grade(outcome: str, risk: float | None) -> str:
    return str(outcome) if risk is None else f"{outcome} {risk:.2g}"
