"""Workers: loops that take one job after the other out of a table or a store, for as long as they are let, or until
none is left.

What a job writes into its own rows and records (how far it is, what came of it) is not what the next pass is asked
with: that takes another job. One to which a pass adds what was said is a conversation all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.exits import leaves
from agent_architecture.names.flow import ends
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.pauses import may_pause, where_pauses_stand
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, Instance
from agent_architecture.semantics.taint.access_paths import root_of
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.loops.loop_path import Path

CHOOSING: Final = frozenset({ir.Op.OR, ir.Op.NULLISH})
"""Operators that give one of what stands on both sides."""


def is_worker(program: Program, path: Path) -> bool:
    """Whether nothing that a pass of a loop finds out ends it, and it pauses: `while True: … sleep(2)`,
    `while not stopped.is_set(): …`; or nothing but that there is no job left.
    """
    loop = path.node
    if not isinstance(loop, ir.Loop) or loop.kind != "while":
        return False
    return _rests(program, loop) or _takes(program, path, loop)


def _takes(program: Program, path: Path, loop: ir.Loop) -> bool:
    """Whether a pass begins with a job that is asked for without a model, and only ends the loop where there is none:
    `job = store.claim()`, `if job is None: break`.
    """
    body = loop.body
    if loop.test is not None and any(_names(loop.test)):
        return False
    for at, taken in enumerate(body[:-1]):
        match taken, body[at + 1]:
            case ir.Assign(target=ir.Name(id=name), op=None, value=value), ir.If(test=test) as asked:
                call = value.value if isinstance(value, ir.Await) else value
                if set(_names(test)) != {name} or not isinstance(call, ir.Call) or not any(map(leaves, asked.then)):
                    return False
                rest = (*body[:at], *body[at + 2 :])
                led = (function for function in program.callees(call) if id(function) in path.ways)
                asks = {id(ask.node) for ask in path.asks}
                return id(call) not in asks and not any(led) and not any(map(leaves, _unless_failed(rest)))
            case ir.Assign(), _:
                continue
            case _:
                return False
    return False


def _rests(program: Program, loop: ir.Loop) -> bool:
    """Whether nothing that a pass finds out ends a loop, and it pauses."""
    found = {name for node in ir.walk(*loop.body) if isinstance(node, ir.Assign) for name in _names(node.target)}
    if loop.test is not None and not found.isdisjoint(_names(loop.test)):
        return False
    return not any(map(leaves, _unless_failed(loop.body))) and any(
        map(may_pause, where_pauses_stand(program, ir.walk(*loop.body)))
    )


def notes_on_job(program: Program, path: Path, change: ir.Node) -> bool:
    """Whether a change only notes something of the job of this pass, in its row or in its record."""
    return _replaces_field(program, path, change) or _notes_in_record(program, path, change)


def _notes_in_record(program: Program, path: Path, change: ir.Node) -> bool:
    """Whether a change is one of a field of what a store keeps under a key: `jobs[number].status = "done"`,
    `job = self.jobs.get(number)`, `job.logs.append(line)`. What the model said is not only noted where it is added.
    """
    given: tuple[ir.Expr, ...]
    match change:
        case ir.Assign(target=ir.Member(target=record), value=value) if value is not None:
            given = (value,) if change.op or _goes_on(program, change) else ()
        case ir.Call(callee=ir.Member(target=ir.Member(target=record)), args=args):
            given = tuple(argument.value for argument in args)
        case _:
            return False
    if not _is_kept_by_key(program, record):
        return False
    asks = {id(ask.node) for ask in path.asks}
    parts = (part for each in given for part in ir.walk(each) if isinstance(part, (ir.Call, ir.Name, ir.Member)))
    is_said = any(id(end.node) in asks for part in parts for end in ends(program, part))
    return not is_said or not _is_read(path, change)


def _is_read(path: Path, change: ir.Node) -> bool:
    """Whether a pass reads a field of that name for anything else than to make it longer."""
    near: tuple[ir.Node, ...] = ()
    match change:
        case ir.Assign(target=ir.Member() as field, value=value) if value is not None:
            near = tuple(ir.children(value))
        case ir.Call(callee=ir.Member(target=ir.Member() as field)):
            pass
        case _:
            return False
    own = {id(field), *map(id, near), *(id(inner) for part in near for inner in ir.children(part))}
    reads = (node for node in path.extent.nodes() if isinstance(node, ir.Member) and id(node) not in own)
    return any(node.name == field.name for node in reads)


def _is_kept_by_key(program: Program, record: ir.Expr) -> bool:
    """Whether something is taken out of a collection of many by a key that is not written, or as each of its values."""
    match record:
        case ir.Index(key=key):
            return not isinstance(key, ir.Literal)
        case ir.Call(callee=ir.Member(name="get"), args=(first, *_)):
            return not isinstance(first.value, ir.Literal)
        case ir.Name():
            bound = visible_bindings(program, record)
            return bool(bound) and all(_is_one_of_many(program, binding) for binding in bound)
        case _:
            return False


def _is_one_of_many(program: Program, binding: Binding) -> bool:
    if binding.kind == "loop" and isinstance(binding.node, ir.Loop):
        source = binding.node.source
        return isinstance(source, ir.Call) and callee_name(source.callee) == "values"
    value = binding.value
    return binding.kind == "assign" and not isinstance(value, ir.Name | None) and _is_kept_by_key(program, value)


def _replaces_field(program: Program, path: Path, change: ir.Node) -> bool:
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
    if isinstance(change.value, ir.Member) and _first(change.value) != _first(change.target):
        return False
    used = tuple(node for value in _instead(change.value) for node in ir.walk(value))
    held = (b.value for n in used if isinstance(n, ir.Name) for b in visible_bindings(program, n) if b.kind == "assign")
    parts = (part for value in held if value is not None for part in ir.walk(value))
    return any(isinstance(part, ir.Member) and part.name == name for part in (*used, *parts))


def _first(expr: ir.Expr) -> str:
    """The name that a chain of members begins with."""
    root = root_of(expr)
    return root.id if root is not None else ""


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
