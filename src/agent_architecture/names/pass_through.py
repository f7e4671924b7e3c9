"""What a call of a library gives back of what it was given, or of what its receiver was made with.

`from_components(agent)` gives its argument, `registry.getAgent("clerk")` one of the agents that the registry was made
with. Which calls do that is told by the library; must not know libraries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.arguments import argument_of
from agent_architecture.names.values import Api, Const, Entries, Items, Unknown, Value, Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

RECEIVER: Final = "self"
EVERY: Final = "*"
CALLED: Final = "()"


def passed(program: Program, callee: Api, call: ir.Call, ways: tuple[tuple[str, ...], ...]) -> Values:
    """What a call returns, by the first of these ways that leads to something: an argument, by position or keyword, or
    the receiver, and then keys, keywords or every value of it. An empty way is the object that the call makes itself.
    """
    for way in ways:
        if not way:
            return (Api(callee.path + "()", call, callee),)
        first, *steps = way
        found = _begin(program, callee, call, first)
        for step in steps:
            found = tuple(inner for value in found for inner in _inside(program, value, step, call))
        if found:
            return found
    if all(way[0] == RECEIVER for way in ways):
        return (Api(callee.path + "()", call, callee),)
    return (Unknown("an argument that is not given", call),)


def _begin(program: Program, callee: Api, call: ir.Call, step: str) -> Values:
    if step == RECEIVER:
        return () if callee.receiver is None else tuple(_own(program, callee.receiver)) or (callee.receiver,)
    argument = argument_of(call, step)
    return program.value_of(argument) if argument is not None else ()


def _own(program: Program, receiver: Api) -> Iterator[Api]:
    """What the project itself made of the kind that a library hands it: `execute: ({ mastra }) => mastra.getAgent("x")`
    asks what `new Mastra({ agents })` made, wherever it stands.
    """
    known = program.library.canonical(receiver.path)
    if isinstance(receiver.node, ir.Call) or not known.endswith(CALLED):
        return
    name = known.removesuffix(CALLED).rpartition(":")[2].rpartition(".")[2]
    for site in program.calls(name):
        values = (value for value in program.value_of(site.call) if isinstance(value, Api))
        yield from (v for v in values if isinstance(v.node, ir.Call) and program.library.canonical(v.path) == known)


def _inside(program: Program, value: Value, step: str, call: ir.Call) -> Iterator[Value]:
    exprs: list[ir.Expr] = []
    match value:
        case Api(node=ir.Call() as made):
            argument = argument_of(made, step)
            exprs = [argument] if argument is not None else []
        case Entries() if step == EVERY:
            exprs = _asked_for(program, value, call)
        case Entries():
            exprs = [expr for key, expr in value.entries if key == step]
        case Items() if step == EVERY:
            exprs = list(value.items)
        case _:
            return
    for expr in exprs:
        yield from program.value_of(expr)


def _asked_for(program: Program, table: Entries, call: ir.Call) -> list[ir.Expr]:
    """The entry that a call names by its key, where it can be read; else all of them."""
    name = argument_of(call, "0")
    keys = {value.value for value in program.value_of(name) if isinstance(value, Const)} if name is not None else set()
    named = [expr for key, expr in table.entries if key in keys]
    return named or [expr for _, expr in table.entries]
