"""One pack against its libraries: every path in the verified versions, every default in the versions it speaks of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from agent_architecture.model.settings import Scalar
from agent_architecture.semantics.packs.packs import Packs
from agent_architecture.semantics.packs.rows import PackRows
from ecosystem.packs.answers import FOUND, Answer, State, best, missing, unreadable
from ecosystem.packs.claims import Claims, PathClaim, Row, claims_of
from ecosystem.packs.defaults import check_defaults
from ecosystem.packs.families import Families
from ecosystem.packs.known import Known, Older
from ecosystem.packs.problems import NoSuchVersionError
from ecosystem.packs.registry import Registry
from ecosystem.packs.spellings import Spellings
from ecosystem.packs.workspace import Workspace


class Result(NamedTuple):
    """What became of one claim. `version` is the package and version that was read."""

    row: Row
    what: str
    version: str
    answer: Answer

    def __str__(self) -> str:
        return f"{self.row}: {self.what}: {self.version}: {self.answer.why}"


class Checker:
    """Checks packs one after the other; what was unpacked for one is there for the next."""

    def __init__(self, packs: Packs, registry: Registry, known: Known) -> None:
        self._packs = packs
        self._registry = registry
        self._known = known
        self._spellings = Spellings(packs)
        self._older: dict[tuple[tuple[str, str], str], Workspace] = {}
        self.used: set[Older] = set()
        """The entries of the data file that were needed."""

    def check(self, rows: PackRows, document: Mapping[str, object]) -> Iterator[Result]:
        """Every claim of a pack."""
        claims = claims_of(rows, self._packs)
        newest = {(package.ecosystem, package.name): package.verified for package in rows.pack.packages}
        space = Workspace(newest, self._packs, self._registry)
        for package, error in space.problems.items():
            is_wrong = isinstance(error, NoSuchVersionError)
            answer = missing(str(error)) if is_wrong else unreadable(str(error))
            yield Result(Row(rows.pack.id, "package", 0), package[1], newest[package], answer)
        yield from self._paths(claims, space, newest, Families(document))
        yield from check_defaults(rows, claims.defaults, space, self)

    # ------------------------------------------------------------------------------------------------------------ paths
    def _paths(
        self, claims: Claims, space: Workspace, newest: Mapping[tuple[str, str], str], families: Families
    ) -> Iterator[Result]:
        paths = [claim.path for claim in claims.paths]
        answers = space.ask(paths)
        left = [path for path in paths if answers[path].state is not State.FOUND]
        answers.update(self._spelled_otherwise(left, space))
        left = [path for path in left if answers[path].state is not State.FOUND]
        answers.update((path, self._known_otherwise(path, answers[path])) for path in left)
        found = {path for path in paths if answers[path].state is State.FOUND}
        for claim in claims.paths:
            answer = answers[claim.path]
            if answer.state is not State.FOUND and families.is_covered(claim.path, found):
                answer = FOUND
            yield Result(claim.row, claim.path, self._version(claim, newest), answer)

    def _spelled_otherwise(self, left: Iterable[str], space: Workspace) -> dict[str, Answer]:
        """A row may use the one name of something that the library offers under others alone: what leads to it."""
        found: dict[str, Answer] = {}
        for path in left:
            others = [*space.ask(self._spellings.of(path)).values()]
            if others and best(others).state is not State.DRIFT:
                found[path] = best(others)
        return found

    def _known_otherwise(self, path: str, answer: Answer) -> Answer:
        """What the data file says of a path that is not there."""
        reason = self._known.unread(path)
        if reason:
            return unreadable(reason)
        for entry in self._known.older_of(path):
            self.used.add(entry)
            space = self.older(entry.package, entry.version)
            if space.problems:
                return unreadable(str(next(iter(space.problems.values()))))
            old = space.ask([path])[path]
            if old.state is State.DRIFT:
                others = space.ask(self._spellings.of(path))
                old = FOUND if any(other.state is State.FOUND for other in others.values()) else old
            if old.state is not State.DRIFT:
                return old
            if answer.state is State.DRIFT:  # what cannot be read in the verified version is not wrong for an older one
                answer = missing(f"{old.why} ({entry.package[1]} {entry.version})")
        return answer

    def older(self, package: tuple[str, str], version: str) -> Workspace:
        """A package at another version, with what it needs."""
        key = (package, version)
        if key not in self._older:
            self._older[key] = Workspace({package: version}, self._packs, self._registry)
        return self._older[key]

    def is_there(self, paths: Iterable[str], space: Workspace) -> Answer:
        """Whether one of the paths of a row, however spelled, is in a version."""
        spelled = [name for path in paths for name in (path, *self._spellings.of(self._packs.canonical(path)))]
        answers = space.ask(dict.fromkeys(spelled))
        return next((FOUND for answer in answers.values() if answer.state is State.FOUND), next(iter(answers.values())))

    def unread_default(self, source: str) -> str:
        """Why nobody can read a default at its source."""
        return self._known.unread_default(source)

    def meaning(self, source: str, written: Scalar) -> Scalar:
        """What the value at a source means in a pack's unit."""
        return self._known.meaning(source, written)

    def older_source(self, source: str) -> tuple[Older, ...]:
        """The versions in which the source of a default stands, when the verified one has it no more."""
        entries = self._known.older_source(source)
        self.used.update(entries)
        return entries

    def _version(self, claim: PathClaim, newest: Mapping[tuple[str, str], str]) -> str:
        package = self._packs.package_of(claim.path)
        if package is None:
            return "?"
        return f"{package[1]} {newest.get(package) or self._packs.newest.get(package, '')}".rstrip()
