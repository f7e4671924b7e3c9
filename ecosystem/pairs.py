"""`./dev ecosystem --pairs FOLDER`: commits that added a control, before and after: the risk has to fall.

FOLDER holds git repositories, as `<owner>+<name>` or `<owner>+<name>/repo`. The pairs are in `pairs.toml`:
repositories, commits and folders, never code.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from agent_architecture.registry import judge, load
from agent_architecture.scoring import ScoringConfig, score
from ecosystem.found import system_of
from ecosystem.trees import TreeError, write_tree

FILE: Final = Path(__file__).resolve().parent / "pairs.toml"


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


def read(path: Path = FILE) -> tuple[Pair, ...]:
    """The pairs. Raises `ValueError` in a sentence for one that cannot be used."""
    found = []
    for number, entry in enumerate(tomllib.loads(path.read_text("utf-8"))["pair"], 1):
        try:
            found.append(_pair(entry))
        except (KeyError, ValueError) as error:
            raise ValueError(f"{path.name}: pair {number}: {error}") from None
    return tuple(found)


def _pair(entry: dict[str, str | list[str]]) -> Pair:
    texts = {key: str(value) for key, value in entry.items() if key != "detectors"}
    return Pair(
        texts["repository"],
        texts["before"],
        texts["after"],
        tuple(str(key) for key in entry["detectors"]),
        Direction(texts.get("risk", Direction.LOWER)),
        texts.get("folder", ""),
        texts.get("why", ""),
    )


def measured(pair: Pair, repository: Path) -> tuple[Measured, ...]:
    """The risks of a pair's detectors, of those that are written. Raises `TreeError`."""
    written = {detector.key for detector in load()}
    keys = [key for key in pair.detectors if key in written]
    if not keys:  # two whole commits would be read for nothing
        return ()
    before, after = (_risks(repository, commit, pair.folder) for commit in (pair.before, pair.after))
    return tuple(Measured(pair, key, before[key], after[key]) for key in keys)


def _risks(repository: Path, commit: str, folder: str) -> dict[str, float]:
    """Every detector's risk in a commit, from 0 to 1 whichever way its score counts."""
    with tempfile.TemporaryDirectory(prefix="agent-architecture-pair-") as target:
        write_tree(repository, commit, folder, Path(target))
        system = system_of(Path(target), with_examples=True)
        scores = score(judge(load(), system), ScoringConfig(), has_sites=bool(system.sites))
        return {metric.key.rpartition(".")[2]: metric.risk for metric in scores.metrics}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure; exit code 1 when a risk went elsewhere than its reader says, 2 when nothing could be measured."""
    parser = argparse.ArgumentParser(prog="./dev ecosystem --pairs", description=__doc__)
    parser.add_argument("folder", type=Path, help="where the git repositories are")
    parser.add_argument("--project", action="append", default=[], help="only this repository's (may be repeated)")
    options = parser.parse_args(arguments)
    pairs = [pair for pair in read() if not options.project or pair.repository.partition("/")[2] in options.project]
    wrong = count = 0
    for pair in pairs:
        try:
            found = measured(pair, _repository(options.folder, pair.repository))
        except TreeError as error:
            print(f"not measured: {error}", file=sys.stderr)
            continue
        for one in found:
            is_right = one.direction is pair.direction
            count, wrong = count + 1, wrong + (not is_right)
            print(_line(one, is_right=is_right), flush=True)
    print(f"pairs: {count - wrong} of {count} as their readers say")
    return 2 if not count else int(wrong > 0)


def _line(one: Measured, *, is_right: bool) -> str:
    commits = f"{one.pair.repository} {one.pair.before[:12]}..{one.pair.after[:12]}"
    risks = f"{one.before:.3f} -> {one.after:.3f}"
    said = "" if is_right else f" (its reader says {one.pair.direction}: {one.pair.why})"
    return f"{'right' if is_right else 'wrong':<6}{one.key:<36} {risks}  {commits}{said}"


def _repository(folder: Path, name: str) -> Path:
    place = folder / name.replace("/", "+")
    return place / "repo" if (place / "repo").is_dir() else place
