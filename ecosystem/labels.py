"""Labels: what a reader of a real project found in it, and the form in which that is written down.

A label file holds paths and lines of one pinned commit, never code. Every mistake in one is a sentence that names file
and entry.
"""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FOLDER: Final = Path(__file__).resolve().parent / "labels"
KINDS: Final = ("site", "agent", "tool", "handoff", "memory")
SERVERS: Final = frozenset({"mcp_server", "mcp_client", "a2a"})
"""Kinds of site that serve or use an agent elsewhere: they are counted apart, as `server`."""
SITE_KINDS: Final = frozenset({"run", "exported_graph", "hand_written_loop", "dispatch", "toolkit"}) | SERVERS
COUNTED: Final = ("site", "server", "agent", "tool", "handoff", "memory")
"""The kinds as they are reported."""


class LabelError(Exception):
    """A label file that cannot be used, in one sentence."""


class Place(NamedTuple):
    """A line of a file, written `path:line`."""

    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


class Label(NamedTuple):
    """One thing that a reader found. `places` are the lines that are right for it, the best first.

    `sure` is False where the specification can be read either way: such a label is never missed, and never a false
    alarm.
    """

    kind: str
    places: tuple[Place, ...]
    sure: bool
    what: str
    limit: str = ""
    """Of a site: its effective step limit, as `written 5`, `default 25`, `absent`, `unknown` or `none`."""


class Labels(NamedTuple):
    """The labels of one project."""

    repository: str
    commit: str
    blind: bool
    """Whether they were written before the tool was run on the project."""
    digest: str
    """Of the labelled files, so that a checkout can be told from another version's; "" where nobody pinned it yet."""
    labels: tuple[Label, ...]
    folders: tuple[str, ...] = ()
    """Only these were labelled, without their notebooks: samples of a collection; empty: the whole project."""

    @property
    def paths(self) -> frozenset[str]:
        """The labelled files."""
        return frozenset(place.path for label in self.labels for place in label.places)

    @property
    def name(self) -> str:
        """The repository's own name."""
        return self.repository.partition("/")[2]


def read_all(folder: Path = FOLDER) -> tuple[Labels, ...]:
    """Every label file of a folder, by name. Raises `LabelError`."""
    return tuple(read(path) for path in sorted(folder.glob("*.toml")))


def read(path: Path) -> Labels:
    """One label file. Raises `LabelError` in a sentence that names the file and the entry."""
    table = table_of(path)
    unknown = table.keys() - {"repository", "commit", "written", "blind", "digest", "folders", *KINDS}
    if unknown:
        raise LabelError(f"{path.name}: nobody reads {', '.join(sorted(unknown))}")
    labels: list[Label] = []
    for kind in KINDS:
        for number, entry in enumerate(table.get(kind, ()), 1):
            try:
                labels.append(_label(kind, entry))
            except (KeyError, ValueError, TypeError) as error:
                raise LabelError(f"{path.name}: {kind} {number}: {error}") from None
    head = (str(table.get("repository", "")), str(table.get("commit", "")))
    return Labels(*head, table.get("blind") is True, str(table.get("digest", "")), tuple(labels), folders_of(table))


def table_of(path: Path) -> dict[str, Any]:
    """What a file of labels says, unchecked. Raises `LabelError` for what is no TOML."""
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LabelError(f"{path.name}: {error}") from None


def folders_of(table: Mapping[str, Any]) -> tuple[str, ...]:
    """The folders that a file of labels is about; none for the whole project."""
    return tuple(str(folder).rstrip("/") + "/" for folder in table.get("folders", ()))


def was_read(path: str, folders: tuple[str, ...]) -> bool:
    """Whether a file was read by who labelled only these folders, without their notebooks; all is read without any."""
    return not folders or (path.startswith(folders) and not path.endswith(".ipynb"))


def _label(kind: str, entry: dict[str, object]) -> Label:
    site = str(entry.get("kind", ""))
    if kind == "site" and site not in SITE_KINDS:
        raise ValueError(f"{site!r} is no kind of site")
    also = entry.get("also", [])
    if not isinstance(also, list):
        raise TypeError("'also' is a list of places")
    what = entry.get("name") or entry.get("what") or site or f"{entry.get('from')} to {entry.get('to')}"
    counted = "server" if site in SERVERS else kind
    places = tuple(dict.fromkeys(place_of(str(text)) for text in (entry["at"], *also)))
    return Label(counted, places, entry.get("sure", True) is True, str(what), str(entry.get("limit", "")))


def place_of(text: str) -> Place:
    """The place that a text names. Raises `ValueError`."""
    path, _, line = text.rpartition(":")
    return Place(path, int(line))


def digest_of(repository: str, paths: Iterable[str], root: Path) -> str:
    """The digest of a repository's labelled files in a checkout. Raises `LabelError` for a missing one."""
    found = hashlib.sha256()
    for path in sorted(set(paths)):
        file = root / path
        if not file.is_file():
            raise LabelError(f"{repository}: {path} is not in {root}")
        found.update(path.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()[:16]
