"""`./dev ecosystem FOLDER`: precision and recall on real projects that were labelled by reading.

`./dev ecosystem --packs [ID …]` checks the framework packs against the libraries themselves (`--help` says more).

FOLDER holds one checkout a project, under its repository's own name. Nothing is fetched, and nothing of a project is
run.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ecosystem.found import found_in, system_of
from ecosystem.labels import COUNTED, FOLDER, LabelError, Labels, digest_of, read_all
from ecosystem.measure import Measured, measure, together

if TYPE_CHECKING:
    from collections.abc import Sequence

Results = dict[str, tuple[Measured, ...]]
WIDTH: Final = 44


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; exit code 2 when a label file or a checkout cannot be used. With `--packs`, check packs instead."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if "--packs" in given:
        from ecosystem.packs.run import main as check_packs

        given.remove("--packs")
        return check_packs(given)
    parser = argparse.ArgumentParser(prog="./dev ecosystem", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the checkouts are")
    parser.add_argument("--project", action="append", default=[], help="only this one (may be repeated)")
    parser.add_argument("--misses", action="store_true", help="list what is missed, false, and a wrong limit")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--pin", action="store_true", help="write the digests of the checkouts into the label files")
    options = parser.parse_args(given)
    try:
        chosen = [one for one in read_all() if not options.project or one.name in options.project]
        present = [one for one in chosen if (options.folder / one.name).is_dir()]
        for one in present:
            _pin(one, options.folder) if options.pin else _verify(one, options.folder)
    except LabelError as error:
        print(f"ecosystem: {error}", file=sys.stderr)
        return 2
    if options.pin:
        return 0
    results: Results = {
        one.repository: measure(one.labels, found_in(system_of(options.folder / one.name))) for one in present
    }
    print(as_json(results) if options.json else as_text(results, misses=options.misses))
    for one in chosen:
        if one not in present:
            print(f"not measured: {one.repository} is not in {options.folder}", file=sys.stderr)
    return 0


def _verify(labels: Labels, folder: Path) -> None:
    if labels.digest and digest_of(labels, folder / labels.name) != labels.digest:
        raise LabelError(f"{labels.repository}: the checkout is not at {labels.commit[:12]}")


def _pin(labels: Labels, folder: Path) -> None:
    path = FOLDER / (labels.repository.replace("/", "__") + ".toml")
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("digest = ")]
    place = next(number for number, line in enumerate(lines) if line.startswith("commit = "))
    lines.insert(place + 1, f'digest = "{digest_of(labels, folder / labels.name)}"')
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


# -------------------------------------------------------------------------------------------------------------- output
def as_text(results: Results, *, misses: bool) -> str:
    """A table a project, and one for all together."""
    parts = [_table(name, measured, misses=misses) for name, measured in results.items()]
    if len(results) > 1:
        parts.append(_table("all", totals(results), misses=False))
    return "\n\n".join(parts)


def totals(results: Results) -> tuple[Measured, ...]:
    """Every kind over all projects."""
    return tuple(together([measured[number] for measured in results.values()]) for number in range(len(COUNTED)))


def _table(name: str, measured: tuple[Measured, ...], *, misses: bool) -> str:
    lines = [f"{name:<{WIDTH}}{'right':>6}{'missed':>8}{'false':>7}{'recall':>8}{'precision':>11}"]
    for one in measured:
        if one.right or one.missed or one.false:
            counts = f"{len(one.right):>6}{len(one.missed):>8}{len(one.false):>7}"
            lines.append(f"  {one.kind:<{WIDTH - 2}}{counts}{_share(one.recall):>8}{_share(one.precision):>11}")
    sites = measured[0]
    if sites.limits:
        good = len(sites.limits) - len(sites.wrong_limits)
        lines.append(f"  {'step limit':<{WIDTH - 2}}{good:>6} of {len(sites.limits)}")
    return "\n".join([*lines, *(_misses(measured) if misses else ())])


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.2f}"


def _misses(measured: tuple[Measured, ...]) -> list[str]:
    lines: list[str] = []
    for one in measured:
        lines += [f"    missed {one.kind:<8} {label.places[0]}  {label.what}" for label in one.missed]
        lines += [f"    false  {one.kind:<8} {found.place}  {found.what}" for found in one.false]
        lines += [
            f"    limit  {label.places[0]}  labelled {label.limit!r}, found {found.limit!r}"
            for label, found in one.wrong_limits
        ]
    return lines


def as_json(results: Results) -> str:
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


if __name__ == "__main__":
    sys.exit(main())
