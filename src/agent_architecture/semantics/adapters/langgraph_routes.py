"""Where LangGraph's edges lead: node names, routers, maps, `Send` and `Command`, in both languages.

Reads values; which call an edge is declared with is `langgraph`'s business.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Api, Const, Entries, Func, Items, Value, Values
from agent_architecture.semantics.adapters.step_names import ANY, END, START
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.packs.addresses import parse_address
from agent_architecture.semantics.packs.api_paths import last_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.matching.context import Context

ENDS: Final = {"START": START, "END": END}
HANDED: Final = 2
"""Functions through which a node's answer is handed on."""


def at(context: Context, call: ir.Call, address: str) -> Values:
    """What stands at an address of a call on the builder."""
    return at_call(context.program, call, None, parse_address(address)).values


def names(context: Context, call: ir.Call, address: str) -> tuple[str, ...]:
    """The node names at an address; `ANY` when none can be read."""
    found = [label for value in at(context, call, address) for label in labels(context, value)]
    return tuple(found) or (ANY,)


def labels(context: Context, value: Value) -> Iterator[str]:
    """The node names that a value stands for; several for a list."""
    match value:
        case Const():
            yield END if value.value in {None, False} else str(value.value)
        case Api():
            yield ENDS.get(last_name(value.path)) or _sent(value)
        case Func():
            yield value.function.name
        case Items():
            for item in value.items:
                for inner in context.program.value_of(item):
                    yield from labels(context, inner)
        case _:
            yield ANY


def _sent(value: Api) -> str:
    """The node that a `Send("node", state)` goes to."""
    if last_name(value.path) == "Send" and isinstance(value.node, ir.Call) and value.node.args:
        first = value.node.args[0].value
        if isinstance(first, ir.Literal):
            return str(first.value)
    return ANY


def branches(context: Context, call: ir.Call) -> tuple[str, ...]:
    """Where a conditional edge can lead: its map or list, else what its router is declared to return, or returns."""
    for value in at(context, call, "2 | path_map | pathMap | 0.pathMap"):
        if isinstance(value, Entries):
            return tuple(
                label
                for _, expr in value.entries
                for v in context.program.value_of(expr)
                for label in labels(context, v)
            )
        if isinstance(value, Items):
            return tuple(labels(context, value))
    found = [label for value in at(context, call, "1 | path | 0.path") for label in _routed(context, value)]
    return tuple(found) or (ANY,)


def mapped(context: Context, call: ir.Call) -> dict[str, str] | None:
    """The nodes behind what the router of a conditional edge returns; None where it returns them itself."""
    for value in at(context, call, "2 | path_map | pathMap | 0.pathMap"):
        if isinstance(value, Entries):
            found = ((key, v) for key, expr in value.entries for v in context.program.value_of(expr))
            return {str(key): label for key, v in found for label in labels(context, v)}
    return None


def _routed(context: Context, router: Value) -> Iterator[str]:
    if isinstance(router, Api):
        yield from ("tools", END) if last_name(router.path) in {"tools_condition", "toolsCondition"} else (ANY,)
        return
    if not isinstance(router, Func):
        yield ANY
        return
    declared = tuple(_declared(router.function.returns))
    if declared:
        yield from declared
        return
    for answer in context.program.structure(router.function).returns:
        for value in context.program.value_of(answer):
            yield from labels(context, value)


def _declared(annotation: ir.Expr | None) -> Iterator[str]:
    """The names in `Literal["a", "b"]`, `Command[Literal[...]]`, `"a" | "b"`."""
    for node in ir.walk(annotation) if annotation is not None else ():
        if isinstance(node, ir.Literal) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ir.Name) and node.id == "END":
            yield END


def commanding(context: Context, function: ir.Function, depth: int = HANDED) -> tuple[ir.Function, ...]:
    """The functions that say where a node leads by a `Command`: the node's own, else those whose answers it hands on
    (`return make_supervisor(model, members)(state)`).
    """
    if next(commanded(context, function), None) is not None or not depth:
        return (function,)
    program = context.program
    given = (answer.value if isinstance(answer, ir.Await) else answer for answer in program.structure(function).returns)
    inner = [each for call in given if isinstance(call, ir.Call) for each in program.callees(call)]
    found = (one for each in inner for one in commanding(context, each, depth - 1))
    return tuple(one for one in found if next(commanded(context, one), None) is not None) or (function,)


def commanded(context: Context, function: ir.Function) -> Iterator[str]:
    """Where the `Command`s of a node lead: as its annotation declares, else as its body makes them."""
    declared = tuple(_declared(function.returns)) if _names_command(function.returns) else ()
    yield from declared
    for node in own_nodes(function, ir.Call) if not declared else ():
        if isinstance(node.callee, ir.Name) and node.callee.id == "Command":
            for value in at(context, node, "goto | 0.goto"):
                yield from labels(context, value)


def _names_command(annotation: ir.Expr | None) -> bool:
    return annotation is not None and any(isinstance(n, ir.Name) and n.id == "Command" for n in ir.walk(annotation))
