"""Lines that are made of the parts of records, one after the other, until they are one text: what a list is given with
`append` or `push` before it is joined, and what a text grows by (`text += ...`).

Tells records from prose by how many parts of one thing stand in the lines. Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.mutations import changes_of_name
from agent_architecture.names.program import callee_name
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.conversations.result_checks import returned
from agent_architecture.syntax import ir
from agent_architecture.whole_numbers import whole_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.sources.source import Span

FIELDS: Final = 2
"""Parts of the thing of which one pass of a loop speaks."""
DETAILS: Final = 3
"""Parts of one thing that lines outside of loops tell: fewer are in any sentence."""


class _Part(NamedTuple):
    """A part of something that a line shows: `order.id` of `order`, `parts[i + 1]` of `parts`."""

    owner: str
    name: str
    span: Span
    looped: bool


def rows(program: Program, name: ir.Name) -> Span | None:
    """Where the text or list of a name gets the parts of records; None where it gets prose, or is never changed."""
    found: dict[tuple[str, bool], dict[str, Span]] = {}
    for line in (one for each in lines(program, name) for one in _spelled_out(program, each)):
        structure = program.structure(program.scope_of(line))
        looped = any(isinstance(up, ir.Loop) for up in structure.ancestors(line))
        if looped and (span := has_fields([line])) is not None and any(_parts(line, looped=True)):
            return span
        for part in _parts(line, looped=looped):
            found.setdefault((part.owner, part.looped), {}).setdefault(part.name, part.span)
    for (_, looped), parts in sorted(found.items()):
        if len(parts) >= (FIELDS if looped else DETAILS):
            return next(iter(parts.values()))
    return None


def _spelled_out(program: Program, line: ir.Expr) -> Iterator[ir.Expr]:
    """A line, or the texts that its name holds."""
    bound = visible_bindings(program, line) if isinstance(line, ir.Name) else ()
    texts = tuple(b.value for b in bound if isinstance(b.value, (ir.Template, ir.Operator)))
    yield from texts or (line,)


def parted(program: Program, binding: Binding) -> Iterator[ir.Expr]:
    """What the project's functions return for a name that is a part of their answer: `text, count = look_up()`."""
    value = binding.value.value if isinstance(binding.value, ir.Await) else binding.value
    step = binding.steps[0] if len(binding.steps) == 1 else ""
    for function in program.callees(value) if step and isinstance(value, ir.Call) else ():
        for answer in returned(program, function):
            if isinstance(answer, ir.List) and (place := whole_number(step[1:-1])) is not None:
                yield from answer.items[place : place + 1]
            elif isinstance(answer, ir.Map):
                keyed = ((e.key.value, e.value) for e in answer.entries if isinstance(e.key, ir.Literal))
                yield from (value for key, value in keyed if isinstance(key, str) and f".{key}" == step)


def joined_lists(node: ir.Node) -> Iterator[ir.List]:
    """The list whose lines a call joins: `", ".join([…])`, `[…].join(", ")`."""
    if isinstance(node, ir.Call) and isinstance(node.callee, ir.Member) and node.callee.name == "join":
        parts = (node.callee.target, *(argument.value for argument in node.args))
        yield from (part for part in parts if isinstance(part, ir.List))


def lines(program: Program, name: ir.Name) -> Iterator[ir.Expr]:
    """What is put behind what a name holds already."""
    scope = program.scope_of(name)
    for change in changes_of_name(program, scope, name.id):
        if isinstance(change, ir.Call):
            yield from (argument.value for argument in change.args)
    for binding in visible_bindings(program, name):
        node = binding.node
        if isinstance(node, ir.Assign) and node.op and node.value is not None:
            yield node.value


def _parts(line: ir.Expr, *, looped: bool) -> Iterator[_Part]:
    """The parts of things that a line shows: members, and elements of a list that is cut into records by hand."""
    for hole in _holes(line):
        for node in ir.walk(hole):
            if isinstance(node, ir.Member) and isinstance(node.target, ir.Name) and not _is_counted(node.name):
                yield _Part(node.target.id, node.name, node.span, looped)
            elif isinstance(node, ir.Index) and isinstance(node.target, ir.Name) and isinstance(node.key, ir.Operator):
                yield _Part(node.target.id, str(node.key.span), node.span, looped)
            elif isinstance(node, ir.Index) and isinstance(node.target, ir.Name) and isinstance(node.key, ir.Literal):
                yield _Part(node.target.id, str(node.key.value), node.span, looped)


def details(items: Iterable[ir.Expr]) -> Span | None:
    """Where a list of lines tells the parts of one thing."""
    found: dict[str, dict[str, Span]] = {}
    for item in items:
        for part in _parts(item, looped=False):
            found.setdefault(part.owner, {}).setdefault(part.name, part.span)
    return next((next(iter(parts.values())) for parts in found.values() if len(parts) >= DETAILS), None)


def _is_counted(name: str) -> bool:
    return name in {"length", "size", "join", "name", "message"}


def _holes(line: ir.Expr) -> Iterator[ir.Expr]:
    """What stands between the words of a line."""
    for node in ir.walk(line):
        if isinstance(node, ir.Template):
            yield from (part for part in node.parts if not isinstance(part, ir.Literal))
        elif isinstance(node, ir.Operator) and node.op == ir.Op.ADD:
            yield from (part for part in node.operands if not isinstance(part, (ir.Literal, ir.Template, ir.Operator)))


def has_fields(nodes: Iterable[ir.Node]) -> Span | None:
    """A line in which several parts of a record stand; that it is numbered says nothing."""
    for node in ir.walk(*nodes):
        if isinstance(node, ir.Template):
            shown = [part for part in node.parts if not isinstance(part, ir.Literal) and not _is_number(part)]
            if len(shown) >= FIELDS:
                return node.span
    return None


def _is_number(part: ir.Expr) -> bool:
    return isinstance(part, ir.Operator) and any(
        isinstance(each, ir.Literal) and isinstance(each.value, int) for each in part.operands
    )


def put_in_words(call: ir.Call, function: ir.Function, texts: Iterable[ir.Expr]) -> Iterator[tuple[Span, str, ir.Expr]]:
    """Where a helper makes a text of what a call hands it (`return str(record)`): the place, by what, and of what."""
    names = [parameter.name for parameter in function.params]
    bound = names[1:] if names[:1] == ["self"] else names
    for text in texts:
        given = text.args[0].value if isinstance(text, ir.Call) and text.args else None
        if not isinstance(text, ir.Call) or callee_name(text.callee) not in {"str", "String"}:
            continue
        if isinstance(given, ir.Name) and given.id in bound:
            number = bound.index(given.id)
            named = next((a.value for a in call.args if a.keyword == given.id), None)
            record = named or (call.args[number].value if number < len(call.args) else None)
            if record is not None:
                yield text.span, callee_name(text.callee), record
