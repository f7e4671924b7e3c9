"""Framework packs: all rows of all TOML files, indexed by canonical API path.

`load_packs` reads, `Packs` answers. Knows rows and aliases; must not know how code is resolved, and never judges.
Reading TOML and indexing are two steps, so that a compiled form can replace the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from agent_architecture.errors import PackError
from agent_architecture.semantics.packs.aliases import Aliases
from agent_architecture.semantics.packs.alike import Alike
from agent_architecture.semantics.packs.api_paths import boundaries, ecosystem_of, last_name
from agent_architecture.semantics.packs.callee_names import (
    PackNames,
    gathered,
    libraries_by_kind,
    of_words,
    reached,
    words_of_files,
)
from agent_architecture.semantics.packs.documents import read_documents
from agent_architecture.semantics.packs.header import order_of
from agent_architecture.semantics.packs.rows import (
    AliasRow,
    CallbackRow,
    DocumentRow,
    EffectRow,
    EntityRow,
    EnvironmentRow,
    FixRow,
    FlowRow,
    MarkRow,
    ObjectRow,
    Pack,
    Package,
    PackRows,
    SettingRow,
    ThroughRow,
    VersionedDefault,
)
from agent_architecture.semantics.packs.rows_from_toml import RECEIVER, read_pack

if TYPE_CHECKING:
    from agent_architecture.semantics.packs.addresses import Address

_Row = TypeVar("_Row")
_Called: TypeAlias = "CallbackRow | EntityRow | SettingRow | MarkRow | ThroughRow | ObjectRow | EffectRow | FlowRow"
_Index = dict[str, tuple[_Row, ...]]

BUILT_IN: Final = ("py:builtins", "npm:globalThis")
"""The roots of names that no import brings."""


class Packs:
    """Look-ups by API path. Every method takes a path as code resolution gives it and applies the aliases itself."""

    __slots__ = (
        "_aliases", "_by_module", "_callbacks", "_calls", "_covered", "_decorators", "_each", "_effects", "_flows",
        "_held", "_libraries", "_mark_decorators", "_mark_subclasses", "_marks", "_names", "_objects", "_otherwise",
        "_settings", "_spellings", "_subclasses", "_texts", "_through", "_typed", "alike", "documents", "environment",
        "fixes", "in_files", "known", "last_names", "leading_words", "newest", "owners", "packs", "sources", "words",
    )  # fmt: skip

    def __init__(self, rows: Iterable[PackRows]) -> None:
        """Index the rows. Raises `PackError` for two packs of one id and for aliases without an end."""
        self.sources = sources = tuple(sorted(rows, key=lambda pack: pack.pack.id))
        self.packs: Mapping[str, Pack] = _by_id(sources)
        """All rows as they are written, by pack: for questions about packs as a whole."""
        self._aliases = _aliases(sources)
        self._otherwise = _otherwise(self._aliases)
        entities = [row for source in sources for row in source.entities]
        settings = [row for source in sources for row in source.settings]
        marks = [row for source in sources for row in source.marks]
        objects = [row for source in sources for row in source.objects]
        effects = [row for source in sources for row in source.effects]
        self._calls: _Index[EntityRow] = self._index((row for row in entities if row.each is None), _call)
        self._each: _Index[EntityRow] = self._index((row for row in entities if row.each is not None), _call)
        self.in_files: tuple[EntityRow, ...] = tuple(row for row in entities if row.file)
        self._texts = {(row.where.pack, row.kind, text): row for row in entities for text in row.text}
        self._typed: _Index[EntityRow] = self._index(entities, _type)
        self._decorators: _Index[EntityRow] = self._index(entities, _decorator)
        self._subclasses: _Index[EntityRow] = self._index(entities, _subclass)
        self._settings: _Index[SettingRow] = self._index(settings, _call)
        self._through: _Index[ThroughRow] = self._index((row for s in sources for row in s.through), _call)
        self._objects: _Index[ObjectRow] = self._index(objects, _call)
        self._held: _Index[ObjectRow] = self._index(objects, _attribute)
        self._callbacks: _Index[CallbackRow] = self._index((row for s in sources for row in s.callbacks), _call)
        self._marks: _Index[MarkRow] = self._index(marks, _call)
        self._covered: dict[str, tuple[MarkRow, ...]] = {}
        self._mark_decorators: _Index[MarkRow] = self._index(marks, _decorator)
        self._mark_subclasses: _Index[MarkRow] = self._index(marks, _subclass)
        self._effects: _Index[EffectRow] = self._index((row for row in effects if not row.begins), _call)
        self.alike = Alike(self._index((row for row in effects if row.begins), _call), self._effects)
        self._flows: _Index[FlowRow] = self._index((row for s in sources for row in s.flows), _call)
        covering = (row for source in sources for row in source.aliases if row.covers)
        self._spellings = {name: _spelled(row) for row in covering for name in row.names}
        self.documents: tuple[DocumentRow, ...] = tuple(row for source in sources for row in source.documents)
        self.environment: tuple[EnvironmentRow, ...] = tuple(row for source in sources for row in source.environment)
        self.fixes: tuple[FixRow, ...] = tuple(row for source in sources for row in source.fixes)
        packages = [p for source in sources for p in source.pack.packages]
        self._by_module = {(_is_npm(p), module): p for p in packages for module in p.modules}
        self.newest: Mapping[tuple[str, str], str] = {
            (p.ecosystem, p.name): p.verified for p in packages if p.ecosystem != "runtime"
        }
        self.known: Mapping[tuple[str, str], tuple[str, ...]] = self._known_versions(packages, entities)
        self.last_names: frozenset[str] = self._last_names(
            self._calls, self._each, self._decorators, self._settings, self._through, self._marks,
            self._mark_decorators, self._effects, self._flows,
        )  # fmt: skip
        self._names = self._gathered()
        self.owners: frozenset[str] = frozenset(path.rpartition(".")[0] for path in self._calls)
        self._libraries = libraries_by_kind(sources)
        self.words, self.leading_words = words_of_files(sources)

    def canonical(self, path: str) -> str:
        """The one name of a path: aliases applied, fluent calls folded into their receiver."""
        return self._aliases.resolve(path)

    def methods_run(self) -> Mapping[str, frozenset[str]]:
        """For a method of a library's class the other methods of the class that are aliases of it."""
        found: dict[str, set[str]] = {}
        for path, target in self._aliases.pairs():
            owner, _, name = path.rpartition(".")
            its_owner, _, method = target.rpartition(".")
            is_method = owner.endswith("()") and its_owner.endswith("()") and not {"(", ":"} & {*name, *method}
            if is_method and self.canonical(owner) == its_owner:
                found.setdefault(target, set()).add(name)
        return {path: frozenset(names) for path, names in found.items()}

    def objects_called(self) -> frozenset[str]:
        """The last names of what makes objects that a row says are called: `Predict` of `Predict()(question=…)`."""
        return self._last_names({path: () for path in self._calls if path.endswith("()")})

    def makers(self, method: str, kind: str) -> frozenset[str]:
        """The last names of what makes objects of which a call of `method` is an entity of this kind: `Lock` of
        `Lock().acquire`.
        """
        called = f"().{method}"
        calls = self._calls.items()
        owners = {
            p.removesuffix(called) for p, rows in calls if p.endswith(called) if any(r.kind == kind for r in rows)
        }
        return self._last_names(dict.fromkeys(name for owner in owners for name in (owner, f"{owner}()")))

    def entities(self, path: str) -> tuple[EntityRow, ...]:
        """Rows for a call of `path`, in the order of packs and rows."""
        return self._calls.get(self.canonical(path), ())

    def each(self, path: str) -> tuple[EntityRow, ...]:
        """Rows for the objects that a call of `path` names at the row's own address."""
        return self._each.get(self.canonical(path), ())

    def named(self, pack: str, kind: str, text: str) -> EntityRow | None:
        """The row of a pack for something of a kind that is referred to by a text."""
        return self._texts.get((pack, kind, text))

    def texts(self, pack: str, kind: str) -> tuple[tuple[str, EntityRow], ...]:
        """The texts that refer to something of a kind of a pack, sorted, each with its row."""
        found = ((text, row) for (owner, made, text), row in self._texts.items() if (owner, made) == (pack, kind))
        return tuple(sorted(found, key=lambda item: item[0]))

    def decorators(self, path: str) -> tuple[EntityRow, ...]:
        """Rows for something decorated with `path` (its path without the final `()` when the decorator is called)."""
        return self._decorators.get(self.canonical(path), ())

    def subclasses(self, path: str) -> tuple[EntityRow, ...]:
        """Rows for a class that has `path` among its bases."""
        return self._subclasses.get(self.canonical(path), ())

    def typed(self, path: str) -> tuple[EntityRow, ...]:
        """Rows for an object that is written as of the type at `path`."""
        return self._typed.get(self.canonical(path), ())

    def type_names(self) -> frozenset[str]:
        """The last names of the types that rows speak of."""
        return self._last_names(self._typed)

    def settings(self, path: str) -> tuple[SettingRow, ...]:
        """Rows for a call of `path` that sets something on its receiver."""
        return self._settings.get(self.canonical(path), ())

    def setting_names(self) -> frozenset[str]:
        """The last names of calls that set something on their receivers."""
        return self._last_names(self._settings)

    def through(self, path: str) -> Address | None:
        """Where the result of a call of `path` comes from, if the value only passes through."""
        rows = self._through.get(self.canonical(path))
        return rows[0].from_ if rows else None

    def makes(self, path: str) -> str | None:
        """Of which class a call of `path` makes an object: an argument, or `self` for the receiver's."""
        rows = self._objects.get(self.canonical(path))
        return rows[0].of if rows else None

    def holds(self, path: str) -> int | None:
        """Which argument of a generic type says what the attribute at `path` is."""
        rows = self._held.get(self.canonical(path))
        return int(rows[0].of) if rows else None

    def hands(self, path: str) -> tuple[str, ...]:
        """What a call of `path` hands to a function that it is given, by position."""
        rows = self._callbacks.get(self.canonical(path))
        return rows[0].hands if rows else ()

    def marks(self, path: str) -> tuple[MarkRow, ...]:
        """Marks of a call of `path`, or of a `with` over it, and of the spelling by which the path is written."""
        known = self._covered.get(path)
        if known is None:
            spelled = (self._spellings.get(path[:end]) for end in boundaries(path)) if self._spellings else ()
            own = self._marks.get(self.canonical(path), ())
            known = self._covered[path] = (*own, *(row for row in spelled if row is not None))
        return known

    def decorator_marks(self, path: str) -> tuple[MarkRow, ...]:
        """Marks of something decorated with `path`."""
        return self._mark_decorators.get(self.canonical(path), ())

    def subclass_marks(self, path: str) -> tuple[MarkRow, ...]:
        """Marks of a class that has `path` among its bases."""
        return self._mark_subclasses.get(self.canonical(path), ())

    def effects(self, path: str) -> tuple[EffectRow, ...]:
        """What a call of `path` does to the world."""
        known = self.canonical(path)
        found = self._effects.get(known, ())
        is_said = found or any(known in rows for rows in (self._calls, self._flows, self._marks))
        return found if is_said else self.alike.of(known)

    def flows(self, path: str) -> tuple[FlowRow, ...]:
        """Sources, sinks and sanitizers among calls of `path`."""
        return self._flows.get(self.canonical(path), ())

    def libraries(self, *kinds: str) -> frozenset[tuple[str, str]]:
        """The (ecosystem, package) pairs of the packs that have an entity row of one of these kinds."""
        return frozenset(library for kind in kinds for library in self._libraries.get(kind, ()))

    def main_package(self, pack: str, ecosystem: str) -> str:
        """The package that a pack names first of an ecosystem; "" where it names none."""
        return next((p.name for p in self.packs[pack].packages if p.ecosystem == ecosystem), "")

    def package_of(self, path: str) -> tuple[str, str] | None:
        """The (ecosystem, package) that `path` is imported from; None for one that no pack knows.

        The standard libraries are (`runtime`, `python`) and (`runtime`, `node`).
        """
        package = self._package(path)
        return (package.ecosystem, package.name) if package else None

    def _package(self, path: str) -> Package | None:
        is_npm = ecosystem_of(path) == "npm"
        separator = "/" if is_npm else "."
        module = path[4:].partition(":")[0] if is_npm else path[3:].partition("(")[0].partition("[")[0]
        while module:
            if package := self._by_module.get((is_npm, module)):
                return package
            module = module.rpartition(separator)[0]
        return None

    def _index(self, rows: Iterable[_Row], paths: Callable[[_Row], tuple[str, ...]]) -> _Index[_Row]:
        index: dict[str, list[_Row]] = {}
        for row in rows:
            for path in dict.fromkeys(map(self._aliases.resolve, paths(row))):
                index.setdefault(path, []).append(row)
        return {path: tuple(found) for path, found in index.items()}

    def _known_versions(
        self, packages: list[Package], entities: list[EntityRow]
    ) -> dict[tuple[str, str], tuple[str, ...]]:
        known = {(p.ecosystem, p.name): {p.verified} for p in packages if p.ecosystem != "runtime"}
        for row in entities:
            for default in (entry for entries in row.defaults.values() for entry in entries if entry.before):
                for package in self._axes(row, default):
                    if package in known:
                        known[package].add(default.before or "")
        return {package: tuple(sorted(versions, key=order_of)) for package, versions in known.items()}

    def _axes(self, row: EntityRow, default: VersionedDefault) -> set[tuple[str, str] | None]:
        if default.package:
            return {default.package}
        return {self.package_of(self._aliases.resolve(path)) for path in (*row.call, *row.decorator, *row.subclass)}

    def entity_names(self, imported: frozenset[str]) -> frozenset[str]:
        """The last names of calls and decorators that make entities, in code that imports from these roots alone.

        A root is what `paths.root_of` says; an alias leads to a further one, and what is handed to a callback. What
        needs no import is always there.
        """
        return of_words(self._names.roots, reached(self._names.leads, {*imported, *BUILT_IN}))

    def names_of_kind(self, *kinds: str) -> frozenset[str]:
        """The last names of calls and decorators that make entities of these kinds."""
        return of_words(self._names.kinds, kinds)

    def effect_names(self, *effects: str) -> frozenset[str]:
        """The last names of calls that have one of these effects."""
        return of_words(self._names.effects, effects).union(self.alike.names(effects))

    def flow_names(self, *kinds: str) -> frozenset[str]:
        """The last names of calls whose results are text of a known origin (`source`), or that take such a text."""
        return of_words(self._names.flows, kinds)

    def mark_names(self, *covers: str) -> frozenset[str]:
        """The last names of calls that have one of these marks."""
        return of_words(self._names.marks, covers)

    def _gathered(self) -> PackNames:
        handed = ((path, hands) for path, rows in self._callbacks.items() for row in rows for hands in row.hands)
        return gathered(
            (self._calls, self._each, self._decorators),
            self._effects,
            self._flows,
            self._marks,
            (*self._aliases.pairs(), *handed),
            lambda paths: self._last_names(dict.fromkeys(paths)),
        )

    def _last_names(self, *indexes: Mapping[str, object]) -> frozenset[str]:
        paths = {path for index in indexes for path in index}
        names = {last_name(path) for path in paths}
        names.update(name for path in paths for name in self._otherwise.get(path, ()))
        return frozenset(names - {""})


