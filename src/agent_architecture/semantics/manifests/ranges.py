"""Which version a range stands for, in the words of its ecosystem: PEP 440 for `pypi`, npm's ranges for `npm`.

It knows versions and ranges; it must not know files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from agent_architecture.records import NamedTuple
from agent_architecture.semantics.manifests import semver
from agent_architecture.semantics.manifests.specifiers import Plain, admits, plain

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet

PYPI: Final = "pypi"
NPM: Final = "npm"

# Longer texts are no ranges that people write.
_MAX_LENGTH: Final = 500


class Admission(NamedTuple):
    """A range that was understood: whom it admits, and the versions that it names."""

    admits: Callable[[str, bool], bool]
    """Whether a version is admitted; the second argument: pre-releases count like other versions."""
    named: tuple[str, ...]


@lru_cache(maxsize=65536)
def normalise(ecosystem: str, package: str) -> str:
    """The name under which a package is known: PEP 503 for `pypi`, as it is for `npm`."""
    return re.sub(r"[-_.]+", "-", package).lower() if ecosystem == PYPI else package


@lru_cache(maxsize=65536)
def order(ecosystem: str, version: str) -> tuple[Any, ...] | None:
    """A key that sorts the versions of one ecosystem; None for a text that is no version."""
    if ecosystem == NPM:
        return semver.key(version)
    from packaging.version import Version

    if len(version) > _MAX_LENGTH:
        return None
    try:
        return (Version(version),)
    except ValueError:
        return None


def is_prerelease(ecosystem: str, version: str) -> bool:
    """Whether `version` is an alpha, beta, candidate or development version."""
    if ecosystem == NPM:
        return semver.is_prerelease(version)
    place = order(ecosystem, version)
    return place is not None and bool(place[0].is_prerelease)


def newest_of(ecosystem: str, versions: Iterable[str]) -> str | None:
    """The newest of `versions`; None when none of them is a version."""
    placed = [(place, version) for version in versions if (place := order(ecosystem, version)) is not None]
    return max(placed)[1] if placed else None


@lru_cache(maxsize=65536)
def read(ecosystem: str, text: str) -> Admission | None:
    """The range that `text` says; None when it admits all (empty, `*`, a tag, a URL) or cannot be read."""
    if ecosystem == NPM:
        found = semver.read_range(text)
        restricts = found is not None and any(found.alternatives)
        if found is None or not restricts:
            return None
        return Admission(lambda version, free: found.admits(version, prereleases=free), found.named)
    simple = plain(text) if len(text) <= _MAX_LENGTH else None
    if simple is not None:
        return _plain_admission(simple, text) if simple else None
    specifiers = _specifiers(text)
    if specifiers is None or not len(specifiers):
        return None
    named = tuple(sorted(re.sub(r"\.\*$", "", one.version) for one in specifiers if one.operator != "!="))
    return Admission(lambda version, free: _python(specifiers, version, free=free), named)


def _plain_admission(parts: tuple[Plain, ...], text: str) -> Admission:
    def admitted(version: str, free: bool) -> bool:
        known = admits(parts, version)
        if known is None:
            specifiers = _specifiers(text)
            known = specifiers is not None and _python(specifiers, version, free=free)
        return known

    return Admission(admitted, tuple(sorted(part.version for part in parts if part.operator != "!=")))


def _specifiers(text: str) -> SpecifierSet | None:
    from packaging.specifiers import SpecifierSet

    if len(text) > _MAX_LENGTH:
        return None
    try:
        return SpecifierSet(text)
    except ValueError:
        return None


def _python(specifiers: SpecifierSet, version: str, *, free: bool) -> bool:
    try:
        return specifiers.contains(version, prereleases=free or bool(specifiers.prereleases))
    except ValueError:
        return False


def choose(ecosystem: str, demands: Sequence[Sequence[str]], candidates: Sequence[str]) -> str | None:
    """The version that `demands` stand for.

    Every demand is one file's: a list of ranges, any of which will do. The answer is the newest candidate that all
    files
    admit, else the newest that the first of them admits; when they admit none, the newest version that the ranges
    name and
    admit, else the newest that they name; None when nothing is left.
    """
    read_demands = _read_all(ecosystem, demands)
    for files in (read_demands, read_demands[:1]):
        for free in (False, True):
            found = newest_of(ecosystem, (v for v in candidates if _all_admit(ecosystem, files, v, free=free)))
            if found is not None:
                return found
    named = [text for file in read_demands for range_ in file if range_ for text in range_.named]
    admitted = [version for version in named if _all_admit(ecosystem, read_demands, version, free=True)]
    return newest_of(ecosystem, admitted) or newest_of(ecosystem, named)


def satisfies(ecosystem: str, demands: Sequence[Sequence[str]], version: str) -> bool:
    """Whether at least one of the files admits `version`; a file without a readable range admits all."""
    return not demands or any(
        _all_admit(ecosystem, [file], version, free=True) for file in _read_all(ecosystem, demands)
    )


def _read_all(ecosystem: str, demands: Sequence[Sequence[str]]) -> list[list[Admission | None]]:
    return [[read(ecosystem, text) for text in demand] for demand in demands]


def _all_admit(ecosystem: str, files: Sequence[Sequence[Admission | None]], version: str, *, free: bool) -> bool:
    open_ = free or not is_prerelease(ecosystem, version)
    return all(any(open_ if range_ is None else range_.admits(version, free) for range_ in file) for file in files)


def poetry(text: str) -> tuple[str, ...]:
    """A range in the language of Poetry as PEP 440 ranges, any of which will do.

    Rules: python-poetry.org, "Dependency specification": caret, tilde, wildcard, `||`; a bare version is exact.
    """
    if len(text) > _MAX_LENGTH:
        return ("",)
    return tuple(_poetry_alternative(part) for part in re.split(r"\|\|?", text))


def _poetry_alternative(text: str) -> str:
    joined = re.sub(r"([\^~<>=!]+)\s+", r"\1", text.strip())
    return ",".join(filter(None, (_poetry_part(part) for part in re.split(r"[,\s]+", joined))))


def _poetry_part(part: str) -> str:
    if part in {"", "*", "x"}:
        return ""
    if part.startswith(("^", "~")) and not part.startswith("~="):
        low = part.lstrip("^~").lstrip("=")
        upper = _poetry_upper(low, caret=part.startswith("^"))
        return f">={low},<{upper}" if upper else ""
    if part.startswith(("<", ">", "!", "~=", "==")):
        return part
    return f"=={part.lstrip('=')}"


def _poetry_upper(low: str, *, caret: bool) -> str | None:
    """The first version that `^low` or `~low` excludes."""
    found = re.match(r"v?(\d{1,16}(?:\.\d{1,16})*)", low)
    if not found:
        return None
    numbers = [int(number) for number in found[1].split(".")]
    if caret:
        place = next((index for index, number in enumerate(numbers) if number), len(numbers) - 1)
    else:
        place = min(1, len(numbers) - 1)
    return ".".join(map(str, [*numbers[:place], numbers[place] + 1]))


@lru_cache(maxsize=4096)
def is_below(version: str, bound: str) -> bool:
    """Whether a version is older than another; one that is no version is not."""
    from packaging.version import InvalidVersion, Version

    try:
        return Version(version) < Version(bound)
    except InvalidVersion:
        return False
