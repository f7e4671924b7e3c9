"""npm versions and ranges, as node-semver reads them.

It knows the grammar of semver.org 2.0 and of npm's ranges; it must not know files or packages.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from agent_architecture.records import NamedTuple

# A number of more digits is no version that anybody published (node-semver: MAX_SAFE_COMPONENT_LENGTH).
_NUMBER: Final = r"\d{1,16}"
_IDENTIFIERS: Final = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
_TAIL: Final = rf"(?:-(?P<pre>{_IDENTIFIERS}))?(?:\+{_IDENTIFIERS})?"
_FULL: Final = rf"[v=\s]*(?P<major>{_NUMBER})\.(?P<minor>{_NUMBER})\.(?P<patch>{_NUMBER}){_TAIL}"
_PART: Final = rf"(?:{_NUMBER}|[xX*])"
_PARTIAL: Final = rf"[v=]*(?P<major>{_PART})(?:\.(?P<minor>{_PART})(?:\.(?P<patch>{_PART}){_TAIL})?)?"
_COMPARATOR: Final = rf"(?P<op>\^|~>?|>=|<=|>|<|=)?\s*{_PARTIAL}"

# A range that people write has a few comparators; a longer text is not worth the time.
_MAX_LENGTH: Final = 500

Key = tuple[int, int, int, tuple[tuple[int, int, str], ...]]
"""A version in order: a release is above its pre-releases, whose numbers are below its words."""

_RELEASE: Final = ((2, 0, ""),)
_LOWEST: Final = ((0, 0, ""),)
"""The pre-release `-0`, below every other."""


@cache
def _regex(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def key(version: str) -> Key | None:
    """The place of `version` in the order of versions; None when it is no full version (`1.2`, `latest`)."""
    found = _regex(_FULL).fullmatch(version.strip()) if len(version) <= _MAX_LENGTH else None
    return (int(found["major"]), int(found["minor"]), int(found["patch"]), _pre(found["pre"])) if found else None


def is_prerelease(version: str) -> bool:
    """Whether `version` is a version with a pre-release part."""
    place = key(version)
    return place is not None and place[3] != _RELEASE


def _pre(text: str | None) -> tuple[tuple[int, int, str], ...]:
    if text is None:
        return _RELEASE
    return tuple((0, int(part[:16]), "") if part.isdigit() else (1, 0, part) for part in text.split("."))


class Bound(NamedTuple):
    """One side of a range: `op` is `>=`, `>`, `<=` or `<`."""

    op: str
    key: Key


class Range(NamedTuple):
    """A version is in the range when it keeps all bounds of one alternative."""

    alternatives: tuple[tuple[Bound, ...], ...]
    named: tuple[str, ...]
    """The versions that the range names, completed with zeros, in the order of the text."""

    def admits(self, version: str, *, prereleases: bool = False) -> bool:
        """Whether `version` is in the range.

        As in npm, a pre-release is so only when a bound of the alternative names a pre-release of the same release;
        with
        `prereleases` it counts like any other version.
        """
        place = key(version)
        return place is not None and any(_keeps(place, bounds, free=prereleases) for bounds in self.alternatives)


def _keeps(place: Key, bounds: tuple[Bound, ...], *, free: bool) -> bool:
    if not all(_holds(place, bound) for bound in bounds):
        return False
    if free or place[3] == _RELEASE:
        return True
    return any(bound.key[:3] == place[:3] and bound.key[3] != _RELEASE for bound in bounds)


def _holds(place: Key, bound: Bound) -> bool:
    match bound.op:
        case ">=":
            return place >= bound.key
        case ">":
            return place > bound.key
        case "<=":
            return place <= bound.key
        case _:
            return place < bound.key


def read_range(text: str) -> Range | None:
    """The range that `text` says; None for a tag, a URL, a path and whatever else is no range."""
    if len(text) > _MAX_LENGTH:
        return None
    alternatives: list[tuple[Bound, ...]] = []
    named: list[str] = []
    for alternative in text.split("||"):
        bounds = _alternative(alternative.strip(), named)
        if bounds is None:
            return None
        alternatives.append(bounds)
    return Range(tuple(alternatives), tuple(named))


def _alternative(text: str, named: list[str]) -> tuple[Bound, ...] | None:
    hyphen = _regex(rf"({_PARTIAL_PLAIN})\s+-\s+({_PARTIAL_PLAIN})").fullmatch(text)
    parts = [f">={hyphen[1]}", f"<={hyphen[2]}"] if hyphen else _split(text)
    bounds: list[Bound] = []
    for part in parts:
        found = _regex(_COMPARATOR).fullmatch(part)
        if not found:
            return None
        bounds += _bounds(found, named)
    return tuple(bounds)


_PARTIAL_PLAIN: Final = re.sub(r"\?P<\w+>", "?:", _PARTIAL)


def _split(text: str) -> list[str]:
    """The comparators of an alternative; a space may follow the operator (`>= 1.2`)."""
    return _regex(r"([\^~<>=]+)\s+").sub(r"\1", text).replace(",", " ").split()


def _bounds(found: re.Match[str], named: list[str]) -> list[Bound]:
    """The bounds of one comparator, as node-semver desugars it (range.js: replaceCaret, replaceTilde, …)."""
    op = found["op"] or "="
    numbers = _numbers(found)
    if not numbers:
        return [Bound("<", (0, 0, 0, _LOWEST))] if op in {"<", ">"} else []
    low = (*numbers, *(0,) * (3 - len(numbers)))
    pre = _pre(found["pre"]) if len(numbers) == 3 else _RELEASE  # noqa: PLR2004 - major, minor, patch
    named.append(".".join(map(str, low)) + (f"-{found['pre']}" if pre != _RELEASE else ""))
    place = (low[0], low[1], low[2], pre)
    if op == "^":
        width = next((index for index, number in enumerate(numbers) if number), len(numbers) - 1)
        return [Bound(">=", place), Bound("<", _next(low, width))]
    if op.startswith("~"):
        return [Bound(">=", place), Bound("<", _next(low, min(1, len(numbers) - 1)))]
    if len(numbers) < 3:  # noqa: PLR2004
        return _partial(op, low, len(numbers) - 1)
    return [Bound(">=", place), Bound("<=", place)] if op == "=" else [Bound(op, place)]


def _partial(op: str, low: tuple[int, ...], width: int) -> list[Bound]:
    """The bounds of a comparator with a partial version: `1.2` is all of `1.2.x`."""
    place = (low[0], low[1], low[2], _RELEASE)
    match op:
        case ">":
            return [Bound(">=", (*_next(low, width)[:3], _RELEASE))]
        case "<=":
            return [Bound("<", _next(low, width))]
        case "<":
            return [Bound("<", (*place[:3], _LOWEST))]
        case ">=":
            return [Bound(">=", place)]
        case _:
            return [Bound(">=", place), Bound("<", _next(low, width))]


def _numbers(found: re.Match[str]) -> tuple[int, ...]:
    """The numbers before the first `x`: up to three."""
    numbers: list[int] = []
    for part in (found["major"], found["minor"], found["patch"]):
        if part is None or not part.isdigit():
            break
        numbers.append(int(part))
    return tuple(numbers)


def _next(low: tuple[int, ...], width: int) -> Key:
    """The first version above all that share the numbers of `low` up to the place `width`."""
    raised = [*low[:width], low[width] + 1, 0, 0][:3]
    return (raised[0], raised[1], raised[2], _LOWEST)