def _call(row: _Called) -> tuple[str, ...]:
    return row.call


def _attribute(row: ObjectRow) -> tuple[str, ...]:
    return row.attribute


def _decorator(row: EntityRow | MarkRow) -> tuple[str, ...]:
    return row.decorator


def _type(row: EntityRow) -> tuple[str, ...]:
    return row.typed


def _subclass(row: EntityRow | MarkRow) -> tuple[str, ...]:
    return row.subclass


def _spelled(row: AliasRow) -> MarkRow:
    return MarkRow(row.where, row.covers or "", row.names, (), ())


def _is_npm(package: Package) -> bool:
    return package.ecosystem == "npm" or package.name == "node"  # imported by JavaScript; Node's own are a runtime's


def _by_id(sources: tuple[PackRows, ...]) -> dict[str, Pack]:
    packs: dict[str, Pack] = {}
    for source in sources:
        other = packs.setdefault(source.pack.id, source.pack)
        if other is not source.pack:
            raise PackError(f"{source.pack.file}: the id {source.pack.id!r} is taken by {other.file}")
    return packs


def _aliases(sources: tuple[PackRows, ...]) -> Aliases:
    targets: dict[str, str] = {}
    for source in sources:
        for row in source.aliases:
            for name in row.names:
                if targets.setdefault(name, row.of) != row.of:
                    place, other = f"{source.pack.file}: alias row {row.where.number}", targets[name]
                    raise PackError(f"{place}: {name!r} already names {other!r}")
        for through in source.through:
            if through.from_ == RECEIVER:
                targets |= {f"{path}()": path.rpartition(".")[0] for path in through.call}
    return Aliases(targets)


def _otherwise(aliases: Aliases) -> dict[str, frozenset[str]]:
    """The last names of the aliases of a path."""
    found: dict[str, set[str]] = {}
    for name, target in aliases.pairs():
        found.setdefault(target, set()).add(last_name(name))
    return {target: frozenset(names) for target, names in found.items()}


@lru_cache(maxsize=1)
def own_packs() -> Packs:
    """The packs of this package, read from their files once in a process. Raises as `load_packs` does."""
    return load_packs()


def load_packs(folder: Path | None = None) -> Packs:
    """All packs of `folder` (None: those of this package). Raises `PackError` in one sentence naming file and row."""
    return Packs(read_pack(name, document) for name, document in read_documents(folder))
