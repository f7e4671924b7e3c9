"""Calls that put a row into a table or list which is a log by its name: `AuditLog(detail=…)`, `insert into audit_log`,
`rpush("desk_logs", line)`.

Must not know what is written.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names import classes
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import ClassValue, Const
from agent_architecture.regexes import regex
from agent_architecture.semantics.effects.calls import given_to, kinds_of
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.semantics.matching.context import Context

TABLE: Final = "__tablename__"
LOG: Final = regex(
    r"(?:^|_)(?:logs?|audits?)(?:_|$)|^(?:log|audit)s?(?=[A-Z])|(?:(?<=[a-z])|^)(?:Log|Audit)s?(?=[A-Z_]|$)", re.ASCII
)
"""What tables are called, and the classes of their rows, that keep what happened."""
INSERT: Final = regex(r"(?is)^\s*insert\s+(?:or\s+\w+\s+)?into\s+[`\"\[]?(?:\w+[`\"\]]?\.[`\"\[]?)?(\w+)")
"""The table of a statement that adds a row."""
ADDING: Final = ("insert", "create", "save", "upsert", "add")
"""How the names begin of methods that add a row."""
APPENDING: Final = frozenset({"rpush", "lpush", "rPush", "lPush", "xadd", "xAdd"})
"""Methods that append to what their first argument names."""
WRITES: Final = "database_write"
STATES: Final = ("database", "database_write")


def log_tables(context: Context) -> Iterator[tuple[CallSite, tuple[ir.Expr, ...]]]:
    """Each call, with what it writes."""
    program = context.program
    for cls in (cls for module in program.modules for cls in module.index.classes if _is_log(program, cls)):
        for site in program.calls(cls.name):
            if any(isinstance(v, ClassValue) and v.cls is cls for v in program.value_of(site.call.callee)):
                yield site, tuple(argument.value for argument in site.call.args)
    for name in sorted(context.packs.effect_names(*STATES)):
        for site in program.calls(name):
            texts = _added(context, site.call)
            if texts:
                yield site, texts


def _is_log(program: Program, cls: ir.Class) -> bool:
    """Whether a class is that of the rows of a log."""
    named = next((value for node in cls.body if (value := _table_name(node)) is not None), None)
    if named is None or classes.library_base(program, cls) is None:
        return False
    return LOG.search(named) is not None or LOG.search(cls.name) is not None


def _table_name(node: ir.Node) -> str | None:
    if isinstance(node, ir.Assign) and dotted(node.target) == TABLE and isinstance(node.value, ir.Literal):
        return str(node.value.value)
    return None


def _added(context: Context, call: ir.Call) -> tuple[ir.Expr, ...]:
    """What a call adds to a log: the values of a statement that does, or of a method of such a table."""
    given = [text for _, text in given_to(context, call, STATES)]
    for text in given:
        said = next((node.value for node in ir.walk(text) if isinstance(node, ir.Literal)), None)
        into = INSERT.search(said) if isinstance(said, str) else None
        if into is not None:
            return tuple(a.value for a in call.args if a.value is not text) if LOG.search(into[1]) else ()
    if callee_name(call.callee) in APPENDING and call.args and WRITES in kinds_of(context, call):
        return tuple(a.value for a in call.args[1:]) if _is_key_of_log(context.program, call.args[0].value) else ()
    begins = callee_name(call.callee).startswith(ADDING)
    if not begins or WRITES not in kinds_of(context, call) or not isinstance(call.callee, ir.Member):
        return ()
    return tuple(a.value for a in call.args) if _names_log(call.callee.target) else ()


def _is_key_of_log(program: Program, key: ir.Expr) -> bool:
    values = program.value_of(key)
    return bool(values) and all(isinstance(v, Const) and LOG.search(str(v.value)) is not None for v in values)


def _names_log(target: ir.Expr) -> bool:
    """Whether the table that a method is called of is called a log: `prisma.auditLog`, `db.from("audit_logs")`."""
    match target:
        case ir.Name(id=name) | ir.Member(name=name) if LOG.search(name):
            return True
        case ir.Call(args=(ir.Argument(value=ir.Literal(value=str() as name)), *_)) if LOG.search(name):
            return True
        case ir.Index(key=ir.Literal(value=str() as name)) if LOG.search(name):
            return True
        case _:
            return False
