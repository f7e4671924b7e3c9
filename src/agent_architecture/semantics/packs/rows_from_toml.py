"""TOML tables to rows: every malformed row is one sentence that names the file, the row and what is wrong with it.

Knows the vocabulary and the two grammars; must not know which libraries there are, nor what rows are used for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Final, TypeVar

from agent_architecture.errors import PackError
from agent_architecture.model.settings import Scalar
from agent_architecture.model.vocabulary import (
    CONVENTIONS,
    EFFECTS,
    FLOWS,
    HISTORIES,
    HOLDINGS,
    ISOLATIONS,
    KINDS,
    MARKS,
    MODEL_EVENTS,
    ORIGINS,
    PLACEHOLDERS,
    ROLES,
    WORK,
)
from agent_architecture.semantics.packs.addresses import SELF, Address, is_place, parse_address
from agent_architecture.semantics.packs.api_paths import canonical, expand
from agent_architecture.semantics.packs.fix_rows import fix_row
from agent_architecture.semantics.packs.header import ECOSYSTEMS, read_header, tables
from agent_architecture.semantics.packs.rows import (
    AliasRow,
    CallbackRow,
    DocumentRow,
    EffectRow,
    EntityRow,
    EnvironmentRow,
    FlowRow,
    MarkRow,
    Match,
    ObjectRow,
    Pack,
    PackRows,
    SettingRow,
    ThroughRow,
    VersionedDefault,
    Where,
)
from agent_architecture.semantics.packs.toml_values import (
    Table,
    as_table,
    known_keys,
    mapping,
    members,
    nearest,
    one_of,
    scalar,
    text,
    texts,
)

_T = TypeVar("_T")

_ALL_PROPERTIES: Final = frozenset[str]().union(*(kind.properties for kind in KINDS.values()))
_ALL_RELATIONS: Final = frozenset[str]().union(*(kind.relations for kind in KINDS.values()))
_PLACES: Final = ("call", "decorator", "subclass")
_WORDS: Final = {
    "holds": HOLDINGS, "isolation": ISOLATIONS, "role": ROLES, "syntax": PLACEHOLDERS,
    "convention": CONVENTIONS, "work": WORK, "events": MODEL_EVENTS,
    "history": HISTORIES, "hears": HISTORIES,
}  # fmt: skip
"""Properties whose values are words of the vocabulary."""
_address = lru_cache(maxsize=None)(parse_address)


def read_pack(file: str, document: Table) -> PackRows:
    """All rows of one parsed TOML file; `file` is its name in messages (`frameworks/x.toml`). Raises `PackError`."""
    for key in document:
        if key in KINDS and key not in _READERS:
            raise PackError(f'{file}: {key!r} is a kind of entity, no table: [[entity]] with kind = "{key}"')
    known_keys(document, ("framework", "package", *_READERS), f"{file}: ")
    pack = read_header(file, document)
    return PackRows(
        pack,
        entities=_rows(pack, document, "entity", _entity),
        settings=_rows(pack, document, "setting", _setting),
        marks=_rows(pack, document, "mark", _mark),
        through=_rows(pack, document, "through", _through),
        objects=_rows(pack, document, "object", _object),
        callbacks=_rows(pack, document, "callback", _callback),
        effects=_rows(pack, document, "effect", _effect),
        flows=_rows(pack, document, "flow", _flow),
        documents=_rows(pack, document, "document", _document),
        environment=_rows(pack, document, "environment", _environment),
        fixes=_rows(pack, document, "fix", fix_row),
        aliases=_rows(pack, document, "alias", _alias),
    )


_READERS: Final = (
    "entity", "callback", "setting", "mark", "through", "object",
    "effect", "flow", "document", "environment", "fix", "alias",
)  # fmt: skip


def _rows(pack: Pack, document: Table, kind: str, read: Callable[[Where, Table], _T]) -> tuple[_T, ...]:
    rows: list[_T] = []
    for number, table in enumerate(tables(document, kind, pack.file), 1):
        try:
            rows.append(read(Where(pack.id, kind, number), table))
        except PackError as error:
            raise PackError(f"{pack.file}: {kind} row {number}: {error}") from None
    return tuple(rows)


# -------------------------------------------------------------------------------------------------------- kinds of row
def _entity(where: Where, table: Table) -> EntityRow:
    kind = one_of(table, "kind", KINDS)
    vocabulary = KINDS[kind]
    conditions = ("when", "unless", "requires", "forbids")
    places = (*_PLACES, "outside", "each", "text", "method", "file", "typed", "before")
    keys = ("kind", *places, "constant", "relations", "values", "defaults", *conditions)
    known_keys(table, (*keys, *sorted(vocabulary.properties)))
    properties = _addresses(table, vocabulary.properties)
    relations = _relations(table, vocabulary.relations, kind)
    when, unless = (_conditions(table, key, {*properties, *relations}) for key in ("when", "unless"))
    calls, decorators, subclasses = ((), (), ()) if {"text", "file", "typed"} & table.keys() else _places(table)
    if "each" in table and not calls:
        raise PackError("'each' says where in a call the objects are: 'call' is missing")
    return EntityRow(
        where,
        kind,
        calls,
        decorators,
        subclasses,
        text(table, "method") if "method" in table else None,
        properties,
        _scalars(table, "constant", vocabulary.properties, kind),
        relations,
        _translations(table, properties, kind),
        _defaults(table, vocabulary.properties, kind),
        when,
        unless,
        _constants(table, "requires"),
        _constants(table, "forbids"),
        _address(text(table, "each")) if "each" in table else None,
        texts(table, "text") if "text" in table else (),
        _paths(table, "outside") if "outside" in table else (),
        text(table, "file") if "file" in table else "",
        _paths(table, "typed") if "typed" in table else (),
        text(table, "before") if "before" in table else "",
    )


def _conditions(table: Table, key: str, read: Collection[str]) -> tuple[str, ...]:
    names = texts(table, key)
    for name in names:
        if is_place(name):
            _address(name)
        elif name not in read:
            raise PackError(f"{key!r} names {name!r}, which this row does not read")
    return names


def _setting(where: Where, table: Table) -> SettingRow:
    known_keys(table, ("call", "relations", *sorted(_ALL_PROPERTIES)))
    properties = _addresses(table, _ALL_PROPERTIES)
    relations = _relations(table, _ALL_RELATIONS, "setting")
    if not properties and not relations:
        raise PackError("a setting sets at least one property or relation")
    return SettingRow(where, _paths(table, "call"), properties, relations)


def _mark(where: Where, table: Table) -> MarkRow:
    known_keys(table, (*_PLACES, "attribute", "covers"))
    attributes = _paths(table, "attribute") if "attribute" in table else ()
    places = ((), (), ()) if attributes and not set(_PLACES) & table.keys() else _places(table)
    return MarkRow(where, one_of(table, "covers", MARKS), *places, attributes)


def _through(where: Where, table: Table) -> ThroughRow:
    known_keys(table, ("call", "from"))
    row = ThroughRow(where, _paths(table, "call"), _address(text(table, "from")))
    if row.from_ == RECEIVER:
        for path in row.call:
            if ")." not in path and "]." not in path:
                raise PackError(f"{path!r} has no receiver, so 'self' is nothing")
    return row


RECEIVER: Final = Address(((SELF,),))


def _object(where: Where, table: Table) -> ObjectRow:
    known_keys(table, ("call", "attribute", "of"))
    of = text(table, "of")
    if "attribute" not in table:
        return ObjectRow(where, _paths(table, "call"), of)
    if "call" in table or not of.isdigit():
        raise PackError("an 'attribute' stands instead of 'call', and 'of' is the number of a type's argument")
    return ObjectRow(where, (), of, _paths(table, "attribute"))


def _callback(where: Where, table: Table) -> CallbackRow:
    known_keys(table, ("call", "hands"))
    return CallbackRow(where, _paths(table, "call"), _paths(table, "hands"))


def _effect(where: Where, table: Table) -> EffectRow:
    known_keys(table, ("call", "effect", "argument", "requires", "looks", "service", "procedure", "begins", "others"))
    effect, service = one_of(table, "effect", EFFECTS), table.get("service", False)
    if not isinstance(service, bool):
        raise PackError("'service' is true or false")
    looks, procedure = (_address(text(table, key)) if key in table else None for key in ("looks", "procedure"))
    required = _constants(table, "requires")
    begins, others = (texts(table, key) if key in table else () for key in ("begins", "others"))
    paths = _paths(table, "call")
    return EffectRow(
        where, effect, paths, _argument(table), required, looks, service, procedure, begins, frozenset(others)
    )


def _choices(value: object, key: str) -> tuple[Scalar, ...]:
    """One value, or a list of values of which one is enough."""
    choices = value if isinstance(value, list) else [value]
    if not choices:
        raise PackError(f"{key!r} is a value or a list of values")
    return tuple(scalar(choice, key) for choice in choices)


def _flow(where: Where, table: Table) -> FlowRow:
    kind = one_of(table, "kind", FLOWS)
    key = "origin" if kind == "source" else "effect"
    known_keys(table, ("kind", "call", "argument", key))
    name = one_of(table, key, ORIGINS if kind == "source" else EFFECTS)
    argument = _argument(table)
    if (argument is None) != (kind == "source"):
        raise PackError("a source has no argument; a sink and a sanitizer have one")
    return FlowRow(where, kind, name, _paths(table, "call"), argument)


def _document(where: Where, table: Table) -> DocumentRow:
    kind = one_of(table, "kind", KINDS)
    vocabulary = KINDS[kind]
    keys = ("kind", "glob", "each", "key", "only", "constant", "relations", "matches", "values", "defaults")
    known_keys(table, (*keys, *sorted(vocabulary.properties)))
    globs = tuple(path for spelling in texts(table, "glob") for path in expand(spelling))
    if not globs:
        raise PackError("'glob' is missing")
    properties = _addresses(table, vocabulary.properties)
    return DocumentRow(
        where,
        globs,
        kind,
        _address(text(table, "each")).alternatives if "each" in table else ((),),
        properties,
        _scalars(table, "constant", vocabulary.properties, kind),
        _relations(table, vocabulary.relations, kind),
        {name: _match(value) for name, value in members(table, "matches", vocabulary.properties, kind)},
        _defaults(table, vocabulary.properties, kind),
        _translations(table, properties, kind),
        one_of(table, "key", vocabulary.properties) if "key" in table else None,
        _match(table["only"]) if "only" in table else None,
    )


def _environment(where: Where, table: Table) -> EnvironmentRow:
    kind = one_of(table, "kind", KINDS)
    known_keys(table, ("kind", "variable", "command", "attribute", "sets", "constant", "values"))
    variables, commands = (
        tuple(name for spelling in texts(table, key) for name in expand(spelling)) for key in ("variable", "command")
    )
    attributes = _paths(table, "attribute") if "attribute" in table else ()
    if not variables and not commands and not attributes:
        raise PackError("one of variable, command and attribute is missing")
    sets = one_of(table, "sets", KINDS[kind].properties)
    constants = _scalars(table, "constant", KINDS[kind].properties, kind)
    values = _translations(table, (sets,), kind).get(sets, {})
    return EnvironmentRow(where, kind, variables, commands, attributes, sets, constants, values)


def _match(value: object) -> Match:
    table = as_table(value, "matches")
    known_keys(table, ("at", "like"))
    return Match(_address(text(table, "at")), texts(table, "like"))


def _alias(where: Where, table: Table) -> AliasRow:
    known_keys(table, ("of", "names", "covers"))
    covers = one_of(table, "covers", MARKS) if "covers" in table else None
    return AliasRow(where, canonical(text(table, "of")), _spellings(table, "names"), covers)


# ---------------------------------------------------------------------------------------------------------- their parts
def _places(table: Table) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    if not any(place in table for place in _PLACES):
        raise PackError("one of call, decorator and subclass is missing")
    calls, decorators, subclasses = (_paths(table, place) if place in table else () for place in _PLACES)
    return calls, decorators, subclasses


def _paths(table: Table, key: str) -> tuple[str, ...]:
    paths = _spellings(table, key)
    for path in paths:
        if path.endswith("*"):
            raise PackError(f"{path!r} stands for any member, which only the names of an alias may do")
    return paths


def _spellings(table: Table, key: str) -> tuple[str, ...]:
    spellings = texts(table, key)
    if not spellings:
        raise PackError(f"{key!r} is missing")
    return tuple(canonical(path) for spelling in spellings for path in expand(spelling))


def _addresses(table: Table, names: Collection[str]) -> dict[str, Address]:
    return {name: _address(text(table, name)) for name in table if name in names}


def _constants(table: Table, key: str) -> tuple[tuple[Address, tuple[Scalar, ...]], ...]:
    return tuple((_address(at), _choices(value, at)) for at, value in sorted(mapping(table, key).items()))


def _argument(table: Table) -> Address | None:
    return _address(text(table, "argument")) if "argument" in table else None


def _relations(table: Table, allowed: Collection[str], kind: str) -> dict[str, Address]:
    found = dict(members(table, "relations", allowed, kind))
    return {name: _address(text(found, name)) for name in found}


def _scalars(table: Table, key: str, allowed: Collection[str], kind: str) -> dict[str, Scalar]:
    return {name: _worded(name, value) for name, value in members(table, key, allowed, kind)}


def _translations(table: Table, read: Collection[str], kind: str) -> dict[str, dict[str, Scalar]]:
    return {
        name: {written.lower(): _worded(name, word) for written, word in as_table(words, f"values.{name}").items()}
        for name, words in members(table, "values", read, kind)
    }


def _worded(name: str, value: object) -> Scalar:
    """A value in the vocabulary's words, where it has words for this property."""
    word = scalar(value, name)
    words = _WORDS.get(name, {})
    if words and word not in words:
        raise PackError(f"{name} = {word!r} is unknown{nearest(str(word), words)}")
    return word


