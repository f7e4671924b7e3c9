"""Texts and tables that calls and operators make, in the form that is written for them: a `Template`, a `Map`.

`"{} b".format(a)`, `"%s b" % a`, `" ".join([a, b])` and `"…" + a` say what an f-string says, `dict(a=1)` and
`Object.assign({}, a)` what a display says. Only what is written out becomes another form: a text that has a name, a
field that is used twice, arguments that are spread stay as they are, so that no part is left out and none is doubled.
"""

from __future__ import annotations

from itertools import groupby
from string import Formatter
from typing import TYPE_CHECKING, Final

from agent_architecture.regexes import regex
from agent_architecture.sources.source import Span
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_LONGEST: Final = 200_000
"""A longer text is not taken apart."""
_PERCENT: Final = regex(r"%(?:\(([^()]*)\))?[-+ #0]*\d*(?:\.\d+)?[hlL]?([diouxXeEfFgGcrsa%])")

_NUMBERS: Final = regex(r"[-+ #<>=^\d,_.]*[bdiuoxXeEfFgG%]")
"""Formats that only numbers have (Python's format specification; a date's begins with `%` and a letter)."""


def is_text(node: ir.Expr) -> bool:
    """Whether an expression is a text by how it is written."""
    match node:
        case ir.Template() | ir.Literal(value=str()):
            return True
    return _told(node) is not node


def joined(span: Span, parts: Iterable[ir.Expr]) -> ir.Literal | ir.Template:
    """A literal if all parts are constant, else a template whose adjacent constants are one."""
    merged: list[ir.Expr] = []
    for constant, run in groupby(
        map(_told, parts), key=lambda part: isinstance(part, ir.Literal) and isinstance(part.value, str)
    ):
        if constant:
            merged += _one([part for part in run if isinstance(part, ir.Literal)])
        else:
            merged += run
    if not merged:
        return ir.Literal(span, "")
    match merged:
        case [ir.Literal(value=str(text))]:
            return ir.Literal(span, text)
    return ir.Template(span, tuple(merged))


def shown(value: ir.Expr, form: str) -> ir.Expr:
    """A value in a text, in a format: what is written as a number is one: `{share:.0%}` is `{+share}`."""
    if not _NUMBERS.fullmatch(form):
        return value
    return ir.Operator(value.span, ir.Op.POS, (value,))


def _told(part: ir.Expr) -> ir.Expr:
    """`x` for `str(x)` and `String(x)`: a text tells its parts as these do."""
    match part:
        case ir.Call(callee=ir.Name(id="str" | "String"), args=(ir.Argument(keyword=None, value=value, spread=""),)):
            return value
    return part


def _one(run: Sequence[ir.Literal]) -> tuple[ir.Literal, ...]:
    """Adjacent constants as one; none if they are empty."""
    text = "".join([part.value for part in run if isinstance(part.value, str)])
    start, end = run[0].span, run[-1].span
    span = Span(start.path, start.line, start.col, end.end_line, end.end_col)
    return (ir.Literal(span, text),) if text else ()


def parts_of(node: ir.Expr) -> tuple[ir.Expr, ...]:
    """The parts of a text that is written out; anything else is one part of a text."""
    return node.parts if isinstance(node, ir.Template) else (node,)


def chained(first: ir.Expr, steps: Iterable[tuple[Span, ir.Op, ir.Expr]], *, converts: bool) -> ir.Expr:
    """`a + b % c - …`, from the left; `converts`: a text on the right makes a text of any left, and `%` is a number."""
    value, parts, whole = first, list[ir.Expr](), first.span
    for span, op, right in steps:
        if op is ir.Op.ADD and (parts or is_text(value) or (converts and is_text(right))):
            parts = parts or list(parts_of(value))
            parts += parts_of(right)
            whole = span
            continue
        if parts:
            value, parts = joined(whole, parts), []
        filled = None
        if op is ir.Op.MOD and not converts and isinstance(value, ir.Literal):
            filled = by_percent(span, value, right)
        value = filled or ir.Operator(span, op, (value, right))
    return joined(whole, parts) if parts else value


