"""Calls that write into a file which is a log by its name or its folder: `logs/run.json`, `log_file.write(…)`.

Must not know what is written.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names import flow
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api
from agent_architecture.regexes import regex
from agent_architecture.semantics.effects.calls import given_to
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import CallSite
    from agent_architecture.semantics.matching.context import Context

WRITES: Final = "write_file"
READS: Final = "read_file"
LOG_NAME: Final = regex(
    r"(?:^|_)logs?(?:_|$)|(?:^|_)log(?:file|path|dir|folder)|^logs?(?=[A-Z])|(?<=[a-z])Logs?(?=[A-Z_]|$)", re.ASCII
)
"""What variables are called that hold such a file, or the way to it."""
LOG_PATH: Final = regex(r"(?:^|[\s/\\_.-])logs?(?:$|[\s/\\_.-])", re.IGNORECASE)
"""What such a path says."""
DOCUMENT: Final = regex(r"(?:^|[/\\])logs?\.(?:md|markdown|rst|docx?|org)$|[a-z]_log\.md$", re.IGNORECASE)
"""A log that is a document: of decisions, of a day's work."""
LOG_TEXT: Final = regex(rb"[lL][oO][gG][sS]?(?=[\s/\\_.\-\"'`{$]|\Z)")
"""What stands in a file that has such a text, perhaps filled in further on (`f"log{number}"`, `log${number}`)."""
INTO: Final = frozenset({"write", "writelines"})
"""Methods of an open file that write what they are given."""
DUMPED: Final = frozenset({"dump", "safe_dump"})
"""Calls that write their first argument into the file that is their second."""
NEAR: Final = 8
"""Places on the way of a path, beyond which a word in it is more likely another's."""


def log_files(context: Context) -> tuple[tuple[CallSite, tuple[ir.Expr, ...]], ...]:
    """Each call, with what it writes."""
    return context.once(_log_files)


def _log_files(context: Context) -> tuple[tuple[CallSite, tuple[ir.Expr, ...]], ...]:
    return tuple(_each(context))


def _each(context: Context) -> Iterator[tuple[CallSite, tuple[ir.Expr, ...]]]:
    opened: set[int] = set()
    for name in sorted(context.packs.effect_names(WRITES)):
        for site in context.program.calls(name):
            path = _path(context, site.call, WRITES)
            if path is not None and _is_log(context, path) and not _is_read_again(context, path):
                opened.add(id(site.call))
                yield site, tuple(a.value for a in site.call.args if a.value is not path)
    for name in sorted(INTO | DUMPED):
        for site in context.program.calls(name):
            file = _file(site.call)
            if file is not None and _is_open_log(context, site, file, opened):
                texts = tuple(argument.value for argument in site.call.args)
                yield site, texts[:1] if name in DUMPED else texts


def _path(context: Context, call: ir.Call, effect: str) -> ir.Expr | None:
    """Where a call writes or reads."""
    return next((expr for _, expr in given_to(context, call, {effect})), None)


def _file(call: ir.Call) -> ir.Expr | None:
    """The open file that a call writes into."""
    if callee_name(call.callee) in DUMPED:
        plain = [argument.value for argument in call.args if argument.keyword is None]
        return plain[1] if len(plain) > 1 else None
    return call.callee.target if isinstance(call.callee, ir.Member) else None


def _is_open_log(context: Context, site: CallSite, file: ir.Expr, opened: set[int]) -> bool:
    around = context.program.structure(site.scope).enclosing(site.call, ir.With)
    items = (item for block in around for item in block.items if item.target is not None and item.value is not None)
    inner = next((item.value for item in items if dotted(item.target) == dotted(file)), None)  # type: ignore[arg-type]
    if inner is not None:
        return id(inner) in opened
    values = context.program.value_of(file)
    if values and all(isinstance(value, Api) and id(value.node) in opened for value in values):
        return True
    is_named = isinstance(file, (ir.Name, ir.Member)) and LOG_NAME.search(callee_name(file)) is not None
    return is_named and any(isinstance(value, Api) and value.path.endswith("open()") for value in values)


def _is_log(context: Context, path: ir.Expr) -> bool:
    """Whether a path says that a file is a log: by the names in it, or by its constant texts. A document that people
    read is none, whatever it keeps: a log of decisions in Markdown.
    """
    named = any(LOG_NAME.search(callee_name(name)) for name in _names(path))
    file = context.program.table.file(path.span.path)
    if not named and file is not None and LOG_TEXT.search(file.data) is None:
        return False
    texts = list(_texts(context, path))
    return (named or any(map(LOG_PATH.search, texts))) and not any(map(DOCUMENT.search, texts))


def _texts(context: Context, path: ir.Expr) -> Iterator[str]:
    """The constant texts that a path is made of, near to where it is written."""
    for origin in flow.origins(context.program, path):
        text = origin.node.value if isinstance(origin.node, ir.Literal) else None
        is_near = origin.node.span.path == path.span.path
        if is_near and isinstance(text, str) and len(origin.trail) <= NEAR:
            yield text


def _is_read_again(context: Context, path: ir.Expr) -> bool:
    """Whether the code around reads the same file: what it keeps there is a store."""
    written = {dotted(name) for name in _names(path)}
    for name in sorted(context.packs.effect_names(READS)):
        for site in context.program.calls(name):
            read = _path(context, site.call, READS) if site.call.span.path == path.span.path else None
            if isinstance(read, (ir.Name, ir.Member)) and dotted(read) in written:
                return True
    return False


def _names(path: ir.Expr) -> Iterator[ir.Name | ir.Member]:
    return (node for node in ir.walk(path) if isinstance(node, (ir.Name, ir.Member)))
