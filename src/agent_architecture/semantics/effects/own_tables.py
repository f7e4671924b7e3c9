"""Tables that the code makes and fills by itself: every word in them stands in the code, as in a file that lies beside.

A table is the project's own where statements of the code create it and put constant rows into it, and no statement puts
other text there. One statement that cannot be read may write to any of them. Must not know who reads the rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import flow
from agent_architecture.names.string_parts import GAP
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.effects.statements import SET, TABLE, statements_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.syntax import ir

STATES: Final = ("database", "database_read", "database_write")
CREATES: Final = regex(rf"(?is)^\s*create\s+(?:temp\w*\s+)?table\s+(?:if\s+not\s+exists\s+)?{TABLE}\s*\((.*)\)")
ADDS: Final = regex(rf"(?is)^\s*(?:insert\s+(?:or\s+\w+\s+)?|replace\s+)into\s+{TABLE}\s*(?:\(([^)]*)\))?(.*)$")
CHANGES: Final = regex(rf"(?is)^\s*update\s+(?:or\s+\w+\s+)?{TABLE}\s+set\s+(.*?)(?:\swhere\s.*)?$")
LOOKS: Final = regex(r"(?i)^\s*(?:select|with|delete|drop|pragma|begin|commit|rollback|create\s+(?:unique\s+)?index)\b")
"""Statements that put no text into a table."""
ASKED: Final = regex(rf"(?i)\b(?:from|join)\s+(?!lateral\b){TABLE}")
"""The tables of a statement that asks."""
NUMBERS: Final = regex(
    r"(?i)\b(?:int\w*|bigint|smallint|real|float\w*|double|numeric|decimal|bool\w*|date\w*|time\w*|serial)\b"
)
"""Types of columns that hold no text."""
OPEN: Final = regex(r"\?|\$\d|%s|%\(|:\w|\0|@\w")
"""What stands in a statement for a value that is given beside it."""
CONSTANT: Final = "constant"


class _Table(NamedTuple):
    """A table that a statement creates, with the columns that hold text."""

    name: str
    columns: tuple[str, ...]
    texts: frozenset[str]


def reads_own_rows(context: Context, call: ir.Call) -> bool:
    """Whether all that a call asks a database for stands in tables which the code alone fills."""
    own = context.once(_own_tables)
    statements = statements_of(context, call, STATES) if own else ()
    return bool(statements) and all(_asks_only(own, statement) for statement in statements)


def _asks_only(own: frozenset[str], statement: str) -> bool:
    asked = {name.lower() for name in ASKED.findall(statement)}
    return bool(asked) and asked <= own


def _own_tables(context: Context) -> frozenset[str]:
    """The names of these tables, in lower case."""
    written = tuple(_statements(context))
    made = {table.name: table for statement, _ in written if (table := _created(statement)) is not None}
    filled: set[str] = set()
    for statement, call in written if made else ():
        if LOOKS.match(statement) or CREATES.match(statement):
            continue
        name = _written_to(statement)
        if name is None:
            return frozenset()
        if name in made and not _puts_text(context, made[name], statement, call):
            filled.add(name)
        else:
            made.pop(name, None)
    return frozenset(filled & made.keys())


def _statements(context: Context) -> Iterator[tuple[str, ir.Call]]:
    """Every statement of the project with its call, by position."""
    sites = (site for name in sorted(context.packs.effect_names(*STATES)) for site in context.program.calls(name))
    calls = {id(site.call): site.call for site in sites}
    for call in sorted(calls.values(), key=lambda call: call.span):
        for statement in statements_of(context, call, STATES):
            yield statement, call


def _created(statement: str) -> _Table | None:
    found = CREATES.match(statement)
    if found is None:
        return None
    columns = [line.split(None, 1) for line in found[2].split(",") if line.strip()]
    named = {words[0].strip('`"[]').lower(): words[1] if len(words) > 1 else "" for words in columns}
    texts = frozenset(name for name, kind in named.items() if not NUMBERS.search(kind))
    return _Table(found[1].lower(), tuple(named), texts)


def _written_to(statement: str) -> str | None:
    """The table that a statement writes to; None for one that cannot be read."""
    found = ADDS.match(statement) or CHANGES.match(statement)
    return found[1].lower() if found is not None else None


def _puts_text(context: Context, table: _Table, statement: str, call: ir.Call) -> bool:
    """Whether a statement puts text into a table that does not stand in the code."""
    added = ADDS.match(statement)
    if added is not None:
        columns = [name.strip(' \n\t`"[]').lower() for name in (added[2] or ",".join(table.columns)).split(",")]
        values = added[3]
    else:
        changed = CHANGES.match(statement)
        values = changed[2] if changed is not None else GAP
        columns = [name.lower() for name in SET.findall(values)]
    if not table.texts.intersection(columns) or not OPEN.search(values):
        return False
    given = [argument.value for argument in call.args[1:]]
    ends = [end for expr in given for end in flow.ends(context.program, expr)]
    return not ends or any(end.kind != CONSTANT for end in ends)
