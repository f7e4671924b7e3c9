"""All texts in what an expression gives: through names, objects, schemas and models, to what somebody wrote.

Says which texts there are and in which part of an offer; what they mean is for others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, ClassValue, Const, Entries, Items, Text
from agent_architecture.records import NamedTuple
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import Span

MOST: Final = 400
"""Nodes of one offer that are looked at."""
UNREAD: Final = frozenset({"regex", "matches", "test", "replace", "replaceAll", "compile", "match", "sub", "refine"})
"""Calls whose texts are patterns or are for programs, not for a model."""
PATTERN: Final = frozenset({"pattern", "regex", "examples"})


class Wording(NamedTuple):
    """One text, and the part of an offer that it belongs to."""

    part: str
    text: str
    span: Span


class _Walk:
    def __init__(self, program: Program, part: str) -> None:
        self._program = program
        self._part = part
        self._seen: set[int] = set()

    def texts(self, node: ir.Node) -> Iterator[Wording]:
        """The texts below a node, each once."""
        stack = [node]
        while stack and len(self._seen) < MOST:
            found = stack.pop()
            if id(found) in self._seen:
                continue
            self._seen.add(id(found))
            if isinstance(found, ir.Literal):
                if isinstance(found.value, str):
                    yield Wording(self._part, found.value, found.span)
                continue
            if isinstance(found, ir.Map) and self._part == "parameter":
                yield from self._keys(found)
            if isinstance(found, (ir.Name, ir.Member, ir.Index)) or (
                isinstance(found, ir.Call) and self._program.callees(found)
            ):
                yield from self._named(found, stack)
            else:
                stack.extend(self._inside(found))

    def _keys(self, found: ir.Map) -> Iterator[Wording]:
        for entry in found.entries:
            if isinstance(entry.key, ir.Literal) and isinstance(entry.key.value, str):
                yield Wording("parameter name", entry.key.value, entry.key.span)

    def _inside(self, node: ir.Node) -> list[ir.Node]:
        match node:
            case ir.Call():
                inner: list[ir.Node] = [node.callee.target] if isinstance(node.callee, ir.Member) else []
                if callee_name(node.callee) not in UNREAD:
                    inner.extend(argument.value for argument in node.args if argument.keyword not in PATTERN)
                return inner
            case ir.Map():
                return [
                    entry.value
                    for entry in node.entries
                    if not (isinstance(entry.key, ir.Literal) and entry.key.value in PATTERN)
                ]
            case ir.Class():
                return [*node.body]
            case ir.Assign():
                return [part for part in (node.annotation, node.value) if part is not None]
            case ir.Function():
                return []
            case _:
                return ir.children(node)

    def _named(self, node: ir.Name | ir.Member | ir.Index | ir.Call, stack: list[ir.Node]) -> Iterator[Wording]:
        for value in self._program.value_of(node):
            match value:
                case Const(value=str() as text):
                    yield Wording(self._part, text, value.span)
                case Entries() | Items() | Text():
                    stack.append(value.node)
                case Api(node=ir.Call() as made):
                    stack.append(made)
                case ClassValue(cls=cls) if cls.kind != "interface":
                    stack.append(cls)
                case _:
                    pass
        if isinstance(node, ir.Index):
            stack.extend(ir.children(node))


def of_expr(program: Program, expr: ir.Expr, part: str) -> Iterator[Wording]:
    """The texts that an expression gives to a part of an offer."""
    yield from _Walk(program, part).texts(expr)


def of_function(program: Program, function: ir.Function, *, docstring: bool) -> Iterator[Wording]:
    """What a signature tells: names, annotations and defaults of its parameters; its documentation where nothing else
    describes it.
    """
    first = function.body[0] if function.body else None
    if docstring and isinstance(first, ir.Literal) and isinstance(first.value, str):
        yield Wording("description", first.value, first.span)
    for parameter in function.params:
        if parameter.pattern is None:
            yield Wording("parameter name", parameter.name, parameter.span)
        if parameter.annotation is not None:
            yield from of_expr(program, parameter.annotation, "parameter")
        if parameter.default is not None:
            yield from of_expr(program, parameter.default, "parameter")


def returned(program: Program, function: ir.Function) -> Iterator[Wording]:
    """The constant texts that a prompt or resource answers with."""
    for expr in program.structure(function).returns:
        yield from of_expr(program, expr, "message")
