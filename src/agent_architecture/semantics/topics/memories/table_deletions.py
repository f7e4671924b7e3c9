"""Whether code deletes rows of a table: of the table itself, or of one whose rows take them along (`cascade`)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import ABSENT, written
from agent_architecture.names.lookup import literal_of, visible_bindings
from agent_architecture.names.options import keyed
from agent_architecture.names.values import Api, ClassValue
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.model.settings import Setting
    from agent_architecture.names.program import Program

DELETING: Final = (
    "delete",
    "deleteMany",
    "deleteOne",
    "delete_one",
    "delete_many",
    "findByIdAndDelete",
    "findOneAndDelete",
)
HIDING: Final = "update"
MARK: Final = regex(r"(?i)delet|archiv")
"""A call that marks rows as deleted, by the field that it sets."""
RELATION: Final = "relationship"
CASCADE: Final = "cascade"
ALONG: Final = regex(r"\b(?:all|delete)\b")
STEPS: Final = 4
"""Variables through which a row is followed to the query that found it."""

Table = ir.Class | ir.Call


def deleted_rows(program: Program, table: Table) -> Setting:
    """The last call that deletes rows: it is given the table or a row of it, or called on a query of it."""
    found = ABSENT
    tables = (table, *_parents(program, table)) if isinstance(table, ir.Class) else (table,)
    for name in (*DELETING, HIDING):
        for site in program.calls(name):
            if name == HIDING and not _marks(program, site.call):
                continue
            if any(_names(program, expr, each) for expr in _given(program, site.call) for each in tables):
                found = written(True, site.call.span)
    return found


def _marks(program: Program, call: ir.Call) -> bool:
    return any(MARK.search(key) for given in call.args for key, _ in keyed(program, given.value))


def _given(program: Program, call: ir.Call) -> Iterator[ir.Name]:
    """What a call is given, and what the chain before it is called on and given: `query(Turn).filter(…).delete()`; of a
    variable, what the query names that it was made by.
    """
    queue: list[tuple[ir.Expr, int]] = [(argument.value, 0) for argument in call.args]
    around = call.callee
    while isinstance(around, (ir.Member, ir.Call)):
        if isinstance(around, ir.Call):
            queue += [(argument.value, 0) for argument in around.args]
            around = around.callee
        else:
            around = around.target
    queue.append((around, 0))
    for expr, steps in queue:  # grows
        for part in ir.walk(expr) if steps else (expr,):
            if isinstance(part, ir.Name):
                yield part
                made = visible_bindings(program, part) if steps < STEPS else ()
                queue += [(b.value, steps + 1) for b in made if b.kind == "assign" and b.value is not None]


def _names(program: Program, expr: ir.Name, table: Table) -> bool:
    for value in program.value_of(expr):
        if isinstance(table, ir.Class) and isinstance(value, ClassValue) and value.cls is table:
            return True
        if isinstance(value, Api) and value.node is table:
            return True
    return False


def _parents(program: Program, table: ir.Class) -> Iterator[ir.Class]:
    """The tables whose rows take rows of this one along: `turns: list["Turn"] = relationship(cascade="all")`."""
    for site in program.calls(RELATION):
        words = (literal_of(program, given.value) for given in site.call.args if given.keyword == CASCADE)
        if any(each is not None and ALONG.search(str(each.value)) for each in words):
            for cls in program.module_of(site.call).index.classes:
                fields = (b for group in program.attributes(cls).values() for b in group if b.value is site.call)
                if cls is not table and any(_speaks_of(field.node, table.name) for field in fields):
                    yield cls


def _speaks_of(node: ir.Node, name: str) -> bool:
    """Whether a field names a class in its type, or in the call that declares it, as code or as text."""
    texts = (str(part.value) for part in ir.walk(node) if isinstance(part, ir.Literal))
    names = (part.id for part in ir.walk(node) if isinstance(part, ir.Name))
    return any(re.search(rf"\b{re.escape(name)}\b", text) for text in (*texts, *names))
