"""Rows that the project keeps of its runs: what it writes to a table or document store of its own, or hands to a
function that is called as one that records and puts it away.

A row is one of a run where its fields say how long it took, how many tokens it used or which tools it called, beside
what only a run has. A field that nobody ever fills says nothing. Must not know what the row is asked for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, Const, Entries, Instance, Items
from agent_architecture.regexes import regex
from agent_architecture.semantics.effects.calls import kinds_of
from agent_architecture.semantics.effects.record_only import speaks_of_records
from agent_architecture.semantics.effects.records import words
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.matching.context import Context

TABLES: Final = frozenset({"database", "database_write"})
KEPT: Final = TABLES | {"write_file"}
DEPTH: Final = 3
"""Functions between one that is called as a record and what puts it away."""
TOKENS: Final = regex(
    r"(?:^|_)(?:tokens|token_(?:count|total|usage)|usage)(?:_|$)|(?:^|[a-z])[tT]oken(?:s|Count|Total|Usage)(?:[A-Z]|$)|^usage[A-Z]"
)
"""Amounts of tokens; one token is a key to something."""
TIMES: Final = regex(r"duration|latency|elapsed|(?:response|execution|processing)_?time|took", re.IGNORECASE)
TOOLS: Final = regex(
    r"tool_?(?:calls?|uses?|names?|invocations?)|function_?calls?|(?:stop|finish)_?reason", re.IGNORECASE
)
CHOICES: Final = regex(r"tool|function|action|decision", re.IGNORECASE)
"""What is chosen: how many there are, or were, says of none that it was."""
FILLING: Final = ("append", "extend", "insert", "add", "push", "unshift")
"""Methods that put something into a list."""
RUN: Final = regex(
    r"model|prompt|response|answer|reply|completion|agent|llm|(?:^|_)steps?(?:_|$)|assistant|conversation|query",
    re.IGNORECASE,
)
"""What a row says that only a run of an agent or a request to a model has, beside a time, an amount or a tool."""


class RunRows:
    """Answers what a call writes of a run. Remembers which functions of the project put something away."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._puts_away: dict[int, bool] = {}

    def said(self, call: ir.Call) -> str:
        """The names of the fields of a row that a call writes of a run, in a line; "" where it writes none."""
        if not self.is_kept(call):
            return ""
        program = self._context.program
        names = [name for name, value in _fields(program, call) if not _says_nothing(program, name, value)]
        telling = [name for name in names if any(each.search(name) for each in (TOKENS, TIMES, TOOLS))]
        others = (name for name in names if name not in telling or len(telling) > 1)
        return " ".join(names) if telling and any(map(RUN.search, others)) else ""

    def is_kept(self, call: ir.Call) -> bool:
        """Whether a call writes to a table, or is of a function that is called as a record and puts it away."""
        if kinds_of(self._context, call) & TABLES:
            return True
        named = speaks_of_records(callee_name(call.callee))
        return named and any(self._is_away(function, DEPTH) for function in self._context.program.callees(call))

    def _is_away(self, function: ir.Function, depth: int) -> bool:
        """Whether a function, or one that it calls, writes a table, a store or a file."""
        found = self._puts_away.get(id(function))
        if found is None and depth:
            calls = self._context.program.structure(function).calls
            found = self._puts_away[id(function)] = any(self._writes(call, depth) for call in calls)
        return bool(found)

    def _writes(self, call: ir.Call, depth: int) -> bool:
        if kinds_of(self._context, call) & KEPT:
            return True
        return any(self._is_away(function, depth - 1) for function in self._context.program.callees(call))


def _fields(program: Program, call: ir.Call) -> Iterator[tuple[str, ir.Expr]]:
    """The fields of what a call is given: its keywords, the keys of its objects, and those of the objects behind its
    variables.
    """
    for argument in call.args:
        if argument.keyword:
            yield argument.keyword, argument.value
        yield from _keys(argument.value)
        for value in () if isinstance(argument.value, ir.Map) else program.value_of(argument.value):
            match value:
                case Instance(call=ir.Call() as made) | Api(node=ir.Call() as made):
                    yield from ((each.keyword, each.value) for each in made.args if each.keyword)
                case Entries():
                    yield from value.entries
                case _:
                    continue


def _keys(expr: ir.Expr) -> Iterator[tuple[str, ir.Expr]]:
    """The keys of objects that are written in an expression, those inside of others, too."""
    for node in ir.walk(expr):
        for entry in node.entries if isinstance(node, ir.Map) else ():
            if isinstance(entry.key, ir.Literal) and isinstance(entry.key.value, str):
                yield entry.key.value, entry.value


def _says_nothing(program: Program, name: str, expr: ir.Expr) -> bool:
    """Whether a field is nothing on every way: a default that no code replaces, a list that stays empty; or only says
    how many tools there are.
    """
    if isinstance(expr, ir.Call) and callee_name(expr.callee) == "len":
        return CHOICES.search(name) is not None
    values = program.value_of(expr)
    if not values or not all(_is_nothing(value) for value in values):
        return False
    return not any(isinstance(value, Items) for value in values) or not _is_filled(program, name)


def _is_nothing(value: Value) -> bool:
    if isinstance(value, Items):
        return value.complete and not value.items
    return isinstance(value, Const) and value.value is None


def _is_filled(program: Program, name: str) -> bool:
    """Whether code puts something into a list that stands under a name."""
    sites = (site.call.callee for verb in FILLING for site in program.calls(verb))
    targets = (callee.target for callee in sites if isinstance(callee, ir.Member))
    return any(name in words(target) for target in targets)