def joined_list(span: Span, separator: str, items: ir.Expr) -> ir.Expr | None:
    """`separator.join([…])`, `[…].join(separator)`; None for a list that is not written out."""
    if not isinstance(items, ir.List) or items.kind == "set" or any(isinstance(i, ir.Spread) for i in items.items):
        return None
    parts: list[ir.Expr] = []
    for item in items.items:
        if parts:
            parts.append(ir.Literal(Span(*item.span[:3], *item.span[1:3]), separator))
        parts += parts_of(item)
    return joined(span, parts)


def formatted(span: Span, text: ir.Literal, args: Sequence[ir.Argument]) -> ir.Expr | None:
    """`text.format(…)`; None where a field is not given once."""
    if not isinstance(text.value, str) or len(text.value) > _LONGEST or any(argument.spread for argument in args):
        return None
    given: dict[str, ir.Expr] = {a.keyword: a.value for a in args if a.keyword is not None}
    given |= {str(number): value for number, value in enumerate([a.value for a in args if a.keyword is None])}
    parts: list[ir.Expr] = []
    number = 0
    try:
        for before, field, form, _ in Formatter().parse(text.value):
            parts.append(ir.Literal(text.span, before))
            if field is None:
                continue
            value = None if "{" in (form or "") else given.pop(field or str(number), None)
            number += not field
            if value is None:
                return None
            parts.append(shown(value, form or ""))
    except ValueError:
        return None
    return None if given else joined(span, parts)


def by_percent(span: Span, text: ir.Literal, right: ir.Expr) -> ir.Expr | None:
    """`text % right`; None where the fields are not those that are given."""
    if not isinstance(text.value, str) or len(text.value) > _LONGEST:
        return None
    found = list(_PERCENT.finditer(text.value))
    values = _values([match[1] for match in found if match[2] != "%"], right)
    if values is None:
        return None
    parts: list[ir.Expr] = []
    end = 0
    for match in found:
        parts.append(ir.Literal(text.span, text.value[end : match.start()]))
        parts.append(ir.Literal(text.span, "%") if match[2] == "%" else shown(next(values), match[2]))
        end = match.end()
    rest = text.value[end:]
    return None if "%" in rest else joined(span, (*parts, ir.Literal(text.span, rest)))


def _values(fields: Sequence[str | None], right: ir.Expr) -> Iterator[ir.Expr] | None:
    """What stands for each field of a text with per cent signs."""
    if isinstance(right, ir.Map) and None not in fields:
        table = {e.key.value: e.value for e in right.entries if isinstance(e.key, ir.Literal)}
        if len(table) != len(right.entries) or len(table) != len(fields) or set(table) != set(fields):
            return None
        return iter([table[field] for field in fields if field is not None])
    if any(field is not None for field in fields):
        return None
    items = right.items if isinstance(right, ir.List) and right.kind == "tuple" else (right,)
    return iter(items) if len(items) == len(fields) and not any(isinstance(i, ir.Spread) for i in items) else None


def table(span: Span, args: Sequence[ir.Argument], names: Sequence[Span]) -> ir.Map | None:
    """`dict(a=1)`, with where the names stand; None where pairs or a table are given, by position or spread: what is
    put together of others' tables is no display.
    """
    entries: list[ir.Entry] = []
    for argument, at in zip(args, names, strict=True):
        if argument.keyword is None:
            return None
        entries.append(ir.Entry(ir.Literal(at, argument.keyword), argument.value))
    return ir.Map(span, tuple(entries))


def assigned_into(span: Span, args: Sequence[ir.Argument]) -> ir.Map | None:
    """`Object.assign({…}, a, {…})`, which makes a new object; None where it changes another."""
    if not args or any(argument.spread for argument in args) or not isinstance(args[0].value, ir.Map):
        return None
    entries: list[ir.Entry] = []
    for argument in args:
        value = argument.value
        entries += value.entries if isinstance(value, ir.Map) else (ir.Entry(None, value),)
    return ir.Map(span, tuple(entries))
