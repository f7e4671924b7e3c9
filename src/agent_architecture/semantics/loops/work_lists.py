"""Loops that go through many things: over them, or by taking one after the other from a list or a queue.

Knows nothing of what is done with each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.classes import enclosing_class
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Items
from agent_architecture.semantics.loops.validation_loops import counts
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

TAKING: Final = frozenset({"pop", "popleft", "shift"})
"""Calls that take one thing out of a list."""
RECEIVING: Final = frozenset({"get", "get_nowait", "receive", "dequeue"})
"""Calls by which a worker comes to its next thing."""
ADDING: Final = frozenset(
    {"append", "appendleft", "extend", "extendleft", "insert", "push", "unshift", "put", "put_nowait"}
)
"""Calls by which a loop gives itself more to do."""


def goes_through(program: Program, loop: ir.Node) -> bool:
    """Whether the passes of a loop are one for each of many things, and not as many as it likes: `for item in items`,
    `for i in range(len(items))`, `while items: item = items.pop()`, `while True: item = queue.get()`.
    """
    if not isinstance(loop, ir.Loop):
        return False
    if loop.kind == "each":
        return not counts(loop.source) or _is_length(loop.source)
    taken = _taken(loop)
    calls = [node for node in ir.walk(*loop.body) if isinstance(node, ir.Call) and isinstance(node.callee, ir.Member)]
    filling = {*_filling(program, loop, taken)} if taken else set[str]()
    return bool(taken) and not any(
        (callee_name(c.callee) in ADDING and _holder(c) in taken) or (_is_own(c) and callee_name(c.callee) in filling)
        for c in calls
    )


def _filling(program: Program, loop: ir.Loop, holders: frozenset[str]) -> Iterator[str]:
    """The methods of the loop's own object that add to what it takes its things from: `this.schedule(agent)`."""
    owner = enclosing_class(program, loop)
    for method in owner.body if owner is not None else ():
        if isinstance(method, ir.Function):
            nodes = program.structure(method).nodes
            calls = (node for node in nodes if isinstance(node, ir.Call) and callee_name(node.callee) in ADDING)
            if any(_holder(call) in holders for call in calls):
                yield method.name


def _is_own(call: ir.Call) -> bool:
    target = call.callee.target if isinstance(call.callee, ir.Member) else None
    return isinstance(target, ir.Name) and target.id in {"self", "this"}


def _is_length(source: ir.Expr | None) -> bool:
    """Whether numbers are the places of things: `range(len(items))`, `range(0, len(items), 10)`."""
    args = source.args if isinstance(source, ir.Call) else ()
    return any(isinstance(a.value, ir.Call) and callee_name(a.value.callee) == "len" for a in args)


def _taken(loop: ir.Loop) -> frozenset[str]:
    """What the body takes its thing from, in a statement of its own."""
    asked = frozenset(_names(loop.test)) if loop.test is not None else frozenset[str]()
    found: set[str] = set()
    for statement in loop.body:
        value = statement.value if isinstance(statement, ir.Assign) else None
        call = value.value if isinstance(value, ir.Await) else value
        if not isinstance(call, ir.Call) or not isinstance(call.callee, ir.Member):
            continue
        name, holder = callee_name(call.callee), _holder(call)
        drains = name in TAKING and holder in asked
        if holder and (drains or (name in RECEIVING and not call.args)):
            found.add(holder)
    return frozenset(found)


def taken_from(loop: ir.Loop) -> Iterator[ir.Expr]:
    """What the body of a loop takes its thing out of."""
    for statement in loop.body:
        value = statement.value if isinstance(statement, ir.Assign) else None
        call = value.value if isinstance(value, ir.Await) else value
        if isinstance(call, ir.Call) and isinstance(call.callee, ir.Member) and callee_name(call.callee) in TAKING:
            yield call.callee.target


def is_written_out(program: Program, things: ir.Expr) -> bool:
    """Whether the code lists the things one by one: `[("store", store), ("mail", mail)]`, and nothing is put there
    later. How many there are no model says.
    """
    values = program.value_of(things)
    return bool(values) and all(isinstance(value, Items) and value.complete and _stand_in_it(value) for value in values)


def _stand_in_it(value: Items) -> bool:
    """Whether all entries of a list stand where it is written: none was put in later."""
    return bool(value.items) and all(value.node.span.contains(item.span) for item in value.items)


def _holder(call: ir.Call) -> str:
    """The list or queue that a method is called on, by its last name: of `this["stack"].push(…)`, too."""
    target = call.callee.target if isinstance(call.callee, ir.Member) else None
    match target:
        case ir.Index(key=ir.Literal(value=str() as name)):
            return name
        case ir.Name() | ir.Member():
            return callee_name(target)
        case _:
            return ""


def _names(test: ir.Expr) -> Iterator[str]:
    for node in ir.walk(test):
        if isinstance(node, ir.Name):
            yield node.id
        elif isinstance(node, ir.Member):
            yield node.name
