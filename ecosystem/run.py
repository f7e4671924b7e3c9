"""`./dev ecosystem FOLDER`: precision and recall on real projects that were labelled by reading.

`./dev ecosystem --packs [ID …]` checks the framework packs against the libraries themselves, `./dev ecosystem --pairs
FOLDER` compares commits before and after a control was added (`--help` says more). `./dev ecosystem --counts` says
how many subjects of each detector were decided, by reading and by mutation; it needs no checkouts. `./dev ecosystem
--selection PROJECT …` holds what is said of projects against what is said when every file is parsed, `--orders PROJECT
…` against what is said when questions are asked in other orders. `./dev ecosystem --breadth FOLDER` holds what is found
in unlabelled projects beside a count by plain words. `./dev ecosystem --edges` holds the name layer against PyCG's
benchmark and CodeQL's tests, `./dev ecosystem --exports ID …` says which public names of packages no pack speaks of.

FOLDER holds one checkout a project, under its repository's own name. Nothing is fetched, and nothing of a project is
run.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from ecosystem import counts, label_text, labels, record, twins, verdict_text, verdicts
from ecosystem.checkouts import OTHER_COMMIT, Labelled, chosen, differs, pin
from ecosystem.found import found_in, system_of
from ecosystem.judged import Agreement, agree, said_of
from ecosystem.labels import LabelError, Labels, was_read
from ecosystem.measure import Measured, measure
from ecosystem.twins import Twins
from ecosystem.verdicts import Verdicts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

One = TypeVar("One", bound=Labelled)
Result = TypeVar("Result", Measured, Agreement)


ROOT: Final = Path(__file__).resolve().parent.parent
OTHERS: Final = {
    "--edges": "ecosystem.callgraph.run",
    "--exports": "ecosystem.exports.run",
    "--packs": "ecosystem.packs.run",
    "--pairs": "ecosystem.pairs",
    "--rewritten": "ecosystem.rewritten.run",
    "--orders": "ecosystem.orders",
    "--breadth": "ecosystem.breadth.run",
    "--sample": "ecosystem.sample",
    "--selection": "ecosystem.selection",
}
"""What else the command does, each by a module with a `main` of its own, which is imported when it is asked for."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; exit code 2 when a label file or a checkout cannot be used. `--packs`, `--pairs`, … do more.

    A checkout of another commit is named and left out, and the others are measured.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    for flag, module in OTHERS.items():
        if flag in given:
            given.remove(flag)
            return int(import_module(module).main(given))
    try:
        if "--counts" in given:
            print(counts.as_text(counts.counted(verdicts.read_all(), twins.read_all())))
            return 0
        return _run(_parser().parse_args(given))
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
    parser.add_argument("--record", type=Path, metavar="FILE", help="with --verdicts: write what was measured, by rule")
    parser.add_argument("--sheets", type=Path, metavar="FOLDER", help="the lists of a blind round")
    parser.add_argument("--pin", action="store_true", help="write the digests of the checkouts into the label files")
    return parser


def _run(options: argparse.Namespace) -> int:
    if options.pin:
        return _pin(options)
    if options.twins:
        twin_results, left_out = _measured(options, twins.read_all(), _of_twins)
        print(_twin_text(twin_results, options))
    elif options.verdicts:
        tool = record.commit_of(ROOT) if options.record else ""
        read = verdicts.read_all(options.sheets) if options.sheets else verdicts.read_all()
        results, left_out = _measured(options, read, _of_verdicts)
        print(_verdict_text(results, options))
        if options.record:
            names = tuple(f"{one.repository}@{one.commit[:12]}" for one in read if one.repository in results)
            text = record.as_toml(record.recorded(tool, names, left_out, results.values()))
            options.record.write_text(text, encoding="utf-8", newline="\n")
    else:
        written = labels.read_all(options.sheets) if options.sheets else labels.read_all()
        label_results, left_out = _measured(options, written, _of_labels)
        print(_label_text(label_results, options))
    for sentence in left_out:
        print(f"not measured: {sentence}", file=sys.stderr)
    return 2 if any(OTHER_COMMIT in sentence for sentence in left_out) else 0


def _pin(options: argparse.Namespace) -> int:
    """Note the digests of the checkouts that are there."""
    written: Sequence[Labelled]
    if options.twins:
        folder, written = twins.FOLDER, twins.read_all()
    elif options.verdicts:
        folder, written = verdicts.FOLDER, verdicts.read_all()
    else:
        folder, written = labels.FOLDER, labels.read_all()
    for one in chosen(written, options.project, options.folder)[0]:
        pin(one, options.folder, folder)
    return 0


def _measured(
    options: argparse.Namespace, written: Sequence[One], measured: Callable[[One, Path], tuple[Result, ...]]
) -> tuple[dict[str, Sequence[Result]], tuple[str, ...]]:
    """What was measured on the projects whose checkouts are there, and sentences about the others."""
    present, absent = chosen(written, options.project, options.folder)
    if not written:
        raise LabelError(f"no list is in {options.sheets}")
    if not present:
        raise LabelError(f"no project of the lists is in {options.folder}")
    results: dict[str, Sequence[Result]] = {}
    left_out = list[str]()
    for one in present:
        if sentence := differs(one, options.folder):
            left_out.append(sentence)
        else:
            results[one.repository] = measured(one, options.folder / one.name)
    left_out += [f"{one.repository} is not in {options.folder.name}" for one in absent]
    return results, tuple(left_out)


def _of_labels(one: Labels, root: Path) -> tuple[Measured, ...]:
    """Of a collection of samples, folders that were labelled are the application, and notebooks are left out."""
    found = found_in(system_of(root, with_examples=bool(one.folders)))
    return measure(one.labels, [each for each in found if was_read(each.place.path, one.folders)])


def _of_verdicts(one: Verdicts, root: Path) -> tuple[Agreement, ...]:
    said = said_of(system_of(root, with_examples=bool(one.folders)))
    return tuple(
        agree(sheet, [each for each in said[sheet.key] if was_read(each.place.path, one.folders)])
        for sheet in one.sheets
        if sheet.key in said
    )


def _of_twins(one: Twins, root: Path) -> tuple[Agreement, ...]:
    return tuple(found for made in one.rounds for found in twins.measured(made, root))


def _label_text(results: Mapping[str, Sequence[Measured]], options: argparse.Namespace) -> str:
    return label_text.as_json(results) if options.json else label_text.as_text(results, misses=options.misses)


def _verdict_text(results: Mapping[str, Sequence[Agreement]], options: argparse.Namespace) -> str:
    return verdict_text.as_json(results) if options.json else verdict_text.as_text(results, misses=options.misses)


def _twin_text(results: Mapping[str, Sequence[Agreement]], options: argparse.Namespace) -> str:
    return verdict_text.as_json(results) if options.json else verdict_text.twins_as_text(results, misses=options.misses)


if __name__ == "__main__":
    sys.exit(main())
