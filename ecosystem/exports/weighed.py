"""Whether an export is in a pack, or irrelevant, and by which word."""

from __future__ import annotations

import tomllib
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from agent_architecture.semantics.packs.api_paths import expand
from ecosystem.packs.claims import claims_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from agent_architecture.semantics.packs.packs import Packs
    from ecosystem.exports.offered import Offered

FILE: Final = Path(__file__).with_name("irrelevant.toml")
_ENDS: Final = frozenset(":.([")


class Rule(NamedTuple):
    """What makes an export irrelevant: patterns of its name, paths, base classes, its kind: all that are given."""

    word: str
    names: tuple[str, ...]
    paths: tuple[str, ...]
    bases: tuple[str, ...]
    kinds: tuple[str, ...]
    unless: tuple[str, ...]
    """Patterns of names of which none fits: `@judged` stands for those of everything that is judged."""

    def fits(self, one: Offered) -> bool:
        """Whether the rule speaks of an export."""
        return (
            (not self.names or _any(one.name, self.names))
            and (not self.paths or any(_any(path, self.paths) for path in one.paths))
            and (not self.bases or any(_any(base, self.bases) for base in one.bases))
            and (not self.kinds or one.kind in self.kinds)
            and not _any(one.name, self.unless)
        )


class Weighed(NamedTuple):
    """The exports of one package."""

    in_packs: tuple[Offered, ...]
    irrelevant: Mapping[str, tuple[Offered, ...]]
    """By the word why."""
    left: tuple[Offered, ...]

    @property
    def total(self) -> int:
        """All exports."""
        return len(self.in_packs) + sum(map(len, self.irrelevant.values())) + len(self.left)

    @property
    def share(self) -> float:
        """The part that is accounted for."""
        return 1 - len(self.left) / self.total if self.total else 1.0


def read_rules() -> tuple[Rule, ...]:
    """The data file."""
    document = tomllib.loads(FILE.read_text("utf-8"))
    groups = {"@judged": tuple(document["judged"])}
    return tuple(
        Rule(row["word"], *(_patterns(row, key, groups) for key in ("names", "paths", "bases", "kinds", "unless")))
        for row in document["irrelevant"]
    )


def _patterns(row: Mapping[str, Sequence[str]], key: str, groups: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    named = (pattern for one in row.get(key, ()) for pattern in groups.get(one, (one,)))
    return tuple(spelled for pattern in named for spelled in expand(pattern))


class Scales:
    """Weighs exports against all packs and the rules."""

    def __init__(self, packs: Packs, rules: Iterable[Rule]) -> None:
        self._packs = packs
        self._rules = tuple(rules)
        self.used: Counter[Rule] = Counter()
        claimed = {claim.path for rows in packs.sources for claim in claims_of(rows, packs).paths}
        self._named = {part for path in claimed for part in _parts(path)}
        self._anywhere = tuple(path[:-1] for path in claimed if path.endswith("*"))

    def weigh(self, exports: Iterable[Offered]) -> Weighed:
        """Each export once: what a row names is in a pack, whatever else would be said of it."""
        in_packs: list[Offered] = []
        irrelevant: dict[str, list[Offered]] = {}
        left: list[Offered] = []
        for one in exports:
            if self._is_named(one):
                in_packs.append(one)
                continue
            rule = next((rule for rule in self._rules if rule.fits(one)), None)
            if rule is None:
                left.append(one)
            else:
                self.used[rule] += 1
                irrelevant.setdefault(rule.word, []).append(one)
        return Weighed(tuple(in_packs), {word: tuple(found) for word, found in irrelevant.items()}, tuple(left))

    def _is_named(self, one: Offered) -> bool:
        spelled = {*one.paths, *(self._packs.canonical(path) for path in one.paths)}
        return bool(spelled & self._named) or any(p.startswith(s) for p in spelled for s in self._anywhere)


def _parts(path: str) -> Iterable[str]:
    """The path, and everything that it begins with: of `py:a.B().c` also `py:a.B`."""
    yield path
    yield from (path[:at] for at, letter in enumerate(path) if letter in _ENDS and at)


def _any(text: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(text, pattern) for pattern in patterns)
