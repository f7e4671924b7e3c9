"""`./dev ecosystem --sample SEED PROJECT…`: verdicts for readers to judge, drawn with a seed from what is said.

All detectors are drawn from in turn, so that the rare ones are judged, too; within one every verdict is as likely as
the others. What comes out is TOML: a reader who knows the specification, and not this code, writes `true`, `false` or
`debatable` behind each `judged`. `--judged FILE…` counts what readers wrote: precision of gaps and of controlled
subjects (debatable ones count neither way), by confidence, and by detector where one is false; with `--record ROUND…`
the counts of each rule are kept in `ecosystem/statements`, for the blind rounds of these names.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from agent_architecture.contract import scalars
from agent_architecture.detector import Outcome
from agent_architecture.model.confidence import Confidence
from ecosystem import record
from ecosystem.found import system_of
from ecosystem.judged import GAPS, Said, said_of
from ecosystem.labels import LabelError, table_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ecosystem.record import Counts, Grades, Record

DRAWN: Final = {"gap": 120, "controlled": 60}
"""How many are drawn of each kind (the issue that asked for rounds on whole reports)."""
WORDS: Final = ("true", "false", "debatable")
ENOUGH: Final = 5
"""Judged gaps from which a detector's own precision says something."""


class One(NamedTuple):
    """A verdict about one project."""

    kind: str
    project: str
    key: str
    said: Said


def main(arguments: Sequence[str]) -> int:
    """Draw, or count what was judged. Exit code 2 where a file cannot be used."""
    parser = argparse.ArgumentParser(prog="./dev ecosystem --sample", description=__doc__)
    parser.add_argument("seed", nargs="?", help="the seed of the draw")
    parser.add_argument("projects", nargs="*", type=Path, help="checkouts")
    parser.add_argument("--judged", nargs="+", type=Path, metavar="FILE", help="count what readers wrote")
    parser.add_argument(
        "--record", nargs="+", metavar="ROUND", help="keep the counts of what was judged of these rounds"
    )
    options = parser.parse_args(arguments)
    if not options.judged and not options.projects:
        parser.error("a seed and checkouts, or --judged FILE")
    try:
        if options.judged:
            entries = [entry for file in options.judged for entry in _entries(file)]
            print(counted(entries))
            if options.record:
                _keep(options.record, entries)
        else:
            print(as_toml(options.seed, drawn(options.seed, _every(options.projects))), end="")
    except LabelError as error:
        print(f"ecosystem: {error}", file=sys.stderr)
        return 2
    return 0


def _every(projects: Iterable[Path]) -> list[One]:
    """Every gap and every controlled subject that is reported, by project, detector and place."""
    every = list[One]()
    for root in projects:
        for key, listed in said_of(system_of(root)).items():
            for said in listed:
                kind = "gap" if said.outcome in GAPS else "controlled"
                if said.outcome is not Outcome.UNKNOWN:
                    every.append(One(kind, root.name, key, said))
    return every


def drawn(seed: str, every: Sequence[One]) -> tuple[One, ...]:
    """What is judged of these: of each kind as many as `DRAWN` says, one detector after the other, in order by seed."""
    found = list[One]()
    for kind, wanted in DRAWN.items():
        draw = random.Random(f"{seed} {kind}")  # noqa: S311 - an order, no secret
        piles: dict[str, list[One]] = {}
        for one in sorted((one for one in every if one.kind == kind), key=_order):
            piles.setdefault(one.key, []).append(one)
        for pile in piles.values():
            draw.shuffle(pile)
        keys = list(piles)
        draw.shuffle(keys)
        rounds = max(map(len, piles.values()), default=0)
        found += [piles[key][turn] for turn in range(rounds) for key in keys if turn < len(piles[key])][:wanted]
    return tuple(sorted(found, key=_order))


def _order(one: One) -> tuple[object, ...]:
    return (one.kind, one.project, one.key, one.said.place, one.said.name, one.said.reason)


