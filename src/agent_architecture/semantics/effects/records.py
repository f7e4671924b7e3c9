"""Which calls write a record: a log, an event, something on a span; and which only write to a terminal.

Knows libraries by their rows. Must not know what is recorded.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.log_calls import LOGGING, WARNINGS, says
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.semantics.effects.calls import kinds_of
from agent_architecture.semantics.effects.own_logs import OwnLogs
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context

LOGS: Final = frozenset({"logs"})
RECORDS: Final = frozenset({"measures", "logs"})
"""Marks of what records: numbers, spans and statuses among it."""
SPOKEN: Final = "npm:globalThis:console."
"""What is written to a terminal; an error there is taken for a line of a service's log, numbers are not."""
PAGE: Final = regex(
    rb"""\A(?:\s|//[^\n]*\n|/\*.*?\*/)*["']use client["']"""
    rb"""|^import\s[^;]{0,800}?\buse[A-Z]\w*[^;]{0,800}?\bfrom\s*["'][^"'\n]*(?:react|vue|svelte|solid)[^"'\n]*["']"""
    rb"""|^@Component\(\{|\bfrom\s*["'](?:react-dom|preact/hooks|zustand|pinia|jotai|valtio|@reduxjs/toolkit)\b""",
    re.MULTILINE | re.DOTALL,
)
"""What files say that run in a browser: hooks and stores of a user interface run nowhere else."""
PAGES: Final = (".vue", ".svelte")
LOGGER: Final = regex(r"(?:(?:^|[.:/_-])[Ll]og|(?<=[a-z])Log)(?:ger|s|ging)?(?::default)?(?:\(\))?(?:\.child\(\))*$")
"""How an API path ends that leads to a logger: `getLogger()`, `new Logger()`, `:logger`, `logging.log`, `x/logger`."""

GETTING: Final = frozenset({"getLogger", "get_logger"})
"""Methods that give a logger, of whatever has them."""


def records(context: Context, call: ir.Call) -> bool:
    """Whether a call writes a record: a log, a metric, something on a span."""
    if context.at(call, "event", "span_attribute") is not None or is_marked(context, call.callee):
        return True
    return (is_log(context, call) and not is_spoken(context, call)) or context.once(OwnLogs).writes(call)


def is_log(context: Context, call: ir.Call) -> bool:
    """Whether a call writes a line of a log: a library's row says so, or it has the shape of one (`is_shaped_log`)."""
    return "log" in kinds_of(context, call) or is_shaped_log(context, call)


def only_says(context: Context, call: ir.Call) -> bool:
    """Whether a call does nothing but say something to a log or a terminal: by its row, where it has one, else by how
    it is written.
    """
    kinds = kinds_of(context, call)
    return "log" in kinds if kinds else says(call) or is_shaped_log(context, call)


def is_shaped_log(context: Context, call: ir.Call) -> bool:
    """Whether a call is a level of a logger of a library that nobody knows: `getLogger("x").debug(text)`, or of a
    package that is one itself: `import { debug } from "x/logger"`.
    """
    name = callee_name(call.callee)
    if not isinstance(call.callee, (ir.Name, ir.Member)) or name not in LOGGING or not call.args:
        return False
    paths = [api.path for api in resolved(context.program, call.callee)]
    ends = [path[: -len(name) - 1] for path in paths if path.endswith((f".{name}", f":{name}"))]
    if not paths and isinstance(call.callee, ir.Member) and isinstance(call.callee.target, ir.Call):  # it is handed in
        return callee_name(call.callee.target.callee) in GETTING
    return any(LOGGER.search(end) is not None for end in ends)


def is_marked(context: Context, callee: ir.Expr, covers: frozenset[str] = RECORDS, *, decorator: bool = False) -> bool:
    """Whether a library says of what is called that it records."""
    for api in resolved(context.program, callee):
        marks = context.packs.decorator_marks(api.path) if decorator else context.packs.marks(api.path)
        if any(mark.covers in covers for mark in marks):
            return True
    return False


def is_spoken(context: Context, call: ir.Call) -> bool:
    """Whether a call writes to the console of JavaScript."""
    return any(api.path.startswith(SPOKEN) for api in resolved(context.program, call.callee))


def speaks_of_failure(context: Context, call: ir.Call) -> bool:
    """Whether a call writes what went wrong to the console of a service, where it is a line of its log; on the
    console of a page nobody reads it.
    """
    name = callee_name(call.callee)
    return name in WARNINGS and is_spoken(context, call) and not is_page(context, call.span.path)


def is_page(context: Context, path: str) -> bool:
    """Whether a file runs in a browser."""
    file = context.program.table.file(path)
    return path.endswith(PAGES) or (file is not None and PAGE.search(file.data) is not None)


def texts(context: Context, scope: ir.Scope, call: ir.Call) -> Iterator[str]:
    """The names in what is recorded, those of the values behind its variables, and its keys."""
    named: set[str] = set()
    for argument in call.args:
        if argument.keyword:
            yield argument.keyword
        for node in ir.walk(argument.value):
            named |= {node.id} if isinstance(node, ir.Name) else set()
            yield from words(node)
    for node in context.program.structure(scope).nodes:
        if isinstance(node, ir.Assign) and isinstance(node.target, ir.Name) and node.target.id in named and node.value:
            yield from (word for inner in ir.walk(node.value) for word in words(inner))


def words(node: ir.Node) -> Iterator[str]:
    """The names that a node says: of variables, members and keys."""
    match node:
        case ir.Name():
            yield node.id
        case ir.Member():
            yield node.name
        case ir.Index(key=ir.Literal(value=str() as key)):
            yield key
        case ir.Map():
            yield from (
                e.key.value for e in node.entries if isinstance(e.key, ir.Literal) and isinstance(e.key.value, str)
            )
        case _:
            return
