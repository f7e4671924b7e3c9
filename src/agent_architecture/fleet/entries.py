"""Which repositories a fleet consists of: from folders of checkouts, lists, JSON documents, paths and git URLs."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from agent_architecture.errors import UsageError
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.render.safe import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

DEPTH: Final = 3
"""How deep below a given folder repositories are looked for: host, owner, name."""
LARGEST: Final = 50_000_000
"""Bytes of a list."""
GIT: Final = ".git"
SCHEMES: Final = frozenset({"https", "ssh", "file"})
"""What a repository may be fetched by. Plain `http` and `git` say nothing of who answers."""
FIELDS: Final = frozenset({"path", "url", "ref", "name", "owner", "tags"})
THRESHOLDS: Final = frozenset({"fail_on", "min_health"})
SEVERITIES: Final = ("low", "medium", "high", "critical")
EVERY: Final = "*"

_SSH: Final = regex(r"[\w.-]+@[\w.-]+:(?!/)\S+")
"""`git@host:owner/name.git`."""


class Entry(NamedTuple):
    """One repository: a folder of this machine (absolute), or an address that git fetches."""

    name: str
    location: str
    ref: str = ""
    owner: str = ""
    tags: tuple[str, ...] = ()
    remote: bool = False
    problem: str = ""
    """Why it is not even tried."""


class Threshold(NamedTuple):
    """What repositories with a tag (`*`: all) may not fall below: findings of a severity, a health."""

    tag: str
    fail_on: str = ""
    min_health: float = 0.0


class Fleet(NamedTuple):
    """The repositories by name, and what is asked of them."""

    entries: tuple[Entry, ...]
    thresholds: tuple[Threshold, ...] = ()


def fleet_of(inputs: Sequence[str]) -> Fleet:
    """The repositories that the inputs name, each once, in the order of their names.

    Raises:
        UsageError: an input is not there, a list cannot be read, two repositories are given one name.
    """
    entries: list[Entry] = []
    thresholds: list[Threshold] = []
    for text in inputs:
        if _is_address(text):
            entries.append(_remote(text))
        elif Path(text).is_dir():
            entries += _checkouts(Path(text))
        elif text.endswith(".json"):
            found = _document(Path(text))
            entries += found.entries
            thresholds += found.thresholds
        else:
            entries += _listed(Path(text))
    if not entries:
        raise UsageError("there is no repository in what was given: a folder of checkouts, a list, or a JSON list")
    return Fleet(_named_apart(dict.fromkeys(entries)), tuple(thresholds))


def _named_apart(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Entries of one name are told apart by where they are, and by their refs."""
    found = tuple(entries)
    names = Counter(entry.name for entry in found)
    apart = [one if names[one.name] == 1 else one._replace(name=_whole(one)) for one in found]
    twice = [name for name, count in Counter(entry.name for entry in apart).items() if count > 1]
    if twice:
        raise UsageError(f"two repositories have the name {visible(min(twice))}: name one of them otherwise")
    return tuple(sorted(apart))


def _whole(entry: Entry) -> str:
    return f"{entry.location}@{entry.ref}" if entry.ref else entry.location


# -------------------------------------------------------------------------------------------------------------- places
def _is_address(text: str) -> bool:
    return "://" in text or _SSH.fullmatch(text) is not None


def _remote(address: str, ref: str = "") -> Entry:
    """A repository that is fetched. Its name is the way on its host. A password is taken out before anybody sees it."""
    problem = ""
    if _SSH.fullmatch(address) is not None:
        way = address.partition(":")[2]
    else:
        try:
            parts = urlsplit(address)
        except ValueError:
            return Entry(address, address, ref, remote=True, problem="this is no address")
        way = parts.path
        if parts.scheme not in SCHEMES:
            problem = f"repositories are fetched by https, ssh or file, not by {parts.scheme}"
        if parts.password is not None:
            address = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
            problem = "the address holds a password: let git's credential helper give it"
        if parts.scheme == "file":
            way = way.rstrip("/").removesuffix("/.git").rpartition("/")[2]
    name = way.rstrip("/").removesuffix("/.git").removesuffix(".git").strip("/")
    return Entry(name or address, address, ref, remote=True, problem=problem)


def _local(path: Path, ref: str = "", name: str = "") -> Entry:
    place = os.path.abspath(path)  # noqa: PTH100 - `resolve` would follow a link
    return Entry(name or Path(place).name or place, place, ref)


def _checkouts(folder: Path) -> Iterator[Entry]:
    """The repositories in a folder: itself where it holds `.git` or no folder; else those below each folder in it that
    hold `.git`, or that folder.
    """
    children = _folders(folder)
    if _holds_git(folder) or not children:
        yield _local(folder)
        return
    for child in children:
        below = list(_with_git(child, DEPTH - 1))
        yield from (_local(one, name=one.relative_to(folder).as_posix()) for one in below or [child])


