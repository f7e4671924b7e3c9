"""Where collections of a project have their tools: the element of a list, the value of a mapping, what a call puts in.

`tools = [new Search(), new Fetch()]`, `{"search": search}`, `registry.register(search)`: a reader finds each tool of an
agent there, wherever code hands the collection on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.lookup import visible_bindings
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.makers import makers
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.sources.source import Span


PUTTING: Final = regex(r"^_?(?:add|append|push|put|set|insert|unshift|register)(?:$|[_A-Z])")
"""Methods that put what they are given into their object."""


def entries(program: Program, held: Iterable[ir.Expr], tools: Collection[int]) -> Iterator[tuple[Span, int]]:
    """The places among what collections hold that stand for one of these tools alone, each with the tool's id."""
    for expr in held:
        if _is_entry(program, expr):
            made = {id(node) for value in program.value_of(expr) for node in makers(value)}
            own = {id(expr)} & {*tools} or made & {*tools}
            if len(own) == 1:
                yield expr.span, own.pop()


def _is_entry(program: Program, expr: ir.Expr) -> bool:
    """Whether an expression is put into a collection where it is written; a parameter, and what a loop runs over, was
    put in elsewhere.
    """
    around = program.structure(program.scope_of(expr)).parent(expr)
    match around:
        case ir.List() | ir.Map():
            pass
        case ir.Call(callee=ir.Member(name=name) as callee) if callee is not expr and PUTTING.search(name):
            pass
        case _:
            return False
    while isinstance(expr, (ir.Member, ir.Index)):
        expr = expr.target
    bound = visible_bindings(program, expr) if isinstance(expr, ir.Name) else ()
    return not any(one.kind in {"parameter", "loop"} for one in bound)
