"""Last names of API paths, by what their rows say: what an index of calls is asked with before any path is resolved.

They are gathered once, when the packs are indexed (a wheel has them compiled). Knows rows; must not know aliases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from agent_architecture.records import NamedTuple
from agent_architecture.semantics.packs.api_paths import root_of

if TYPE_CHECKING:
    from agent_architecture.semantics.packs.rows import EffectRow, EntityRow, FlowRow, MarkRow, PackRows

_Row = TypeVar("_Row")
Index: TypeAlias = "Mapping[str, tuple[_Row, ...]]"
Shown: TypeAlias = "Callable[[Iterable[str]], frozenset[str]]"
"""The last names of paths, and of their aliases."""


BESIDE: Final = frozenset(
    {"tracer", "span", "span_attribute", "event", "metric", "code_sink", "sandbox"}
    | {"credential", "state_holder", "prompt"}
)
"""Kinds of what stands beside an agent, and says nothing where there is none."""


class PackNames(NamedTuple):
    """Last names by a word of the rows."""

    kinds: Mapping[str, frozenset[str]]
    """Of calls and decorators, by the kind of what they make."""
    roots: Mapping[str, frozenset[str]]
    """Of calls and decorators that make entities, by the root of the path (see `paths.root_of`)."""
    effects: Mapping[str, frozenset[str]]
    flows: Mapping[str, frozenset[str]]
    marks: Mapping[str, frozenset[str]]
    leads: Mapping[str, frozenset[str]]
    """To which other roots an alias or a callback leads, from each."""


def gathered(  # noqa: PLR0913, PLR0917 - each index is one of the packs
    makers: Iterable[Index[EntityRow]],
    effects: Index[EffectRow],
    flows: Index[FlowRow],
    marks: Index[MarkRow],
    leads: Iterable[tuple[str, str]],
    shown: Shown,
) -> PackNames:
    """The names of what calls and decorators make, of what calls do, and of where paths lead."""
    kinds: dict[str, set[str]] = {}
    roots: dict[str, set[str]] = {}
    for index in makers:
        for path, rows in index.items():
            roots.setdefault(root_of(path), set()).add(path)
            for row in rows:
                kinds.setdefault(row.kind, set()).add(path)
    ways: dict[str, set[str]] = {}
    for name, target in leads:
        ways.setdefault(root_of(name), set()).add(root_of(target))
    return PackNames(
        _named(kinds, shown),
        _named(roots, shown),
        _named(_by(effects, lambda row: row.effect), shown),
        _named(_by(flows, lambda row: row.kind), shown),
        _named(_by(marks, lambda row: row.covers), shown),
        {root: frozenset(targets - {root}) for root, targets in ways.items() if targets - {root}},
    )


def of_words(names: Mapping[str, frozenset[str]], words: Iterable[str]) -> frozenset[str]:
    """All names under some words."""
    return frozenset().union(*(names.get(word, ()) for word in words))


def reached(leads: Mapping[str, frozenset[str]], roots: Iterable[str]) -> set[str]:
    """The roots that these lead to, with themselves."""
    found: set[str] = set()
    further = {*roots}
    while further:
        found |= further
        further = {target for root in further for target in leads.get(root, ())} - found
    return found


def libraries_by_kind(sources: Iterable[PackRows]) -> dict[str, frozenset[tuple[str, str]]]:
    """By the kind of entity that a call, a decorator or a base class makes: the (ecosystem, package) pairs."""
    found: dict[str, set[tuple[str, str]]] = {}
    for source in sources:
        own = {(package.ecosystem, package.name) for package in source.pack.packages}
        for kind in {
            row.kind for row in source.entities if row.decorator or row.subclass or (row.call and not row.each)
        }:
            found.setdefault(kind, set()).update(own)
    return {kind: frozenset(libraries) for kind, libraries in found.items()}


def _by(index: Index[_Row], word: Callable[[_Row], str]) -> dict[str, set[str]]:
    paths: dict[str, set[str]] = {}
    for path, rows in index.items():
        for row in rows:
            paths.setdefault(word(row), set()).add(path)
    return paths


def _named(paths: Mapping[str, set[str]], shown: Shown) -> dict[str, frozenset[str]]:
    return {word: shown(found) for word, found in paths.items()}


def words_of_files(sources: Iterable[PackRows]) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """What the bytes of files contain that use a library of the packs; and the words of those libraries among them that
    can make an agent, call a model or serve one.
    """
    every = tuple(sources)
    return _words(every), _words(source for source in every if _leads(source))


def _words(sources: Iterable[PackRows]) -> tuple[bytes, ...]:
    return tuple(sorted({word.encode() for source in sources for word in source.pack.words}))


def _leads(source: PackRows) -> bool:
    kinds = {row.kind for row in source.entities} | {row.kind for row in source.documents}
    return not kinds <= BESIDE
