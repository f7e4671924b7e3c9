"""Arguments that code takes out of the tool call that a model was made to answer with: `answer.tool_calls[0].args`.

Nothing runs such a tool; its arguments are the answer. A library that hands them over like this has parsed them, and
compares them with no schema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.lookup import visible_bindings
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

CALLS: Final = "tool_calls"
ARGUMENTS: Final = "args"


def taken_arguments(program: Program, ask: ir.Call) -> Iterator[tuple[ir.Expr, ir.Member]]:
    """The places in the function around a model call that take the arguments of one of its tool calls, each with the
    list of calls.
    """
    for node in program.structure(program.scope_of(ask)).nodes:
        match node:
            case ir.Member(name=name, target=ir.Index(key=ir.Literal(value=int()), target=ir.Member() as calls)):
                wanted = name
            case ir.Index(
                key=ir.Literal(value=str() as name),
                target=ir.Index(key=ir.Literal(value=int()), target=ir.Member() as calls),
            ):
                wanted = name
            case _:
                continue
        if wanted == ARGUMENTS and calls.name == CALLS and _gives(program, calls.target, ask):
            yield node, calls


def _gives(program: Program, answer: ir.Expr, ask: ir.Call) -> bool:
    """Whether an expression is what a model call gave."""
    if isinstance(answer, ir.Await):
        return _gives(program, answer.value, ask)
    if isinstance(answer, ir.Name):
        values = [binding.value for binding in visible_bindings(program, answer) if not binding.steps]
        return any(value is not None and _unwrapped(value) is ask for value in values)
    return answer is ask


def _unwrapped(value: ir.Expr) -> ir.Expr:
    return value.value if isinstance(value, ir.Await) else value


def is_tool_argument(text: ir.Node) -> bool:
    """Whether a text is what the model calls a tool with; the shape of its answers says nothing of that."""
    return any(
        (isinstance(node, ir.Member) and node.name == "arguments")
        or (isinstance(node, ir.Literal) and node.value == "arguments")
        for node in ir.walk(text)
    )
