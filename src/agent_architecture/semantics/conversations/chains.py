"""Chains of runnables: `{"context": retriever | join} | prompt | model`, `prompt.pipe(model)`.

Says what stands in a chain; which of it is a template or a source is for others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.options import keyed
from agent_architecture.names.program import callee_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeGuard

    from agent_architecture.names.program import Program

DEPTH: Final = 8
"""Names and chains inside chains that are followed."""
SEQUENCES: Final = frozenset({"RunnableSequence", "from", "from_"})
PARTLY: Final = "partial"
MAPPINGS: Final = frozenset({"RunnableParallel", "RunnableMap", "assign", PARTLY})
"""Calls that make a mapping of what their arguments give, or fill a template with it before it runs."""


def links(program: Program, expr: ir.Expr, depth: int = 0) -> Iterator[ir.Expr]:
    """What a chain is made of, in order; the expression itself where it is no chain."""
    if depth > DEPTH:
        return
    match expr:
        case ir.Operator(op=ir.Op.BITOR, operands=operands):
            for operand in operands:
                yield from links(program, operand, depth + 1)
        case ir.Call(callee=ir.Member(name="pipe", target=target), args=args):
            yield from links(program, target, depth + 1)
            for argument in args:
                yield from links(program, argument.value, depth + 1)
        case ir.Call() if callee_name(expr.callee) in SEQUENCES:
            for argument in expr.args:
                items = argument.value.items if isinstance(argument.value, ir.List) else (argument.value,)
                for item in items:
                    yield from links(program, item, depth + 1)
        case ir.Call() if depth < DEPTH and (made := _made_by_helper(program, expr)):
            for chain in made:
                yield from links(program, chain, depth + 1)
        case ir.Name():
            values = [_waited(binding.value) for binding in visible_bindings(program, expr) if binding.kind == "assign"]
            chained = [value for value in values if isinstance(value, (ir.Operator, ir.Call, ir.Map))]
            if not chained:
                yield expr
            for value in chained:
                yield from links(program, value, depth + 1)
        case _:
            yield expr


def _made_by_helper(program: Program, call: ir.Call) -> tuple[ir.Expr, ...]:
    """The chains that a function of the project hands back: a chain, or the name of one."""
    returned = (text for function in program.callees(call) for text in program.structure(function).returns)
    chains = (text for text in returned if isinstance(text, (ir.Name, ir.Operator, ir.Call)))
    return tuple(text for text in chains if len(tuple(links(program, text, DEPTH - 2))) > 1)


def given(program: Program, call: ir.Call, name: str, depth: int = 0) -> ir.Expr | None:
    """What a chain that a call runs gives its template under a name: by a mapping that stands before it, or by a call
    that filled some of it earlier.
    """
    if not isinstance(call.callee, ir.Member) or depth > DEPTH:
        return None
    for link in links(program, call.callee.target):
        for key, value in _entries(program, link):
            if key == name:
                return value
        earlier = given(program, link, name, depth + 1) if _is_partly_filled(link) else None
        if earlier is not None:
            return earlier
    return None


def _waited(value: ir.Expr | None) -> ir.Expr | None:
    """`await template.partial(given)`: JavaScript's fill what may have to be waited for."""
    return value.value if isinstance(value, ir.Await) and _is_partly_filled(value.value) else value


def _is_partly_filled(link: ir.Expr | None) -> TypeGuard[ir.Call]:
    return isinstance(link, ir.Call) and callee_name(link.callee) == PARTLY


def _entries(program: Program, link: ir.Expr) -> Iterator[tuple[str, ir.Expr]]:
    yield from keyed(program, link)
    if isinstance(link, ir.Call) and callee_name(link.callee) in MAPPINGS:
        for argument in link.args:
            if argument.keyword is not None:
                yield argument.keyword, argument.value
            else:
                yield from _entries(program, argument.value)
