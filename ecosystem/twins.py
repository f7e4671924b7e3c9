"""Twins by mutation: a labelled checkout with a control taken out or put in, and what the detectors must say of it.

`ecosystem/twins/<owner>__<name>.toml` lists edits. All edits of one `round` are made in one copy, which is analysed
once. Lines are those of the checkout, `path:12+1` is the first line that was inserted after its line 12; what is
inserted is our own text. An entry with `create` makes a file; later entries may edit it.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from agent_architecture.contract import scalars
from agent_architecture.detector import Outcome
from ecosystem.found import system_of
from ecosystem.judged import Agreement, agree, said_of
from ecosystem.labels import LabelError, Place, table_of
from ecosystem.verdicts import Decided, Sheet

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FOLDER: Final = Path(__file__).resolve().parent / "twins"
WORDS: Final = frozenset(
    {"round", "path", "line", "drop", "replace", "delete", "insert", "create", "at", "name", "then"}
)
"""All that an entry may hold."""


class Edit(NamedTuple):
    """One change of one file: `old` on line `first` becomes `new`, or lines `first` to `last` go, or text is added."""

    path: str
    first: int
    last: int = 0
    """0 where no line goes."""
    old: str = ""
    new: str = ""
    added: str = ""
    """Whole lines after line `first`; 0 is the top of the file."""
    creates: bool = False
    """Whether the file is made, with what is `added` as its text."""


class Expected(NamedTuple):
    """What a detector must say of the subject at a place."""

    key: str
    path: str
    line: int
    after: int
    """The how-manieth line of those that were inserted after `line`; 0 for that line itself."""
    outcome: Outcome
    name: str


class Round(NamedTuple):
    """Edits that are made together, and all that must follow."""

    edits: tuple[Edit, ...]
    expected: tuple[Expected, ...]

    @property
    def paths(self) -> frozenset[str]:
        """The files that are edited, or looked at."""
        return frozenset(one.path for one in self.edits) | {one.path for one in self.expected}


class Twins(NamedTuple):
    """The twins of one checkout."""

    repository: str
    commit: str
    digest: str
    rounds: tuple[Round, ...]

    @property
    def name(self) -> str:
        """The repository's own name."""
        return self.repository.partition("/")[2]

    @property
    def paths(self) -> frozenset[str]:
        """The files of the checkout that they speak of."""
        created = {edit.path for made in self.rounds for edit in made.edits if edit.creates}
        return frozenset(path for made in self.rounds for path in made.paths) - created


def read_all(folder: Path = FOLDER) -> tuple[Twins, ...]:
    """Every file of twins in a folder, by name. Raises `LabelError`."""
    return tuple(read(path) for path in sorted(folder.glob("*.toml")))


def read(path: Path) -> Twins:
    """One file of twins. Raises `LabelError` in a sentence that names the file and the entry."""
    table = table_of(path)
    rounds: dict[int, Round] = {}
    for number, entry in enumerate(table["twin"], 1):
        made = rounds.get(entry.get("round", 1), Round((), ()))
        if unknown := entry.keys() - WORDS:
            raise LabelError(f"{path.name}: twin {number}: nobody reads {', '.join(sorted(unknown))}")
        try:
            made = Round((*made.edits, *_edits(entry)), (*made.expected, *_expected(entry)))
        except (KeyError, ValueError, TypeError) as error:
            raise LabelError(f"{path.name}: twin {number}: {error}") from None
        rounds[entry.get("round", 1)] = made
    return Twins(table["repository"], table["commit"], table.get("digest", ""), tuple(rounds.values()))


def _edits(entry: Mapping[str, object]) -> Iterator[Edit]:
    path = str(entry["path"])
    if isinstance(text := entry.get("create"), str):
        yield Edit(path, 0, added=text, creates=True)
        return
    line = int(str(entry["line"]))
    match entry:
        case {"drop": str(old)}:
            yield Edit(path, line, old=old)
        case {"replace": [str(old), str(new)]}:
            yield Edit(path, line, old=old, new=new)
        case {"delete": [int(first), int(last)]}:
            yield Edit(path, first, last)
    if isinstance(text := entry.get("insert"), str):
        yield Edit(path, line, added=text)


def _expected(entry: Mapping[str, object]) -> Iterator[Expected]:
    then = entry.get("then")
    if not isinstance(then, Mapping):
        return
    place = str(entry.get("at") or f"{entry['path']}:{entry['line']}")
    path, _, lines = place.rpartition(":")
    line, _, after = lines.partition("+")
    for key, outcome in then.items():
        if key not in scalars():
            raise ValueError(f"no detector is called {key}")
        yield Expected(key, path, int(line), int(after or 0), Outcome(outcome), str(entry.get("name", "")))


def measured(made: Round, checkout: Path) -> tuple[Agreement, ...]:
    """What the tool says of the edited copy, by detector. Raises `LabelError` where an edit does not fit."""
    with tempfile.TemporaryDirectory(prefix="agent-architecture-twins-") as folder:
        root = Path(folder, checkout.name)
        shutil.copytree(checkout, root, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        for edit in (edit for edit in made.edits if edit.creates):
            _create(root / edit.path, edit)
        stands = {path: _made(root, path, made.edits) for path in sorted(made.paths)}
        said = said_of(system_of(root))
    decided: dict[str, tuple[Decided, ...]] = {}
    for one in made.expected:
        place = Place(one.path, stands[one.path][one.line] + one.after)
        subject = Decided((place,), one.outcome, None, sure=True, name=one.name)
        decided[one.key] = (*decided.get(one.key, ()), subject)
    return tuple(agree(Sheet(key, False, subjects), said.get(key, ())) for key, subjects in decided.items())


def _create(file: Path, edit: Edit) -> None:
    if file.exists():
        raise LabelError(f"{edit.path}: the file to create is there already")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(edit.added.encode("utf-8"))


def _made(root: Path, path: str, edits: Iterable[Edit]) -> tuple[int, ...]:
    """Make the edits of one file; where each of its lines stands afterwards, by number (0 is the top)."""
    file = root / path
    kept = [[], *([line] for line in file.read_bytes().decode("utf-8").split("\n"))]
    added: list[list[str]] = [[] for _ in kept]
    for edit in (edit for edit in edits if edit.path == path and not edit.creates):
        if edit.last >= len(kept) or edit.first >= len(kept) or edit.old not in "".join(kept[edit.first]):
            raise LabelError(f"{path}:{edit.first}: {edit.old!r} is not there")
        if edit.old:
            kept[edit.first] = [kept[edit.first][0].replace(edit.old, edit.new, 1)]
        if edit.last:
            kept[edit.first : edit.last + 1] = [[] for _ in range(edit.first, edit.last + 1)]
        added[edit.first] += edit.added.splitlines()
    stands, written = [], list[str]()
    for number, lines in enumerate(kept):
        stands.append(len(written) + (number > 0))
        written += [*lines, *added[number]]
    file.write_bytes("\n".join(written).encode("utf-8"))
    return tuple(stands)
