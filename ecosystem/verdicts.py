"""Verdicts: what a reader of a real project decided about the subjects of detectors, and the form in which that is
written down (`ecosystem/verdicts/<owner>__<name>.toml`): paths and lines of one pinned commit, never code.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from agent_architecture.contract import scalars
from agent_architecture.detector import Outcome
from ecosystem.labels import LabelError, Place, folders_of, place_of, table_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FOLDER: Final = Path(__file__).resolve().parent / "verdicts"
HEAD: Final = frozenset({"repository", "commit", "written", "blind", "digest", "folders"})


class Decided(NamedTuple):
    """What a reader decided about one subject. `places` are the lines that are right for it, the best first."""

    places: tuple[Place, ...]
    outcome: Outcome
    risk: float | None
    """0..1, where the reader gave one; 0 for controlled, 1 for absent."""
    sure: bool
    """False where sheet and rulings can be read either way: such a verdict counts for nothing and against nothing."""
    name: str = ""
    """Tells subjects on one line apart."""


class Sheet(NamedTuple):
    """The verdicts for one detector in one project."""

    key: str
    complete: bool
    """Whether every subject of the application is among them, so that another one is a mistake."""
    subjects: tuple[Decided, ...]


class Verdicts(NamedTuple):
    """The verdicts of one project."""

    repository: str
    commit: str
    blind: bool
    """Whether they were written before the tool was run on the project."""
    digest: str
    sheets: tuple[Sheet, ...]
    folders: tuple[str, ...] = ()
    """Only these were read: samples of a collection; empty: the whole project."""

    @property
    def name(self) -> str:
        """The repository's own name."""
        return self.repository.partition("/")[2]

    @property
    def paths(self) -> frozenset[str]:
        """The files that they speak of."""
        decided = (subject for sheet in self.sheets for subject in sheet.subjects)
        return frozenset(place.path for subject in decided for place in subject.places)


def read_all(folder: Path = FOLDER) -> tuple[Verdicts, ...]:
    """Every file of verdicts in a folder, by name. Raises `LabelError`."""
    return tuple(read(path) for path in sorted(folder.glob("*.toml")))


def read(path: Path) -> Verdicts:
    """One file of verdicts. Raises `LabelError` in a sentence that names the file and the entry."""
    table = table_of(path)
    known = scalars().keys()
    unknown = table.keys() - HEAD - known
    if unknown:
        raise LabelError(f"{path.name}: no detector is called {', '.join(sorted(unknown))}")
    head = (str(table.get("repository", "")), str(table.get("commit", "")))
    sheets = tuple(_sheet(path, key, entry) for key, entry in table.items() if key in known)
    return Verdicts(*head, table.get("blind") is True, str(table.get("digest", "")), sheets, folders_of(table))


def _sheet(path: Path, key: str, entry: dict[str, object]) -> Sheet:
    listed = entry.get("subjects", [])
    if not isinstance(listed, list):
        raise LabelError(f"{path.name}: {key}: 'subjects' is a list")
    return Sheet(key, entry.get("complete") is True, tuple(_all(path, key, listed)))


def _all(path: Path, key: str, listed: Iterable[dict[str, object]]) -> Iterator[Decided]:
    for number, one in enumerate(listed, 1):
        try:
            yield _decided(one)
        except (KeyError, ValueError, TypeError) as error:
            raise LabelError(f"{path.name}: {key} {number}: {error}") from None


def _decided(entry: dict[str, object]) -> Decided:
    outcome = Outcome(str(entry["verdict"]))
    also = entry.get("also", [])
    if not isinstance(also, list):
        raise TypeError("'also' is a list of places")
    risk = entry.get("risk", {Outcome.CONTROLLED: 0.0, Outcome.ABSENT: 1.0}.get(outcome))
    if risk is not None and not isinstance(risk, (int, float)):
        raise TypeError("'risk' is a number")
    places = tuple(dict.fromkeys(place_of(str(text)) for text in (entry["at"], *also)))
    number = None if risk is None else float(risk)
    return Decided(places, outcome, number, entry.get("sure", True) is True, str(entry.get("name", "")))
