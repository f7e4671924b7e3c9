"""The calls of the program that may take an argument with which a pack closes a gap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from agent_architecture.model.fix_places import Mend
from agent_architecture.semantics.matching.matches import bare_decorator
from agent_architecture.semantics.packs.addresses import EVERY, FUNCTION, LIST, OBJECT, SELF, TEXT
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.semantics.topics.fixes.known_fixes import admits, is_against, numbers_stated
from agent_architecture.semantics.topics.fixes.stated_steps import with_room
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.fix_places import Way
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.semantics.packs.addresses import Steps
    from agent_architecture.semantics.packs.packs import Packs
    from agent_architecture.semantics.packs.rows import EntityRow, FixRow
    from agent_architecture.sources.source import Span

PREFIXES: Final = {"pypi": "py:", "npm": "npm:"}
Rows: TypeAlias = "dict[tuple[str, str], list[FixRow]]"
"""The rows that a program can write, by pack and kind of what they are written at."""


def mends(context: Context, *kinds: str) -> tuple[Mend, ...]:
    """Every argument that a pack knows to close a gap, at every call that takes it, in order of position; at those of
    some kinds alone, if any are named.
    """
    rows: Rows = {}
    for row in context.packs.fixes:
        for kind in row.edit.on if row.edit is not None else ():
            rows.setdefault((row.where.pack, kind), []).append(row)
    wanted = (match for match in context.matches if not kinds or match.row.kind in kinds)
    found = (mend for match in wanted for mend in _at(context, match, rows)) if rows else ()
    return tuple(dict.fromkeys(found))


def _at(context: Context, match: Match, rows: Rows) -> Iterator[Mend]:
    for row in rows.get((match.row.where.pack, match.row.kind), ()) if not match.through else ():
        edit, place = row.edit, _call(context, match)
        if edit is None or not _is_for(context, row, match):
            continue
        made = _maker(match)
        at, of_maker = _ways(context.packs, match, row)
        if at and place is not None:
            yield _mend(context, match, edit.way._replace(at=at), place, row.where.number)
        elif of_maker and made is not None:
            yield _mend(context, match, edit.way._replace(at=of_maker), made.span, row.where.number)


def _mend(context: Context, match: Match, way: Way, place: Span, number: int) -> Mend:
    framework, name = context.packs.packs[match.row.where.pack].id, last_name(match.api.path)
    is_bare = match.arguments is None and isinstance(match.node, ir.Function)
    roomy = _roomy(context, way)
    return Mend(roomy, framework, _subject(match), place, name, is_bare, number)


def _roomy(context: Context, way: Way) -> Way:
    """A way whose limit leaves room for what the project's texts ask for in numbers."""
    numbers = context.once(numbers_stated)
    names = [step for step in way.at[0] if isinstance(step, str)] if way.at and any(numbers) else []
    if not (names and way.value):
        return way
    label = f"{names[-1]}="
    return way._replace(value=with_room(label + way.value, numbers).removeprefix(label))


def _is_for(context: Context, row: FixRow, match: Match) -> bool:
    """Whether a row speaks of this call: its language, its name, the version of its library, and what is beside it."""
    edit = row.edit
    if edit is None or not match.api.path.startswith(PREFIXES[row.ecosystem]):
        return False
    if edit.called and last_name(match.api.path) not in edit.called:
        return False
    if edit.beside and not any(_serves(one, row.where.pack) for one in context.of_kind(edit.beside)):
        return False
    path = match.node.span.path
    return _admitted(context, row, path) and not is_against(context, row, path)


def _serves(match: Match, pack: str) -> bool:
    """Whether something is of a library, or says that it holds for it, too."""
    return pack in {match.row.where.pack, *str(match.row.constants.get("scope", "")).split()}


def _ways(packs: Packs, match: Match, row: FixRow) -> tuple[tuple[Steps, ...], tuple[Steps, ...]]:
    """Where a row's value goes: at the call itself, and at the call that made what it is called on."""
    edit = row.edit
    if edit is None:
        return (), ()
    address = match.row.properties.get(edit.property)
    if edit.property:
        steps = address.alternatives if address is not None else ()
    else:
        steps = tuple(one for one in edit.way.at if edit.way.renames or _is_taken(packs, match, one))
    inner = tuple(one[1:] for one in steps if one[:1] == (SELF,))
    return tuple(filter(_is_plain, steps)), tuple(filter(_is_plain, inner))


def _is_taken(packs: Packs, match: Match, steps: Steps) -> bool:
    """Whether the call takes an argument there: its pack reads it at that call."""
    depth = next((number for number, step in enumerate(steps, 1) if isinstance(step, str)), len(steps))
    path, pack = match.api.path, match.row.where.pack
    at_call = (packs.entities(path), packs.decorators(path), packs.each(path), packs.typed(path))
    rows = (match.row, *(row for some in at_call for row in some if row.where.pack == pack))
    return any(read[:depth] == steps[:depth] for row in rows for read in _read_by(row))


def _read_by(row: EntityRow) -> Iterator[Steps]:
    """The places that a row reads."""
    conditions = (address for address, _ in (*row.requires, *row.forbids))
    for address in (*row.properties.values(), *row.relations.values(), *conditions):
        yield from address.alternatives


def _maker(match: Match) -> ir.Call | None:
    """The call that made the object that a method is called on."""
    made = match.api.receiver
    return made.node if made is not None and isinstance(made.node, ir.Call) else None


def _is_plain(steps: Steps) -> bool:
    """Whether a program can write at a place: a keyword or position of the call itself, then keys."""
    marks = (SELF, EVERY, TEXT, LIST, OBJECT, FUNCTION)
    return bool(steps) and not any(step in marks or (isinstance(step, str) and step.startswith("[")) for step in steps)


def _subject(match: Match) -> Span:
    """Where a verdict about what a match makes stands."""
    node = match.node
    return node.name_span if isinstance(node, (ir.Function, ir.Class)) and node.name else node.span


def _call(context: Context, match: Match) -> Span | None:
    """Where the arguments of a match stand, or the name of a decorator that has none; None for what has no place."""
    if match.arguments is not None:
        return match.arguments.span
    decorator = bare_decorator(context.program, match) if isinstance(match.node, ir.Function) else None
    return decorator.span if decorator is not None else None


def _admitted(context: Context, row: FixRow, path: str) -> bool:
    if not (row.since or row.before):
        return True
    package = context.packs.main_package(row.where.pack, row.ecosystem)
    return admits(row, context.versions.of(row.ecosystem, package, path).version)