def _with_git(folder: Path, depth: int) -> Iterator[Path]:
    if _holds_git(folder):
        yield folder
    elif depth:
        for child in _folders(folder):
            yield from _with_git(child, depth - 1)


def _holds_git(folder: Path) -> bool:
    return os.path.lexists(folder / GIT)


def _folders(folder: Path) -> list[Path]:
    """The folders in a folder, by name; no link is followed, and what cannot be listed has none."""
    try:
        with os.scandir(folder) as found:
            names = [one.name for one in found if one.is_dir(follow_symlinks=False) and not one.name.startswith(".")]
    except OSError:
        return []
    return [folder / name for name in sorted(names)]


# --------------------------------------------------------------------------------------------------------------- lists
def _text(file: Path) -> str:
    try:
        data = file.read_bytes() if file.stat().st_size <= LARGEST else None
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from None
    if data is None:
        raise UsageError(f"cannot read {file}: it is larger than {LARGEST} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"cannot read {file}: it is not UTF-8") from None


def _listed(file: Path) -> Iterator[Entry]:
    """A list: a path or an address on each line, with a ref behind it if there is one; `#` begins a comment."""
    for number, line in enumerate(_text(file).splitlines(), 1):
        words = line.partition(" #")[0].split() if not line.lstrip().startswith("#") else []
        if len(words) > 2:  # noqa: PLR2004 - place and ref
            raise UsageError(f"{file}:{number}: a line has a path or an address, and a ref; JSON takes any path")
        if words:
            yield _at(file, f"{file}:{number}", *words)


def _at(file: Path, where: str, place: str, ref: str = "") -> Entry:
    """What stands in a list: paths start from its folder."""
    if ref.startswith("-") or not ref.isprintable():
        raise UsageError(f"{where}: {ref!r} cannot be a git ref")
    return _remote(place, ref) if _is_address(place) else _local(file.parent / place, ref)


def _document(file: Path) -> Fleet:
    """A JSON list of repositories; or an object with `repositories`, and `thresholds` by tag."""
    try:
        found = json.loads(_text(file))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"cannot read {file}: it is no JSON ({error})") from None
    thresholds = {}
    if isinstance(found, dict):
        thresholds = found.get("thresholds", {})
        _known(found, frozenset({"repositories", "thresholds"}), str(file))
        found = found.get("repositories")
    if not isinstance(found, list) or not isinstance(thresholds, dict):
        raise UsageError(f"{file}: a list of repositories, or an object with `repositories` and `thresholds`")
    entries = tuple(_described(file, f"{file}: repository {number}", one) for number, one in enumerate(found, 1))
    return Fleet(entries, tuple(_threshold(file, tag, one) for tag, one in sorted(thresholds.items())))


def _known(item: Mapping[str, object], names: frozenset[str], where: str) -> None:
    unknown = sorted(item.keys() - names)
    if unknown:
        raise UsageError(f"{where}: there is no key {visible(unknown[0])!r} ({', '.join(sorted(names))})")


def _described(file: Path, where: str, item: object) -> Entry:
    if isinstance(item, str):
        return _at(file, where, item)
    if not isinstance(item, dict):
        raise UsageError(f"{where}: it is neither a text nor an object")
    _known(item, FIELDS, where)
    tags = item.get("tags", [])
    texts = {key: item.get(key, "") for key in FIELDS - {"tags"}}
    if not isinstance(tags, list) or not all(isinstance(text, str) for text in (*tags, *texts.values())):
        raise UsageError(f"{where}: `tags` is a list of texts, everything else is a text")
    if bool(texts["path"]) == bool(texts["url"]):
        raise UsageError(f"{where}: it has either `path` or `url`")
    if texts["url"] and not _is_address(texts["url"]):
        raise UsageError(f"{where}: {visible(texts['url'])} is no address")
    entry = _at(file, where, texts["url"] or texts["path"], texts["ref"])
    return entry._replace(name=texts["name"] or entry.name, owner=texts["owner"], tags=tuple(sorted(set(tags))))


def _threshold(file: Path, tag: str, item: object) -> Threshold:
    where = f"{file}: threshold {visible(tag)}"
    if not isinstance(item, dict):
        raise UsageError(f"{where}: it is no object")
    _known(item, THRESHOLDS, where)
    fail_on, health = item.get("fail_on", ""), item.get("min_health", 0)
    if fail_on not in {"", *SEVERITIES}:
        raise UsageError(f"{where}: fail_on is one of {', '.join(SEVERITIES)}")
    if isinstance(health, bool) or not isinstance(health, int | float) or not 0 <= health <= 1:
        raise UsageError(f"{where}: min_health is a number from 0 to 1")
    return Threshold(visible(tag), fail_on, float(health))
