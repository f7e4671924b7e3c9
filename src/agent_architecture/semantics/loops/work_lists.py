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
WAITING: Final = frozenset({"block", "timeout"})
"""What such a call may be told: whether it waits, and for how long."""
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
    filling = _filling(program, loop, taken) if taken else frozenset[str]()
    return bool(taken) and not any(
        (callee_name(c.callee) in ADDING and _holder(c) in taken) or (_is_own(c) and callee_name(c.callee) in filling)
        for c in calls
    )


def _filling(program: Program, loop: ir.Loop, holders: frozenset[str]) -> frozenset[str]:
    """The methods of the loop's own object that add to what it takes its things from, or ask another one that does:
    `this.schedule(agent)`.
    """
    owner = enclosing_class(program, loop)
    methods = [one for one in (owner.body if owner is not None else ()) if isinstance(one, ir.Function)]
    calls = {one.name: [c for c in program.structure(one).nodes if isinstance(c, ir.Call)] for one in methods}
    found = {
        name
        for name, made in calls.items()
        if any(callee_name(c.callee) in ADDING and _holder(c) in holders for c in made)
    }
    for _ in calls:
        found |= {
            name for name, made in calls.items() if any(_is_own(c) and callee_name(c.callee) in found for c in made)
        }
    return frozenset(found)


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
    for statement in _each_pass(loop.body):
        call = _waited_for(statement.value) if isinstance(statement, ir.Assign) else None
        if call is None or not isinstance(call.callee, ir.Member):
            continue
        name, holder = callee_name(call.callee), _holder(call)
        drains = name in TAKING and holder in asked
        if holder and (drains or (name in RECEIVING and _asks_for_the_next(call))):
            found.add(holder)
    return frozenset(found)


def _each_pass(body: tuple[ir.Node, ...]) -> Iterator[ir.Node]:
    """The statements that every pass comes to: what a `try` or a `with` holds, too, and nothing below a test."""
    for statement in body:
        if isinstance(statement, (ir.Try, ir.With)):
            yield from _each_pass(statement.body)
        else:
            yield statement


def _waited_for(value: ir.Expr | None) -> ir.Call | None:
    """The call whose answer a value is, with or without a time-out: `await asyncio.wait_for(queue.get(), 5)`."""
    call = value.value if isinstance(value, ir.Await) else value
    if not isinstance(call, ir.Call):
        return None
    return _waited_for(call.args[0].value) if callee_name(call.callee) == "wait_for" and call.args else call


def _asks_for_the_next(call: ir.Call) -> bool:
    """Whether a call names no thing: at most how long it waits (`queue.get(timeout=1)`), and not `table.get("key")`."""
    return all(argument.keyword in WAITING for argument in call.args)


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
