"""What a project's own code does with the runs that a checkpointer of a library keeps: which statements take rows out
of its tables, and whether each run has a thread of its own.

The tables are the library's; a project that asks them by hand names them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import ABSENT, Setting, written
from agent_architecture.names.string_parts import GAP, pieces_of, with_gaps
from agent_architecture.names.values import Const
from agent_architecture.records import NamedTuple
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.read import expressions
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match
    from agent_architecture.sources.source import Span

TABLES: Final = frozenset({"checkpoints", "checkpoint_writes", "checkpoint_blobs", "writes"})
"""What LangGraph's savers call their tables."""
EXECUTES: Final = ("execute", "executemany", "query")
TAKES_OUT: Final = regex(r"\s*delete\s+from\s+[\"`]?(\w+|\0)[\"`]?(.*)", re.IGNORECASE | re.DOTALL)
OLDER: Final = regex(r"<|\bolder\b|\binterval\b", re.IGNORECASE)
"""How a statement says that all before a time go."""
OF_RUN: Final = regex(r"(?:\w+[._])?(?:run|invocation|execution)_?(?:id|uuid)", re.IGNORECASE)
"""What the id of one run is called."""


THREAD: Final = "thread_id"


class Taken(NamedTuple):
    """What takes kept runs out again: one that somebody names, and those that are old."""

    named: Setting = ABSENT
    old: Setting = ABSENT


NEVER: Final = Taken()


def taken_out(context: Context) -> Taken:
    """The statements on the tables of a checkpointer, in functions that somebody may call."""
    return context.once(_taken_out)


def _taken_out(context: Context) -> Taken:
    found = sorted(_statements(context.program))
    named = next((written(True, span) for span, is_old in found if not is_old), ABSENT)
    old = next((written("a time", span) for span, is_old in found if is_old), ABSENT)
    return Taken(named, old)


def _statements(program: Program) -> Iterator[tuple[Span, bool]]:
    for name in EXECUTES:
        for site in program.calls(name):
            if not site.call.args or not _may_run(program, site.scope):
                continue
            pieces = pieces_of(program, site.call.args[0].value)
            text = TAKES_OUT.match(with_gaps(pieces))
            if text is not None and TABLES.intersection(_tables(program, text[1], pieces)):
                yield site.call.span, OLDER.search(text[2]) is not None


def _tables(program: Program, table: str, pieces: tuple[str | ir.Expr, ...]) -> Iterator[str]:
    if table != GAP:
        yield table.lower()
        return
    first = next(piece for piece in pieces if not isinstance(piece, str))
    yield from (str(value.value).lower() for value in program.value_of(first) if isinstance(value, Const))


def _may_run(program: Program, scope: ir.Scope) -> bool:
    """Whether anybody calls the code; a method that nobody calls deletes nothing."""
    if not isinstance(scope, ir.Function):
        return True
    return bool(scope.decorators) or bool(program.callers(scope)) or isinstance(scope.outer, ir.Module)


def has_thread_of_run(context: Context) -> bool:
    """Whether each run is kept under its own id alone, so that none goes on where another one ended."""
    threads = [thread for match in context.of_kind("run", "kept_run") if (thread := _threads(context, match))]
    return bool(threads) and all(OF_RUN.fullmatch(name) for names in threads for name in names)


def _threads(context: Context, match: Match) -> tuple[str, ...]:
    """What the threads of a run are called; "" for one without a name."""
    address = match.row.properties.get(THREAD)
    if address is None or match.arguments is None:
        return ()
    return tuple(dotted(expr) for expr in expressions(context.program, match.arguments, address))
