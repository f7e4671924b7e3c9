"""Parallel work by structure: what is started at once, for each of what, and what stands in its way.

A pack row says which calls run things in parallel; how many, and what bounds them, is structure: a comprehension, a
`map`, a loop that collects, a slice, a test of the size. States what is there; judges nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import Setting, unknown, written
from agent_architecture.names import mutations
from agent_architecture.names.classes import is_enum
from agent_architecture.names.in_place import value_in_place
from agent_architecture.names.lookup import only_value, visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import ClassValue, Const, Entries, Items
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

MAPS: Final = frozenset({"map", "flatMap"})
SAME: Final = frozenset(
    {"list", "tuple", "enumerate", "zip", "reversed", "sorted", "filter", "flat", "from", "entries", "values", "items",
     "keys", "Array", "reverse", "toSorted", "concat", "set", "Set", "allSettled", "all", "split"}
)  # fmt: skip
"""Calls whose result has about as many elements as what they are given, or called on."""
CUTS: Final = frozenset({"slice", "islice", "sample", "take", "nlargest", "nsmallest", "head"})
"""Calls that take a number of elements."""
DEPTH: Final = 6


class Spawn(NamedTuple):
    """One kind of thing that is started again and again: the nodes that start it, and what there is one of for each.

    `source` is None for a loop that runs over nothing readable (`while`).
    """

    work: tuple[ir.Node, ...]
    source: ir.Expr | None
    node: ir.Node


def spawned(program: Program, expr: ir.Expr, depth: int = DEPTH) -> Iterator[Spawn]:
    """What makes the elements of a list that is run at once; nothing for elements that are written one by one."""
    if depth <= 0:
        return
    match expr:
        case ir.Await() | ir.Spread():
            yield from spawned(program, expr.value, depth - 1)
        case ir.Loop(kind="comprehension"):
            yield Spawn(_innermost(expr), expr.source, expr)
        case ir.List():
            for item in expr.items:
                if isinstance(item, ir.Spread):
                    yield from spawned(program, item.value, depth - 1)
        case ir.Call():
            yield from _of_call(program, expr, depth)
        case ir.Name():
            yield from _of_name(program, expr, depth)
        case ir.Conditional():
            yield from spawned(program, expr.then, depth - 1)
            yield from spawned(program, expr.otherwise, depth - 1)
        case ir.Member() if expr.name in {"keys", "values", "items"}:
            yield from spawned(program, expr.target, depth - 1)
        case _:
            return


def _innermost(loop: ir.Loop) -> tuple[ir.Node, ...]:
    body = loop.body
    while len(body) == 1 and isinstance(body[0], ir.Loop) and body[0].kind == "comprehension":
        body = body[0].body
    return body


def _of_call(program: Program, call: ir.Call, depth: int) -> Iterator[Spawn]:
    name = callee_name(call.callee)
    if name in MAPS and isinstance(call.callee, ir.Member) and call.args:
        yield Spawn((call,), call.callee.target, call)
    elif name in MAPS and len(call.args) > 1:
        yield Spawn((call,), call.args[1].value, call)
    elif name in SAME | CUTS | {"fromEntries"}:
        if isinstance(call.callee, ir.Member):
            yield from spawned(program, call.callee.target, depth - 1)
        for argument in call.args[:1]:
            yield from spawned(program, argument.value, depth - 1)
    elif (given := value_in_place(program, call)) is not None:
        yield from spawned(program, given, depth - 1)


def _of_name(program: Program, name: ir.Name, depth: int) -> Iterator[Spawn]:
    for binding in visible_bindings(program, name):
        if binding.value is not None and binding.kind == "assign" and not binding.steps:
            yield from spawned(program, binding.value, depth - 1)
    scope = program.scope_of(name)
    for change in mutations.changes_of_name(program, scope, name.id):
        loop = loop_around(program, change)
        if loop is not None:
            yield Spawn(mutations.added(change), loop.source, change)
        else:
            for added in mutations.added(change):
                yield from spawned(program, added, depth - 1)


def loop_around(program: Program, node: ir.Node) -> ir.Loop | None:
    """The innermost loop, comprehension or mapped function around a node in its scope."""
    structure = program.structure(program.scope_of(node))
    return next(structure.enclosing(node, ir.Loop), None)


# ---------------------------------------------------------------------------------------------------------------- width
def width_of(program: Program, source: ir.Expr, depth: int = DEPTH) -> Setting:
    """How many elements something has: a number when it is fixed, UNKNOWN when data decides."""
    inner = _same_size(program, source) if depth else None
    if inner is not None:
        return width_of(program, inner, depth - 1)
    values = program.value_of(source)
    displays = [value for value in values if isinstance(value, (Items, Entries))]
    fixed = all(display.complete and not _is_filled(program, display) for display in displays)
    if displays and len(displays) == len(values) and fixed and not _grows(program, source):
        sizes = [len(d.items) if isinstance(d, Items) else len(d.entries) for d in displays]
        return written(max(sizes), source.span)
    listed = [value.cls for value in values if isinstance(value, ClassValue) and is_enum(program, value.cls)]
    if listed and len(listed) == len(values):
        return written(max(map(_members, listed)), source.span)
    return _counted(program, source)


def _members(cls: ir.Class) -> int:
    """How many objects an enumeration lists."""
    return sum(isinstance(node, ir.Assign) and isinstance(node.target, ir.Name) for node in cls.body)


def _same_size(program: Program, source: ir.Expr) -> ir.Expr | None:
    """What a list has one element of for each: the source of a comprehension, what `map` is called on."""
    match source:
        case ir.Await():
            return source.value
        case ir.Loop(kind="comprehension"):
            return source.source
        case ir.Call() if callee_name(source.callee) in MAPS and isinstance(source.callee, ir.Member):
            return source.callee.target
        case ir.Call(callee=ir.Member(name="keys" | "values" | "entries", target=ir.Name(id="Object")), args=(only,)):
            return only.value
        case ir.Call(callee=ir.Member(name="keys" | "values" | "items", target=target), args=()):
            return None if program.callees(source) else target
        case ir.Call() if callee_name(source.callee) in SIZED and source.args:
            return source.args[0].value
        case ir.Call():
            return value_in_place(program, source)
        case ir.Name() if not _grows(program, source):
            value = only_value(program, source)
            return value if isinstance(value, (ir.Await, ir.Loop, ir.Call)) else None
        case _:
            return None


SIZED: Final = frozenset({"enumerate", "list", "tuple", "reversed", "sorted", "zip"})


def _grows(program: Program, source: ir.Expr) -> bool:
    """Whether a loop puts something into the list that a name holds."""
    if not isinstance(source, ir.Name):
        return False
    changes = mutations.changes_of_name(program, program.scope_of(source), source.id)
    return any(loop_around(program, change) is not None for change in changes)


def _is_filled(program: Program, display: Items | Entries) -> bool:
    """Whether something is put into a container again and again: in a loop, or in a function beside what makes it."""
    made = display.node
    inside = display.items if isinstance(display, Items) else tuple(value for _, value in display.entries)
    put = [item for item in inside if not made.span.contains(item.span) and item.span.path == made.span.path]
    home = program.scope_of(made) if put else None
    return any(program.scope_of(item) is not home or loop_around(program, item) is not None for item in put)


def _counted(program: Program, source: ir.Expr) -> Setting:
    """A range of a fixed number; `Array(3)`, `Array.from({length: 3})`."""
    call = source
    while isinstance(call, ir.Call) and callee_name(call.callee) in {"enumerate", "list", "fill", "keys", "from"}:
        if isinstance(call.callee, ir.Member) and call.callee.name in {"fill", "keys"}:
            call = call.callee.target
        elif call.args:
            call = call.args[0].value
        else:
            break
    if isinstance(call, ir.Map):
        length = next(
            (e.value for e in call.entries if isinstance(e.key, ir.Literal) and e.key.value == "length"), None
        )
        return _number(program, length, source)
    if isinstance(call, ir.Call) and callee_name(call.callee) in {"range", "Array"} and call.args:
        return _number(program, call.args[1 if len(call.args) > 1 else 0].value, source)
    return _by_data(source)


def _number(program: Program, expr: ir.Expr | None, source: ir.Expr) -> Setting:
    values = program.value_of(expr) if expr is not None else ()
    numbers = [v.value for v in values if isinstance(v, Const) and isinstance(v.value, (int, float))]
    return written(max(numbers), source.span) if numbers and len(numbers) == len(values) else _by_data(source)


def _by_data(source: ir.Expr) -> Setting:
    return unknown(dotted(source) or "data", source.span)