def _defaults(table: Table, allowed: Collection[str], kind: str) -> dict[str, tuple[VersionedDefault, ...]]:
    return {name: _versions(name, value) for name, value in members(table, "defaults", allowed, kind)}


def _versions(name: str, value: object) -> tuple[VersionedDefault, ...]:
    entries = value if isinstance(value, list) else [value]
    defaults = tuple(_default(name, entry) for entry in entries)
    if not defaults or defaults[-1].before is not None:
        raise PackError(f"the last default of {name!r} has no 'before': it is the newest one")
    if any(entry.before is None for entry in defaults[:-1]):
        raise PackError(f"only the last default of {name!r} has no 'before'")
    return defaults


def _default(name: str, value: object) -> VersionedDefault:
    entry = as_table(value, f"defaults.{name}")
    known_keys(entry, ("before", "value", "none", "like", "source", "package"))
    if "source" not in entry:
        raise PackError(f"the default of {name!r} has no source (file:symbol)")
    source = text(entry, "source")
    if ":" not in source:
        raise PackError(f"the source {source!r} of a default is written file:symbol")
    if sum(key in entry for key in ("value", "none", "like")) != 1:
        raise PackError(f"a default of {name!r} says one of value, none = true and like")
    return VersionedDefault(
        text(entry, "before") if "before" in entry else None,
        scalar(entry["value"], name) if "value" in entry else None,
        source,
        _package_name(text(entry, "package")) if "package" in entry else None,
        canonical(text(entry, "like")) if "like" in entry else None,
    )


def _package_name(spelling: str) -> tuple[str, str]:
    ecosystem, _, name = spelling.partition(":")
    if ecosystem not in ECOSYSTEMS or not name:
        raise PackError(f"{spelling!r} names no package: it is written pypi:name or npm:name")
    return ecosystem, name
