"""`./dev ecosystem FOLDER`: precision and recall on real projects that were labelled by reading.

`./dev ecosystem --packs [ID …]` checks the framework packs against the libraries themselves, `./dev ecosystem --pairs
FOLDER` compares commits before and after a control was added (`--help` says more).

FOLDER holds one checkout a project, under its repository's own name. Nothing is fetched, and nothing of a project is
run.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ecosystem import labels, twins, verdict_text, verdicts
from ecosystem.checkouts import Labelled, chosen, pin, verify
from ecosystem.found import found_in, system_of
from ecosystem.judged import Agreement, agree, said_of
from ecosystem.labels import COUNTED, LabelError, Labels
from ecosystem.measure import Measured, measure, together
from ecosystem.verdicts import Verdicts

if TYPE_CHECKING:
    from collections.abc import Sequence

Results = dict[str, tuple[Measured, ...]]
WIDTH: Final = 44


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; exit code 2 when a label file or a checkout cannot be used. `--packs` and `--pairs` do other work."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if "--packs" in given:
        from ecosystem.packs.run import main as check_packs

        given.remove("--packs")
        return check_packs(given)
    if "--pairs" in given:
        from ecosystem.pairs import main as compare_pairs

        given.remove("--pairs")
        return compare_pairs(given)
    options = _parser().parse_args(given)
    try:
        work = _twins if options.twins else _verdicts if options.verdicts else _labels
        return work(options)
    except LabelError as error:
        print(f"ecosystem: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="./dev ecosystem", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the checkouts are")
    parser.add_argument("--project", action="append", default=[], help="only this one (may be repeated)")
    parser.add_argument("--verdicts", action="store_true", help="measure the detectors, not what they judge")
    parser.add_argument("--twins", action="store_true", help="measure them on copies with a control more or less")
    parser.add_argument("--misses", action="store_true", help="list what is missed, false, and a wrong limit")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--pin", action="store_true", help="write the digests of the checkouts into the label files")
    return parser


def _labels(options: argparse.Namespace) -> int:
    present, absent = chosen(labels.read_all(), options.project, options.folder)
    for one in present:
        pin(one, options.folder, labels.FOLDER) if options.pin else verify(one, options.folder)
    results = {} if options.pin else {one.repository: _measured(one, options.folder / one.name) for one in present}
    if not options.pin:
        print(as_json(results) if options.json else as_text(results, misses=options.misses))
    return _say_absent(absent, options.folder)


def _measured(labelled: Labels, root: Path) -> tuple[Measured, ...]:
    """Of a collection of samples, folders that were labelled are the application, and notebooks are left out."""
    found = found_in(system_of(root, with_examples=bool(labelled.folders)))
    return measure(labelled.labels, [one for one in found if _was_read(one.place.path, labelled.folders)])


def _was_read(path: str, folders: tuple[str, ...]) -> bool:
    return not folders or (path.startswith(folders) and not path.endswith(".ipynb"))


def _verdicts(options: argparse.Namespace) -> int:
    present, absent = chosen(verdicts.read_all(), options.project, options.folder)
    for one in present:
        pin(one, options.folder, verdicts.FOLDER) if options.pin else verify(one, options.folder)
    results = {} if options.pin else {one.repository: _agreements(one, options.folder / one.name) for one in present}
    if not options.pin:
        print(verdict_text.as_text(results, misses=options.misses))
    return _say_absent(absent, options.folder)


def _agreements(one: Verdicts, root: Path) -> tuple[Agreement, ...]:
    said = said_of(system_of(root))
    return tuple(agree(sheet, said[sheet.key]) for sheet in one.sheets if sheet.key in said)


def _twins(options: argparse.Namespace) -> int:
    present, absent = chosen(twins.read_all(), options.project, options.folder)
    results: dict[str, tuple[Agreement, ...]] = {}
    for one in present:
        if options.pin:
            pin(one, options.folder, twins.FOLDER)
            continue
        verify(one, options.folder)
        checkout = options.folder / one.name
        results[one.repository] = tuple(found for made in one.rounds for found in twins.measured(made, checkout))
    if not options.pin:
        print(verdict_text.twins_as_text(results, misses=options.misses))
    return _say_absent(absent, options.folder)


def _say_absent(absent: Sequence[Labelled], folder: Path) -> int:
    for one in absent:
        print(f"not measured: {one.repository} is not in {folder}", file=sys.stderr)
    return 0


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
