"""Functions of the project that make an agent of what they are given, and return it: one agent for each of their calls.

Which calls of libraries make such things, and by which arguments they are told apart, the packs say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.arguments import argument_of, inside_written
from agent_architecture.names.lookup import only_value, visible_bindings
from agent_architecture.names.values import Api, Value
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

STEPS: Final = 3
"""Variables that are followed from an argument to what a function is given."""


def made_for(program: Program, value: Value, function: ir.Function, call: ir.Call) -> Value:
    """What a function returns to one call: what it makes of what it is given is made for that call alone."""
    if type(value) is not Api or value.made_for is not None or not function.params or not value.path.endswith("()"):
        return value
    made = value.node
    if not isinstance(made, ir.Call) or not function.span.contains(made.span):
        return value
    known = program.once(hangs_on, made, function, value.path)
    return value._replace(made_for=call) if known else value


def hangs_on(program: Program, made: ir.Call, function: ir.Function, path: str) -> bool:
    """Whether an argument by which a library tells apart what the call of `path` makes is made of what the function
    around it is given.
    """
    ways = program.library.tells_apart(path.removesuffix("()"), made)
    names = (name for way in ways for expr in written(made, way) for name in names_in(program, expr))
    found = (binding for name in names for binding in visible_bindings(program, name))
    return any(binding.kind == "parameter" and binding.node is function for binding in found)


def written(call: ir.Call, way: tuple[str, ...]) -> Iterator[ir.Expr]:
    """What is written at an address of a call."""
    found = inside_written(argument_of(call, way[0]), way[1:])
    yield from () if found is None else (found,)


def names_in(program: Program, expr: ir.Expr, steps: int = STEPS) -> Iterator[ir.Name]:
    """The names in an expression, and in what its variables are made of that are made once, before it."""
    for name in (node for node in ir.walk(expr) if isinstance(node, ir.Name)):
        yield name
        value = only_value(program, name) if steps else None
        if value is not None and value.span < name.span and program.scope_of(name) is program.scope_of(value):
            yield from names_in(program, value, steps - 1)
