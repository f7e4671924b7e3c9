"""Conversations in tables of databases: a table with a column for who spoke, whose rows a model is asked with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.memory import NOT_SHOWN, Holding, Memory
from agent_architecture.model.settings import ABSENT, default, written
from agent_architecture.names import flow, members
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.options import entries_of
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Unknown
from agent_architecture.regexes import regex
from agent_architecture.semantics.bounds.trims import SHORTENS, parts_of, size_kept
from agent_architecture.semantics.conversations.container_names import words_of
from agent_architecture.semantics.topics.memories.memory import ByHand
from agent_architecture.semantics.topics.memories.table_deletions import deleted_rows
from agent_architecture.semantics.topics.memories.table_reads import shown
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, KeysView

    from agent_architecture.model.settings import Setting
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.topics.memories.prompt_reads import Recalled
    from agent_architecture.sources.source import Span

SPEAKERS: Final = frozenset({"role", "sender", "speaker", "author"})
"""Columns that say who spoke."""
SAID: Final = frozenset({"content", "message", "text", "body", "feed", "parts", "contents"})
"""Columns that say what was said."""
ASKED: Final = regex(r"(?:human|user)_?(?:message|text|input|query|prompt|content)$|(?:question|prompt|query|request)$")
ANSWERED: Final = regex(
    r"(?:ai|assistant|bot|model|agent|llm)_?(?:message|text|output|response|reply|answer|content)$"
    r"|(?:answer|response|reply|completion)$"
)
"""Columns for what a person said and for what was answered, of a row that keeps both, in lower case."""
TABLE: Final = "__tablename__"
COLUMNS: Final = frozenset({"Column", "mapped_column", "relationship"})
TABLES: Final = frozenset({"pgTable", "mysqlTable", "sqliteTable"})
"""Calls that declare a table."""
OWNERS: Final = regex(
    r"(?:user|owner|tenant|account|customer|session|chat|thread|conversation|agent|run"
    r"|execution)(?:_id)?$"
)
"""Columns that say whose a row is, in lower case with `_` between words."""


def conversations(context: Context, read: Recalled) -> Iterator[ByHand]:
    """The tables, by what declares them."""
    program = context.program
    for cls, reading in read.classes.items():
        columns = _columns(program, cls)
        if _is_table(program, cls) and _speaks(columns.keys()):
            deleted = deleted_rows(program, cls)
            made = (site.call for site in program.calls(cls.name) if site.call.args)
            table = _shown(program, read, _table(cls.name_span, cls.name, columns, deleted), reading)
            yield _put_together(program, read, ByHand(table, tuple(made), (reading,)), reading)
    for call, reading in read.made.items():
        columns = _keys(program, call) if callee_name(call.callee) in TABLES else {}
        if _speaks(columns.keys()):
            deleted = deleted_rows(program, call)
            table = _shown(program, read, _table(call.span, context.symbol(call), columns, deleted), reading)
            yield _put_together(program, read, ByHand(table), reading)


def _table(span: Span, symbol: str, columns: dict[str, Span], deletes: Setting) -> Memory:
    owner = next((name for name in columns if OWNERS.search(words_of(name))), None)
    namespace = ABSENT if owner is None else written(owner, columns[owner])
    durable = default(True, "a database")
    return Memory(span, symbol, "", Holding.CONVERSATION, durable=durable, namespace=namespace, deletes=deletes)


def _put_together(program: Program, read: Recalled, table: ByHand, reading: ir.Node) -> ByHand:
    """A table with the lists that its rows become for a model, where nothing limits how many there are."""
    bound = table.memory.bound
    if bound is not ABSENT and (not bound.is_known or None not in bound.values):
        return table
    if id(reading) in read.told:  # a library's conversation is filled with it, which is judged for itself
        return table._replace(memory=table.memory._replace(contexts=(reading.span,)))
    lists = shown(program, read, reading, next(_limits(program, reading), None))
    return table._replace(shown=lists, memory=table.memory._replace(contexts=tuple(one.span for one in lists)))


def _limits(program: Program, reading: ir.Node) -> Iterator[ir.Expr]:
    """How many rows the function that reads a table takes: `query(Turn).order_by(…).limit(20)`."""
    calls = program.calls_in(program.scope_of(reading)).get("limit", ())
    return (call.args[0].value for call in calls if call.args)


def _shown(program: Program, read: Recalled, table: Memory, reading: ir.Node) -> Memory:
    """A table of which the function that reads it takes so many rows, or one on the way to the model."""
    found = next(_limits(program, reading), None)
    if found is not None:
        return table._replace(bound=size_kept(program, found), overflow=written(NOT_SHOWN, found.span))
    cut = next(_cuts(program, read, program.scope_of(reading)), None)
    if cut is None:
        return table
    bound = written(f"what {callee_name(cut.callee)} leaves", cut.span)
    return table._replace(bound=bound, overflow=written(NOT_SHOWN, cut.span))


def _cuts(program: Program, read: Recalled, reading: ir.Scope) -> Iterator[ir.Call]:
    """The calls on the ways to a model that are given what a function reads, and give back a part of it."""
    for function in read.entered:
        shortens = SHORTENS.match(function.name or "") is not None
        for param in function.params if shortens else parts_of(program, function):
            for site in program.callers(function):
                given = passed_argument(site, function, param)
                if given is None or isinstance(given, Unknown):
                    continue
                spans = (span for origin in flow.origins(program, given) for span in origin.trail)
                if any(span.path == reading.span.path and reading.span.contains(span) for span in spans):
                    yield site.call


def _speaks(columns: KeysView[str]) -> bool:
    """Whether rows are turns: a column says who spoke; or each is a question with its answer, of somebody's talk (a
    list of questions that are often asked is nobody's).
    """
    if columns & SPEAKERS and columns & SAID:
        return True
    words = [words_of(name) for name in columns]
    return all(any(form.match(word) for word in words) for form in (ASKED, ANSWERED, OWNERS))


def _columns(program: Program, cls: ir.Class) -> dict[str, Span]:
    found: dict[str, Span] = {}
    for each in members.lineage(program, cls):
        found |= {name: bindings[0].node.span for name, bindings in program.attributes(each).items() if bindings}
    return found


def _is_table(program: Program, cls: ir.Class) -> bool:
    own = program.attributes(cls)
    is_model = any(keyword.keyword == "table" for keyword in cls.parts.keywords)  # class Turn(SQLModel, table=True)
    return TABLE in own or is_model or any(_is_column(b.value) for group in own.values() for b in group)


def _is_column(value: ir.Expr | None) -> bool:
    return isinstance(value, ir.Call) and callee_name(value.callee) in COLUMNS


def _keys(program: Program, call: ir.Call) -> dict[str, Span]:
    entries = (entry for argument in call.args for entry in entries_of(program, argument.value))
    return {str(e.key.value): e.key.span for e in entries if isinstance(e.key, ir.Literal)}
