"""The effective value of a property: what the call says, else what was set on its receiver, else the agent's, else
the library's default.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.confidence import Degree
from agent_architecture.model.settings import ABSENT, UNKNOWN_LIBRARY, Origin, Setting, default, first_of, unknown
from agent_architecture.names.values import Api, Const, Func
from agent_architecture.semantics.manifests.ranges import is_below
from agent_architecture.semantics.matching.counted_stops import most
from agent_architecture.semantics.matching.read import Read, at_call, to_setting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_architecture.model.settings import Scalar
    from agent_architecture.names.values import Value, Values
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.packs.rows import EntityRow, VersionedDefault


STEPS: Final = "step_limit"


def effective(context: Context, match: Match, name: str, *agents: Match) -> Setting:
    """The property `name` of a match; `agents` are asked after it, in order.

    Where a place leaves the property out on some ways only, the next place's values join it.
    """
    written: list[Setting] = []
    for place in (match, *agents):
        for found in _written(context, place, name):
            read = found if name != STEPS else _counted(context, found)
            setting = translated(to_setting(context.program, read), place.row.values.get(name, {}))
            if setting.origin is Origin.UNKNOWN:
                return setting
            if setting.origin is Origin.WRITTEN:
                written.append(setting)
                if not read.missing:
                    return _joined(written, ABSENT)
    fallback = next(
        (d for place in (match, *agents) if (d := library_default(context, place, name)) is not ABSENT), ABSENT
    )
    if fallback is ABSENT and match.degree is not Degree.RESOLVED:
        return _joined(written, unknown(UNKNOWN_LIBRARY, match.node.span))
    return _joined(written, fallback)


def _counted(context: Context, read: Read) -> Read:
    """What was read of a step limit, with the numbers that functions in it count to."""
    return read._replace(values=tuple(_count(context, value) for value in read.values))


def _count(context: Context, value: Value) -> Value:
    count = most(context.program, value.function) if isinstance(value, Func) else None
    return value if count is None or not isinstance(value, Func) else Const(count, value.function.span)


def written_values(context: Context, match: Match, name: str) -> Values:
    """What the call itself says of a property, then what was set on its receivers, as values."""
    return tuple(value for read in _written(context, match, name) for value in read.values)


def _written(context: Context, match: Match, name: str) -> tuple[Read, ...]:
    """What the call itself says, then what was set on its receivers, nearest first."""
    reads = []
    address = match.row.properties.get(name)
    if address is not None:
        reads.append(at_call(context.program, match.arguments, match.api.receiver, address))
    for row, call, receiver in context.set_calls.of(match):
        if name in row.properties:
            reads.append(at_call(context.program, call, receiver, row.properties[name]))
    return tuple(read for read in reads if read.values)


def translated(setting: Setting, words: Mapping[str, Scalar]) -> Setting:
    """The values in the vocabulary's words, where a row translates them (looked up in lower case: `True` as "true")."""
    if not words:
        return setting
    return setting._replace(values=tuple(words.get(_spelled(value), value) for value in setting.values))


def _spelled(value: Scalar) -> str:
    return str(value).lower()


def _joined(written: list[Setting], fallback: Setting) -> Setting:
    if not written:
        return fallback
    values = [value for setting in (*written, fallback) for value in setting.values]
    return Setting(
        Origin.WRITTEN, tuple(dict.fromkeys(values)), written[0].span, fallback.source if fallback.values else ""
    )


def library_default(context: Context, match: Match, name: str) -> Setting:
    """What the library supplies, by the version that the project uses; `ABSENT` when the pack names nothing."""
    row = match.row
    if name in row.constants:
        return default(row.constants[name], context.packs.packs[row.where.pack].id)
    for entry in row.defaults.get(name, ()):
        package, version = _version(context, row, entry, match, name)
        if entry.before is None or is_below(version, entry.before):
            if entry.like is not None:
                return _like(context, entry.like, name, match)
            return default(entry.value, f"{package} {version}".strip())
    return ABSENT


def effective_in_runs(context: Context, match: Match, name: str, *others: Match) -> Setting:
    """As `effective`; of an agent that others run, too, what its pack says that the library supplies to its runs."""
    setting = effective(context, match, name, *others)
    if setting is not ABSENT or match.row.kind != "agent":
        return setting
    where, language = match.row.where.pack, match.api.path.partition(":")[0]
    rows = (row for source in context.packs.sources if source.pack.id == where for row in source.entities)
    runs = (row for row in rows if row.kind == "run" and row.call and row.call[0].startswith(f"{language}:"))
    settings = (library_default(context, match._replace(row=row), name) for row in runs)
    return first_of(settings)


def _like(context: Context, path: str, name: str, match: Match) -> Setting:
    for row in context.packs.entities(path):
        if name in row.defaults and row is not match.row:
            return library_default(context, match._replace(row=row, api=Api(path, match.api.node)), name)
    return ABSENT


def _version(context: Context, row: EntityRow, entry: VersionedDefault, match: Match, name: str) -> tuple[str, str]:
    """The package whose version decides a default, and that version.

    It is the package that owns the thing; where that is not installed and no version matters, the imported one.
    """
    path = match.node.span.path
    written = context.packs.package_of(match.api.path)
    owner = entry.package or context.packs.package_of(context.packs.canonical(match.api.path)) or written
    if owner is None:
        return row.where.pack, ""
    found = context.versions.of(*owner, path)
    if found.origin == "newest" and written is not None and all(e.before is None for e in row.defaults[name]):
        found, owner = context.versions.of(*written, path), written
    return owner[1], found.version
