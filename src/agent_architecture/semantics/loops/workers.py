"""Workers: loops that take one job after the other out of a table for as long as they are let, and rest between.

What a job writes into its own rows (how far it is, what came of it) is not what the next pass is asked with: that takes
another job. A row to which a pass adds what was said is a conversation all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.exits import leaves
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.pauses import may_pause, where_pauses_stand
from agent_architecture.names.values import Api, Instance
from agent_architecture.semantics.taint.access_paths import root_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.loops.loop_path import Path

CHOOSING: Final = frozenset({ir.Op.OR, ir.Op.NULLISH})
"""Operators that give one of what stands on both sides."""


def is_worker(program: Program, path: Path) -> bool:
    """Whether nothing that a pass of a loop finds out ends it, and it pauses: `while True: … sleep(2)`,
    `while not stopped.is_set(): …`.
    """
    loop = path.node
    if not isinstance(loop, ir.Loop) or loop.kind != "while":
        return False
    found = {name for node in ir.walk(*loop.body) if isinstance(node, ir.Assign) for name in _names(node.target)}
    if loop.test is not None and not found.isdisjoint(_names(loop.test)):
        return False
    return not any(map(leaves, _unless_failed(loop.body))) and any(
        map(may_pause, where_pauses_stand(program, ir.walk(*loop.body)))
    )


def notes_on_job(program: Program, path: Path, change: ir.Node) -> bool:
    """Whether a change replaces a field of a row that a library handed to this pass: `job.status = "done"`."""
    if not isinstance(change, ir.Assign) or change.op or not isinstance(change.target, ir.Member):
        return False
    root = root_of(change.target)
    if root is None or change.target.target is not root or _goes_on(program, change):
        return False
    made = {id(node) for node in path.extent.nodes()}
    given = [binding.value for binding in visible_bindings(program, root)]
    values = program.value_of(root)
    return (
        bool(values) and all(_is_asked_for(program, value, made) for value in given) and all(map(_of_library, values))
    )


def _is_asked_for(program: Program, given: ir.Expr | None, made: set[int]) -> bool:
    """Whether it is a call of this pass that leads out of the project, or makes a new object."""
    call = given.value if isinstance(given, ir.Await) else given
    return isinstance(call, ir.Call) and id(call) in made and not program.callees(call)


def _of_library(value: Value) -> bool:
    return isinstance(value, (Api, Instance))


def _goes_on(program: Program, change: ir.Assign) -> bool:
    """Whether what is put there is made of what was there: `task.said = task.said + [reply]`, or `task.said = said`
    after `said = list(task.said)`. What stays where nothing new is known (`now or task.name`) is not.
    """
    name = change.target.name if isinstance(change.target, ir.Member) else ""
    used = tuple(node for value in _instead(change.value) for node in ir.walk(value))
    held = (b.value for n in used if isinstance(n, ir.Name) for b in visible_bindings(program, n) if b.kind == "assign")
    parts = (part for value in held if value is not None for part in ir.walk(value))
    return any(isinstance(part, ir.Member) and part.name == name for part in (*used, *parts))


def _instead(value: ir.Expr | None) -> tuple[ir.Expr, ...]:
    """What may be put in the place of something, but for that itself, where it is one of the choices as it is."""
    if isinstance(value, ir.Operator) and value.op in CHOOSING:
        return tuple(operand for operand in value.operands if not isinstance(operand, ir.Member))
    return () if value is None else (value,)


def _unless_failed(body: tuple[ir.Node, ...]) -> Iterator[ir.Node]:
    """The nodes of a body that run where nothing fails, but for those of functions written there."""
    for node in body:
        yield node
        if isinstance(node, ir.Try):
            yield from _unless_failed((*node.body, *node.otherwise, *node.final))
        elif not isinstance(node, ir.Function):
            yield from _unless_failed(tuple(ir.children(node)))


def _names(expr: ir.Expr) -> Iterator[str]:
    return (node.id for node in ir.walk(expr) if isinstance(node, ir.Name))
