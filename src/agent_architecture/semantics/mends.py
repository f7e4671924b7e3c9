"""The calls of the program that may take an argument with which a pack closes a gap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from agent_architecture.model.mends import Mend
from agent_architecture.semantics.addresses import EVERY, FUNCTION, LIST, OBJECT, SELF, TEXT
from agent_architecture.semantics.known_fixes import admits
from agent_architecture.semantics.paths import last_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.mends import Way
    from agent_architecture.semantics.addresses import Address, Steps
    from agent_architecture.semantics.context import Context
    from agent_architecture.semantics.match import Match
    from agent_architecture.semantics.rows import FixRow
    from agent_architecture.sources.source import Span

PREFIXES: Final = {"pypi": "py:", "npm": "npm:"}
Rows: TypeAlias = "dict[tuple[str, str], list[FixRow]]"
"""The rows that a program can write, by pack and kind of what they are written at."""


def mends(context: Context) -> tuple[Mend, ...]:
    """Every argument that a pack knows to close a gap, at every call that takes it, in order of position."""
    rows: Rows = {}
    for row in context.packs.fixes:
        for kind in row.edit.on if row.edit is not None else ():
            rows.setdefault((row.where.pack, kind), []).append(row)
    found = (mend for match in context.matches for mend in _at(context, match, rows)) if rows else ()
    return tuple(dict.fromkeys(found))


def _at(context: Context, match: Match, rows: Rows) -> Iterator[Mend]:
    written = rows.get((match.row.where.pack, match.row.kind), ())
    place = _call(match) if written and not match.through else None
    for row in written if place is not None else ():
        way = _way(match, row)
        if way is not None and place is not None and _admitted(context, row, match.node.span.path):
            framework, name = context.packs.packs[row.where.pack].id, last_name(match.api.path)
            yield Mend(way, framework, _subject(match), place, name, match.arguments is None)


def _way(match: Match, row: FixRow) -> Way | None:
    """A row's way, where it is for this call: with the places where the call's own row reads the property."""
    edit, name = row.edit, last_name(match.api.path)
    if edit is None or not match.api.path.startswith(PREFIXES[row.ecosystem]):
        return None
    if edit.called and name not in edit.called:
        return None
    address = match.row.properties.get(edit.property)
    at = edit.way.at if not edit.property else _plain(address)
    return edit.way._replace(at=at) if at else None


def _plain(address: Address | None) -> tuple[Steps, ...]:
    return tuple(filter(_is_plain, address.alternatives)) if address is not None else ()


def _is_plain(steps: Steps) -> bool:
    """Whether a program can write at a place: a keyword or position of the call itself, then keys."""
    marks = (SELF, EVERY, TEXT, LIST, OBJECT, FUNCTION)
    return bool(steps) and not any(step in marks or (isinstance(step, str) and step.startswith("[")) for step in steps)


def _subject(match: Match) -> Span:
    """Where a verdict about what a match makes stands."""
    node = match.node
    return node.name_span if isinstance(node, (ir.Function, ir.Class)) and node.name else node.span


def _call(match: Match) -> Span | None:
    """Where the arguments of a match stand, or the name of a decorator that has none; None for what has no place."""
    if match.arguments is not None:
        return match.arguments.span
    return match.api.node.span if isinstance(match.node, ir.Function) else None


def _admitted(context: Context, row: FixRow, path: str) -> bool:
    if not (row.since or row.before):
        return True
    package = context.packs.main_package(row.where.pack, row.ecosystem)
    return admits(row, context.versions.of(row.ecosystem, package, path).version)