def as_toml(seed: str, sample: Iterable[One]) -> str:
    """The sample, for readers to fill in."""
    parts = [f"# Drawn with the seed {json.dumps(seed)}. judged: {', '.join(WORDS)}."]
    for one in sample:
        risk = "" if one.said.risk is None else f"risk = {one.said.risk}\n"
        parts.append(
            f"[[{one.kind}]]\nproject = {json.dumps(one.project)}\nkey = {json.dumps(one.key)}\n"
            f"at = {json.dumps(str(one.said.place))}\nname = {json.dumps(one.said.name)}\n{risk}"
            f"reason = {json.dumps(one.said.reason)}\nconfidence = {json.dumps(str(one.said.confidence))}\n"
            'judged = ""\nwhy = ""'
        )
    return "\n\n".join(parts) + "\n"


def _entries(file: Path) -> list[tuple[str, Mapping[str, Any]]]:
    """What a reader judged, by kind. Raises `LabelError` where a verdict is judged by no word that there is."""
    table = table_of(file)
    found = [(kind, entry) for kind in DRAWN for entry in table.get(kind, [])]
    for kind, entry in found:
        if entry.get("judged") not in WORDS:
            place = f"{entry.get('key')} of {entry.get('project')} at {entry.get('at')}"
            raise LabelError(f"{file.name}: {kind} {place}: 'judged' is one of {', '.join(WORDS)}")
    return found


def _keep(rounds: Sequence[str], judged: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
    """Write the record of what was judged. Raises `LabelError` where a round is not written down."""
    written = {one["name"]: one for one in record.rounds()}
    if unknown := set(rounds) - written.keys():
        raise LabelError(f"{record.ROUNDS.name}: no round is called {', '.join(sorted(unknown))}")
    found = recorded([written[name] for name in rounds], judged)
    file = record.STATEMENTS / f"{'-'.join(rounds)}.toml"
    file.write_text(record.as_toml(found, record.HEAD_OF_STATEMENTS), encoding="utf-8", newline="\n")


def recorded(rounds: Sequence[Mapping[str, Any]], judged: Sequence[tuple[str, Mapping[str, Any]]]) -> Record:
    """The counts of what was judged, by rule; date and commit are those of the first round."""
    projects = tuple(project for one in rounds for project in one["projects"])
    counts = {key: _counts([(kind, entry) for kind, entry in judged if entry["key"] == key]) for key in scalars()}
    found = {key: one for key, one in counts.items() if one != record.Counts()}
    return record.Record(rounds[0]["date"], rounds[0]["tool"], projects, (), found)


def _counts(judged: Sequence[tuple[str, Mapping[str, Any]]]) -> Counts:
    words = Counter((kind, entry["judged"], entry["confidence"]) for kind, entry in judged)

    def graded(kind: str, word: str) -> Grades:
        high, medium, low = (words[kind, word, str(confidence)] for confidence in Confidence)
        return high, medium, low

    return record.Counts(
        right=graded("gap", "true"),
        false=graded("gap", "false"),
        controlled=graded("controlled", "true"),
        denied=graded("controlled", "false"),
    )


def counted(judged: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    """Precision by kind and confidence, and each detector that has a false verdict."""
    lines = list[str]()
    for kind in DRAWN:
        mine = [entry for each, entry in judged if each == kind]
        lines.append(_line(kind, mine))
        for name in sorted({str(entry.get("confidence")) for entry in mine}):
            lines.append(_line(f"  {name}", [entry for entry in mine if str(entry.get("confidence")) == name]))
        for key in sorted({entry["key"] for entry in mine if entry["judged"] == "false"}):
            one = [entry for entry in mine if entry["key"] == key]
            lines.append(_line(f"  {key}", one) + ("" if len(one) >= ENOUGH else "  (few)"))
    return "\n".join(lines)


def _line(name: str, entries: Sequence[Mapping[str, Any]]) -> str:
    words = Counter(entry["judged"] for entry in entries)
    sure = words["true"] + words["false"]
    share = f"{words['true'] / sure:.2f}" if sure else "-"
    return f"{name:<46}" + "".join(f"{words[word]:>5} {word}" for word in WORDS) + f"   precision {share}"
