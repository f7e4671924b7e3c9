"""`./dev ecosystem --pairs FOLDER`: commits that added a control, before and after: the risk has to fall.

FOLDER holds git repositories, as `<owner>+<name>` or `<owner>+<name>/repo`. The pairs are in `pairs.toml`:
repositories, commits and folders, never code. What was measured last stands in `pairs.txt`, a line for each detector
of each pair; `--write` writes the lines of what is measured now.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from agent_architecture.detector import Detector
from agent_architecture.registry import judge, load
from agent_architecture.scoring import ScoringConfig, score
from ecosystem.found import system_of
from ecosystem.trees import TreeError, write_tree

FILE: Final = Path(__file__).resolve().parent / "pairs.toml"
TABLE: Final = FILE.with_suffix(".txt")


class Direction(StrEnum):
    """What the commit did to the risk, as its reader says."""

    LOWER = "lower"
    SAME = "same"
    HIGHER = "higher"


class Pair(NamedTuple):
    """Two commits of a repository, and the detectors whose risk they change or, as a trap, do not."""

    repository: str
    before: str
    after: str
    detectors: tuple[str, ...]
    direction: Direction
    folder: str
    """What is scanned; "" for the whole repository."""
    why: str
    unseen: Mapping[str, str]
    """The detectors whose definition does not see what the commit did, and why."""

    @property
    def name(self) -> str:
        """Which commits of which repository and folder."""
        return f"{self.repository} {self.before[:12]}..{self.after[:12]} {self.folder}".rstrip()


class Measured(NamedTuple):
    """A detector's risk in both commits."""

    pair: Pair
    key: str
    before: float
    after: float

    @property
    def direction(self) -> Direction:
        """Where the risk went."""
        if self.before == self.after:
            return Direction.SAME
        return Direction.LOWER if self.after < self.before else Direction.HIGHER

    @property
    def outcome(self) -> str:
        """`right`, `unseen` where nothing moved and the pair says why, else `wrong`: also what is seen by now."""
        unseen = self.key in self.pair.unseen
        expected = Direction.SAME if unseen else self.pair.direction
        return "wrong" if self.direction is not expected else "unseen" if unseen else "right"


def read(path: Path = FILE) -> tuple[Pair, ...]:
    """The pairs. Raises `ValueError` in a sentence for one that cannot be used."""
    found = []
    for number, entry in enumerate(tomllib.loads(path.read_text("utf-8"))["pair"], 1):
        try:
            found.append(_pair(entry))
        except (KeyError, ValueError) as error:
            raise ValueError(f"{path.name}: pair {number}: {error}") from None
    return tuple(found)


def _pair(entry: Mapping[str, str | list[str] | dict[str, str]]) -> Pair:
    texts = {key: value for key, value in entry.items() if isinstance(value, str)}
    keys, unseen = tuple(str(key) for key in entry["detectors"]), entry.get("unseen", {})
    if not isinstance(unseen, dict) or not unseen.keys() <= set(keys):
        raise ValueError("unseen gives reasons to detectors of the pair")
    return Pair(
        texts["repository"],
        texts["before"],
        texts["after"],
        keys,
        Direction(texts.get("risk", Direction.LOWER)),
        texts.get("folder", ""),
        texts.get("why", ""),
        unseen,
    )


def measured(pair: Pair, repository: Path) -> tuple[Measured, ...]:
    """The risks of a pair's detectors, of those that are written. Raises `TreeError`."""
    detectors = [detector for detector in load() if detector.key in pair.detectors]
    if not detectors:  # two whole commits would be read for nothing
        return ()
    before, after = (_risks(repository, commit, pair.folder, detectors) for commit in (pair.before, pair.after))
    return tuple(Measured(pair, key, before[key], after[key]) for key in pair.detectors if key in before)


def _risks(repository: Path, commit: str, folder: str, detectors: Sequence[Detector]) -> dict[str, float]:
    """These detectors' risks in a commit, from 0 to 1 whichever way a score counts."""
    with tempfile.TemporaryDirectory(prefix="agent-architecture-pair-") as target:
        write_tree(repository, commit, folder, Path(target))
        system = system_of(Path(target))
        scores = score(judge(detectors, system), ScoringConfig(), has_sites=bool(system.sites))
        return {metric.key.rpartition(".")[2]: metric.risk for metric in scores.metrics}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; exit code 1 when a risk went elsewhere than its reader says, 2 when nothing could be measured."""
    parser = argparse.ArgumentParser(prog="./dev ecosystem --pairs", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the git repositories are")
    parser.add_argument("--project", action="append", default=[], help="only this repository's (may be repeated)")
    parser.add_argument("--write", type=Path, nargs="?", const=TABLE, help=f"write what is measured ({TABLE.name})")
    options = parser.parse_args(arguments)
    every = read()
    results: list[Measured] = []
    for pair in every:
        if options.project and pair.repository.partition("/")[2] not in options.project:
            continue
        try:
            found = measured(pair, _repository(options.folder, pair.repository))
        except TreeError as error:
            print(f"not measured: {error}", file=sys.stderr)
            continue
        for one in found:
            print(_line(one) + _said(one), flush=True)
        results += found
    if options.write:
        write(every, results, options.write)
    counts = Counter(one.outcome for one in results)
    print(f"pairs: {len(results) - counts['wrong']} of {len(results)} as their readers say, {counts['unseen']} unseen")
    return 2 if not results else int(counts["wrong"] > 0)


def write(pairs: Sequence[Pair], results: Sequence[Measured], table: Path) -> None:
    """Put what was measured into the table, in the order of the pairs; the other pairs keep their lines."""
    known = rows(table) | {(one.key, one.pair.name): _line(one) for one in results}
    wanted = [(key, pair.name) for pair in pairs for key in pair.detectors]
    table.write_text("".join(known[row] + "\n" for row in wanted if row in known), encoding="utf-8")


def rows(table: Path = TABLE) -> dict[tuple[str, str], str]:
    """The lines of the table, by detector and pair."""
    lines = table.read_text("utf-8").splitlines() if table.is_file() else []
    return {(line.split()[1], " ".join(line.split()[5:])): line for line in lines}


def _line(one: Measured) -> str:
    return f"{one.outcome:<7}{one.key:<36} {one.before:.3f} -> {one.after:.3f}  {one.pair.name}"


def _said(one: Measured) -> str:
    """What the reader says, where it is something else."""
    if one.key in one.pair.unseen:
        return f" ({'unseen no more' if one.outcome == 'wrong' else 'unseen'}: {one.pair.unseen[one.key]})"
    return f" (its reader says {one.pair.direction}: {one.pair.why})" if one.outcome == "wrong" else ""


def _repository(folder: Path, name: str) -> Path:
    place = folder / name.replace("/", "+")
    return place / "repo" if (place / "repo").is_dir() else place
