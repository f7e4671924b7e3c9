"""What was measured on read projects, rule by rule, kept as a small file: the checkouts are not part of this project,
so figures that are shown stand in such a file, written by the command that measured them.

`ecosystem/measured.toml` is about the projects of `ecosystem/verdicts`, on which rules were tuned;
`ecosystem/blind/*.toml` about the projects of blind rounds, before anything was mended for the round;
`ecosystem/statements/*.toml` about a sample of what the tool said there, which others judged one by one: a list leaves
things out, so that a gap which it does not name may be one, a judge has seen each place.
"""

from __future__ import annotations

import json
import subprocess
import tomllib
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from agent_architecture.contract import scalars
from agent_architecture.detector import Outcome
from agent_architecture.model.confidence import Confidence
from ecosystem.labels import LabelError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ecosystem.judged import Agreement, Said

HERE: Final = Path(__file__).resolve().parent
TUNED: Final = HERE / "measured.toml"
BLIND: Final = HERE / "blind"
STATEMENTS: Final = HERE / "statements"
ROUNDS: Final = HERE / "rounds.toml"
HEAD: Final = """\
# Written by `./dev ecosystem CHECKOUTS --verdicts --record FILE`: measured, not to be edited. `tool`: commit of src.
# Of each rule: `right`, gaps that tool and readers see, and `false`, those that the tool alone sees, both as [high,
# medium, low] by confidence; `missed`, gaps that the readers alone see; `controlled`, subjects that both call
# controlled; `denied`, what the tool calls controlled and readers a gap (among the missed, too); `unseen`, controlled
# ones that the tool does not know or cannot decide. What readers were not sure of counts neither way; zeros are left
# out.
"""
HEAD_OF_STATEMENTS: Final = """\
# Written by `./dev ecosystem --sample --judged FILES --record ROUNDS`: judged, not to be edited. `tool`: commit of src.
# Of each rule: `right`, gaps of the sample that judges call true, and `false`, those that they call false; `controlled`
# and `denied` the same of controlled subjects; all as [high, medium, low] by confidence. Debatable ones are left out.
"""

Grades = tuple[int, int, int]
"""Counts at high, medium and low confidence."""
NONE: Final[Grades] = (0, 0, 0)


class Counts(NamedTuple):
    """How far tool and readers agree on one rule, or on several."""

    right: Grades = NONE
    false: Grades = NONE
    missed: int = 0
    controlled: Grades = NONE
    denied: Grades = NONE
    unseen: int = 0

    @property
    def precision(self) -> float | None:
        """Share of the tool's gaps that readers see; None without any."""
        return share(sum(self.right), sum(self.false))

    @property
    def recall(self) -> float | None:
        """Share of the readers' gaps that the tool sees; None without any."""
        return share(sum(self.right), self.missed)

    @property
    def of_controls(self) -> float | None:
        """Share of the subjects called controlled that readers call so, among those that they decided."""
        return share(sum(self.controlled), sum(self.denied))


class Record(NamedTuple):
    """One measurement."""

    date: str
    tool: str
    projects: tuple[str, ...]
    left_out: tuple[str, ...]
    """Labelled projects that were not measured, each with the reason."""
    rules: Mapping[str, Counts]
    """By key of the contract, in its order; those of which anything was decided."""


def rounds() -> list[dict[str, Any]]:
    """The blind rounds, as they were written down."""
    found: list[dict[str, Any]] = tomllib.loads(ROUNDS.read_text("utf-8"))["round"]
    return found


def share(good: int, bad: int) -> float | None:
    """The share of the good ones; None without any."""
    return good / (good + bad) if good + bad else None


def total(every: Iterable[Counts]) -> Counts:
    """Several counts as one."""
    found = Counts()
    for one in every:
        found = Counts(
            _plus(found.right, one.right),
            _plus(found.false, one.false),
            found.missed + one.missed,
            _plus(found.controlled, one.controlled),
            _plus(found.denied, one.denied),
            found.unseen + one.unseen,
        )
    return found


def pool(records: Iterable[Record]) -> dict[str, Counts]:
    """The counts of several measurements, by rule."""
    every = [one.rules for one in records]
    found = {key: [rules[key] for rules in every if key in rules] for key in scalars()}
    return {key: total(counts) for key, counts in found.items() if counts}


def _plus(one: Grades, other: Grades) -> Grades:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def counts_of(one: Agreement) -> Counts:
    """The counts of an agreement."""
    missed = [said for _, said in one.missed]
    return Counts(
        _graded(said for _, said in one.right),
        _graded(said for _, said in one.false),
        len(missed),
        _graded(said for _, said in one.controlled),
        _graded(said for said in missed if said is not None and said.outcome is Outcome.CONTROLLED),
        len(one.unseen),
    )


def _graded(said: Iterable[Said]) -> Grades:
    found = Counter(one.confidence for one in said)
    high, medium, low = (found[confidence] for confidence in Confidence)
    return high, medium, low


def recorded(
    tool: str, projects: Sequence[str], left_out: Sequence[str], measured: Iterable[Sequence[Agreement]]
) -> Record:
    """The record of what was measured today, of each project its agreements."""
    every = [one for agreements in measured for one in agreements]
    rules = {key: total(counts_of(one) for one in every if one.key == key) for key in scalars()}
    found = {key: counts for key, counts in rules.items() if counts != Counts()}
    return Record(datetime.now(UTC).date().isoformat(), tool, tuple(projects), tuple(left_out), found)


def commit_of(root: Path) -> str:
    """The commit of the code in `root`. Raises `LabelError` where `src` holds what is not committed."""
    if _git(root, "status", "--porcelain", "--", "src"):
        raise LabelError("src/ holds changes that are not committed: a record names the code that it measured")
    return _git(root, "log", "-1", "--format=%H", "--", "src")[:8]


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LabelError(f"git {arguments[0]}: {done.stderr.strip()}")
    return done.stdout.strip()


def as_toml(record: Record, head: str = HEAD) -> str:
    """The text of a record's file; `head` says what its figures are."""
    lines = [f"date = {json.dumps(record.date)}", f"tool = {json.dumps(record.tool)}"]
    lines += _list("projects", record.projects) + _list("left_out", record.left_out)
    return head + "\n".join([*lines, "", "[rules]", *(_line(key, one) for key, one in record.rules.items())]) + "\n"


def _list(name: str, texts: Sequence[str]) -> list[str]:
    return [f"{name} = [", *(f"  {json.dumps(text)}," for text in texts), "]"]


def _line(key: str, one: Counts) -> str:
    told = {name: value for name, value in one._asdict().items() if value not in {0, NONE}}
    parts = (f"{name} = {list(value) if isinstance(value, tuple) else value}" for name, value in told.items())
    return f"{key} = {{ {', '.join(parts)} }}"


def read(path: Path) -> Record:
    """The record in a file. Raises `LabelError` in a sentence that names it."""
    try:
        table = tomllib.loads(path.read_text("utf-8"))
        rules = {key: _counts(entry) for key, entry in table["rules"].items()}
        if unknown := rules.keys() - scalars().keys():
            raise LabelError(f"{path.name}: no detector is called {', '.join(sorted(unknown))}")
        return Record(table["date"], table["tool"], tuple(table["projects"]), tuple(table["left_out"]), rules)
    except (KeyError, TypeError, ValueError) as error:
        raise LabelError(f"{path.name}: {error}") from None


def _counts(entry: Mapping[str, int | list[int]]) -> Counts:
    return Counts(**{name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()})  # type: ignore[arg-type]
