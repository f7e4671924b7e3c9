"""Which calls make a text harmless for one kind of effect: a quoted word, a bound literal, escaped markup.

The one home of that question, for every place that follows a text to what interprets it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.numbers import MAKING
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context

FAMILIES: Final = {
    "database_read": "database",
    "database_write": "database",
    "execute_process": "execute_shell",
}
"""Effects that are kept from harm by the same calls as another one."""

LINE: Final = "execute_shell"
"""The effect of a text that a shell reads."""

QUOTING: Final = frozenset({"quote", "shellescape", "escapeshellarg", "escapeShellArg", "quoteForShell", "shellQuote"})
"""What functions are called that make one word of a command line of a text."""

QUOTES: Final = frozenset({'"', "`"})
"""What stands around a name in SQL."""

EMBEDDING: Final = regex(
    r"(?:[.:])(?:embeddings\.create|embed(?:Query|Documents|Many|Content)?|a?embed_(?:query|documents|content|texts?))$"
)
"""Calls of libraries that make numbers of a text: vectors carry none of it."""

NUMBERS: Final = MAKING | {"digest", "hexdigest"}
"""Calls that make a number or a digest of a text: none of its words are in it."""

CALLED: Final = regex(r"(\w+)\(\)")
"""The names of the calls on the path of a library's object."""
BUILDING: Final = frozenset({"select", "insert", "update", "delete", "merge"})
"""Calls with which builders of statements begin (SQLAlchemy Core: `select(…)`, `table.insert()`)."""
BINDING: Final = frozenset({"select", "delete"})
"""Those of whose statements all that they are given only says which rows are meant."""

ADDRESS: Final = "address"
"""The family of what a request is sent to: an encoded word of it stays one word."""
ENCODING: Final = frozenset({"quote", "quote_plus", "urlencode", "encodeURIComponent", "escape", "URLSearchParams"})
"""What functions are called that make one part of an address of a text."""

VECTOR: Final = "embedding"
"""The part of such an answer that services of all makers call so."""


def cleans(context: Context, node: ir.Node, effect: str) -> bool:
    """Whether an expression is harmless for an effect, whatever text it is made of."""
    if _takes_vector(node):
        return True
    if not isinstance(node, ir.Call):
        return False
    family, name = FAMILIES.get(effect, effect), callee_name(node.callee)
    if family == LINE and name in QUOTING:
        return True
    if (family != LINE and name in NUMBERS) or (family == ADDRESS and name in ENCODING):
        return True
    if family == "database" and _quotes_names(context.program, node):
        return True
    if _embeds(node.callee, name) and any(True for _ in resolved(context.program, node.callee)):
        return True
    if name not in _names(context):
        return False
    rows = (row for api in resolved(context.program, node.callee) for row in context.packs.flows(api.path))
    return any(row.kind == "sanitizer" and row.name == family for row in rows)


def bound(context: Context, node: ir.Node, effect: str) -> tuple[ir.Expr, ...] | None:
    """What of a call that builds a statement a text still comes through to a database: the statement that it goes on
    with, and what is written as text; the rest it binds as values. None for any other expression.
    """
    if FAMILIES.get(effect, effect) != "database" or not isinstance(node, ir.Call):
        return None
    if not isinstance(node.callee, ir.Member):
        return None
    paths = [api.path for api in resolved(context.program, node.callee)]
    if not paths or not all(BINDING & set(CALLED.findall(path)) for path in paths):
        return None
    return (node.callee.target, *(a.value for a in node.args if _is_text(context, a.value)))


def _is_text(context: Context, value: ir.Expr) -> bool:
    """Whether an argument is a part of a statement that is written as text: `text("…")`, which a pack names."""
    apis = (each.path for each in context.program.value_of(value) if isinstance(each, Api))
    rows = (row for path in apis if path.endswith("()") for row in context.packs.flows(path.removesuffix("()")))
    return any(row.kind == "sink" and row.name == "database" for row in rows)


def _takes_vector(node: ir.Node) -> bool:
    """Whether an expression takes the vector out of a service's answer: `data.data[0].embedding`."""
    match node:
        case ir.Member(target=ir.Index(), name=name) | ir.Index(target=ir.Index(), key=ir.Literal(value=str() as name)):
            return name == VECTOR
        case _:
            return False


def _embeds(callee: ir.Expr, name: str) -> bool:
    """Whether a callee is named as what makes numbers of a text; most are told apart by their last name alone."""
    return ("embed" in name or name == "create") and EMBEDDING.search(f".{dotted(callee)}") is not None


def _quotes_names(program: Program, call: ir.Call) -> bool:
    """Whether functions of the project make a quoted name for SQL of a text: `"` around it, each one in it doubled."""
    functions = program.callees(call)
    returned = [value for function in functions for value in program.structure(function).returns]
    return bool(returned) and len(returned) >= len(functions) and all(map(_is_quoted_name, returned))


def _is_quoted_name(value: ir.Expr) -> bool:
    match _joined(value):
        case (ir.Literal(value=str() as opens), inner, ir.Literal(value=str() as closes)):
            return opens == closes and opens in QUOTES and _doubles(inner, opens)
        case _:
            return False


def _joined(value: ir.Expr) -> tuple[ir.Expr, ...]:
    """What a text is put together from."""
    match value:
        case ir.Template(parts=parts):
            return parts
        case ir.Operator(op=ir.Op.ADD, operands=(first, last)):
            return (*_joined(first), last)
        case _:
            return (value,)


def _doubles(inner: ir.Expr, quote: str) -> bool:
    """Whether a call doubles each of these quotes in a text; JavaScript's `replace` of a text does so to the first."""
    match inner:
        case ir.Call(
            callee=ir.Member(name="replace" | "replaceAll" as name),
            args=(ir.Argument(value=ir.Literal(value=one) as found), ir.Argument(value=ir.Literal(value=two)), *_),
        ):
            is_flagged = found.span.end_col - found.span.col > len(f"/{quote}/")
            every = name == "replaceAll" or is_flagged or is_python(found.span.path)
            return one == quote and two == quote + quote and every
        case _:
            return False


def _names(context: Context) -> frozenset[str]:
    return context.once(_last_names)


def _last_names(context: Context) -> frozenset[str]:
    """The last names of all calls that clean, and what the project's imports call them."""
    rows = (row for pack in context.packs.sources for row in pack.flows if row.kind == "sanitizer")
    names = {path.rpartition(".")[2].rpartition(":")[2] for row in rows for path in row.call}
    return frozenset(names.union(*(context.program.import_aliases(name) for name in names)))
