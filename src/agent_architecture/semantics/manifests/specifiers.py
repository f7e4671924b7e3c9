"""Python's ranges as most are written: releases of plain numbers with `==`, `!=`, `<`, `<=`, `>`, `>=` and `~=`.

What these mean, `packaging` says too; it answers for all others, and takes longer to load than six files to judge.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex

_PLAIN: Final = regex(r"\s*(?:([<>]=?|[=!]=)\s*([0-9]{1,9}(?:\.[0-9]{1,9})*)|(~=)\s*([0-9]{1,9}(?:\.[0-9]{1,9})+))\s*")
_RELEASE: Final = regex(r"[0-9]{1,9}(?:\.[0-9]{1,9})*")


class Plain(NamedTuple):
    """One part of a range: an operator and a version of numbers."""

    operator: str
    version: str


def plain(text: str) -> tuple[Plain, ...] | None:
    """The parts of a range between commas; None when one of them is not plain."""
    found = [_PLAIN.fullmatch(part) for part in text.split(",")] if text.strip() else []
    parts = tuple(Plain(part[1] or part[3], part[2] or part[4]) for part in found if part is not None)
    return parts if len(parts) == len(found) else None


def admits(parts: tuple[Plain, ...], version: str) -> bool | None:
    """Whether all parts admit a version; None for one that is not plain."""
    if not _RELEASE.fullmatch(version):
        return None
    place = _numbers(version)
    return all(_admits(part, place) for part in parts)


def _admits(part: Plain, place: tuple[int, ...]) -> bool:
    operator, bound = part.operator, _numbers(part.version)
    if operator == "~=":
        family = tuple(map(int, part.version.split(".")))[:-1]
        return place >= bound and (*place, *(0 for _ in family))[: len(family)] == family
    return {
        "==": place == bound,
        "!=": place != bound,
        "<": place < bound,
        "<=": place <= bound,
        ">": place > bound,
        ">=": place >= bound,
    }[operator]


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers of a release; zeros at its end say nothing."""
    return tuple(_without_end(list(map(int, version.split(".")))))


def _without_end(numbers: list[int]) -> Iterator[int]:
    while numbers and not numbers[-1]:
        numbers.pop()
    yield from numbers
