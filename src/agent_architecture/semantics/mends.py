"""The calls of the program that may take an argument with which a pack closes a gap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.mends import Mend
from agent_architecture.semantics.known_fixes import admits
from agent_architecture.semantics.paths import last_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.context import Context
    from agent_architecture.semantics.match import Match
    from agent_architecture.semantics.rows import EditRow, FixRow
    from agent_architecture.sources.source import Span

PREFIXES = {"pypi": "py:", "npm": "npm:"}


def mends(context: Context) -> tuple[Mend, ...]:
    """Every argument that a pack knows to close a gap, at every call that takes it, in order of position."""
    rows: dict[tuple[str, str], list[tuple[FixRow, EditRow]]] = {}
    for row in context.packs.fixes:
        if row.edit is not None:
            rows.setdefault((row.where.pack, row.edit.on), []).append((row, row.edit))
    found = (mend for match in context.matches for mend in _at(context, match, rows)) if rows else ()
    return tuple(dict.fromkeys(found))


def _at(context: Context, match: Match, rows: dict[tuple[str, str], list[tuple[FixRow, EditRow]]]) -> Iterator[Mend]:
    written = rows.get((match.row.where.pack, match.row.kind), ())
    place = _call(match) if written and not match.through else None
    if place is None:
        return
    name = last_name(match.api.path)
    for row, edit in written:
        is_its_own = match.api.path.startswith(PREFIXES[row.ecosystem]) and (not edit.called or name in edit.called)
        if is_its_own and _admitted(context, row, match.node.span.path):
            bare = match.arguments is None
            yield Mend(edit.way, row.where.pack, match.node.span, place, name, bare)


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
