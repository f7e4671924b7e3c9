"""What keeps a container of hand-written code small, whose it is, and whether something is taken out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.memory import NOT_SHOWN
from agent_architecture.model.settings import ABSENT, Origin, Setting, written
from agent_architecture.names.classes import CONSTRUCTOR, ITSELF
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.mutations import GROWING, changes_of_attribute, changes_of_name, key_of
from agent_architecture.names.named_parts import part_of
from agent_architecture.names.program import callee_name
from agent_architecture.names.references import seeing
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.bounds.container_parts import held_of, put_into_parts
from agent_architecture.semantics.bounds.full_containers import stops_when_full
from agent_architecture.semantics.bounds.trims import TAKING, Trim, size_kept, takes_one, trims, window_of
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agent_architecture.names.mutations import Change
    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.semantics.matching.context import Context


class Limits(NamedTuple):
    """Settings of a memory."""

    bound: Setting = ABSENT
    overflow: Setting = ABSENT
    namespace: Setting = ABSENT
    deletes: Setting = ABSENT
    passing: bool = False
    """Whether what takes something out does so when the work on it ends, whatever happens, or after a time."""


MAKING_PARTS: Final = frozenset({"defaultdict"})
"""Tables that put something under a key when it is first read."""
TIMERS: Final = frozenset({"setTimeout", "setInterval", "call_later", "Timer"})
"""Calls that have a function run after a time."""


def limits_of(context: Context, owner: ir.Class | ir.Module, binding: Binding) -> Limits:
    """The limits of the container that a binding makes."""
    program, name = context.program, binding.name
    changes: tuple[Change, ...]
    if isinstance(owner, ir.Module):
        changes = changes_of_name(program, owner, name)
        others: tuple[Binding, ...] = ()
    else:
        changes = changes_of_attribute(program, owner, name)
        others = tuple(b for b in program.attributes(owner).get(name, ()) if b.node is not binding.node)
    put = [key for change in changes if (key := key_of(change)) is not None and not isinstance(key, ir.Literal)]
    keys: list[ir.Expr] = [*put] if put else [*looked_up(program, owner, binding)]
    growing = [change for change in changes if not isinstance(key_of(change), ir.Literal)]
    is_it = itself(program, owner, binding)
    trim = next(_trims(context, owner, binding, is_it), None) or stops_when_full(context, growing, is_it)
    return Limits(
        trim.bound if trim is not None else ABSENT,
        trim.overflow if trim is not None else ABSENT,
        written(dotted(keys[0]) or "a key", keys[0].span) if keys else ABSENT,
        next(_taken(program, owner, name), next(_emptied(program, others), ABSENT)),
        any(_passes(program, scope, node) for scope, node in _takings(program, owner, name)),
    )


def looked_up(program: Program, owner: ir.Class | ir.Module, binding: Binding) -> Iterator[ir.Expr]:
    """The keys by which code of the owner gets parts of a table that makes them by itself: `defaultdict(list)`."""
    made = binding.value
    if not isinstance(made, ir.Call) or callee_name(made.callee) not in MAKING_PARTS:
        return
    is_it = itself(program, owner, binding)
    for scope in code_of(owner):
        for node in program.structure(scope).nodes:
            if isinstance(node, ir.Index) and is_it(node.target) and not isinstance(node.key, (ir.Literal, ir.Slice)):
                yield node.key


def found_by(program: Program, owner: ir.Class | ir.Module, binding: Binding) -> Iterator[ir.Expr]:
    """The keys by which code of the owner finds the one entry of a list that it is about:
    `groups.find((group) => group.id === message.groupId)`, `next(group for group in groups if group["id"] == key)`.
    """
    is_it = itself(program, owner, binding)
    for scope in code_of(owner):
        for node in program.structure(scope).nodes:
            match node:
                case ir.Call(callee=ir.Member(name="find" | "findIndex", target=target), args=(first, *_)):
                    found = first.value
                    if is_it(target) and isinstance(found, ir.Function) and found.params:
                        returned = program.structure(found).returns
                        yield from (key for test in returned for key in _compared(test, found.params[0].name))
                case ir.Call(callee=ir.Name(id="next"), args=(first, *_)):
                    found = first.value
                    if isinstance(found, ir.Loop) and is_it(found.source) and isinstance(found.target, ir.Name):
                        tests = () if found.test is None else (found.test,)
                        yield from (key for test in tests for key in _compared(test, found.target.id))
                case _:
                    continue


def _compared(test: ir.Expr, entry: str) -> Iterator[ir.Expr]:
    """What a field of an entry has to be equal to; no constant, which is the same for everybody."""
    sides = test.operands if isinstance(test, ir.Operator) and test.op is ir.Op.EQ else ()
    for number, side in enumerate(sides[:2]):
        other = sides[1 - number]
        of = side.target if isinstance(side, (ir.Member, ir.Index)) else None
        names = {part.id for part in ir.walk(other) if isinstance(part, ir.Name)}
        if isinstance(of, ir.Name) and of.id == entry and names and entry not in names:
            yield other


def itself(program: Program, owner: ir.Class | ir.Module, binding: Binding) -> Callable[[ir.Expr | None], bool]:
    """What says of an expression that it is the container, by its name in code of the owner."""

    def is_it(expr: ir.Expr | None) -> bool:
        match expr if expr is None or isinstance(owner, ir.Module) else part_of(program, expr):
            case ir.Name(id=name) as held if isinstance(owner, ir.Module):
                return name == binding.name and any(b.node is binding.node for b in visible_bindings(program, held))
            case ir.Member(name=name, target=ir.Name(id=holder)) if isinstance(owner, ir.Class):
                return name == binding.name and holder in {*ITSELF, owner.name}
            case _:
                return False

    return is_it


def _trims(
    context: Context, owner: ir.Class | ir.Module, binding: Binding, is_it: Callable[[ir.Expr | None], bool]
) -> Iterator[Trim]:
    """A container of a fixed length, and what the owner's own code does to keep it small."""
    program, made = context.program, binding.value
    is_held = held_of(program, is_it)
    for argument in made.args if isinstance(made, ir.Call) else ():
        if argument.keyword == "maxlen":
            size = size_kept(program, argument.value)
            yield Trim(size, written("drop", size.span or binding.node.span))

    for scope in code_of(owner):
        if _runs(program, scope, owner, binding.name) or next(put_into_parts(program, (scope,), is_it), None):
            nodes = program.structure(scope).nodes
            yield from trims(context, (node for node in nodes if not _names_part(node, is_it)), is_held)


def _names_part(node: ir.Node, is_it: Callable[[ir.Expr | None], bool]) -> bool:
    """Whether a statement gives a variable another value, which leaves the container as it is."""
    return isinstance(node, ir.Assign) and isinstance(node.target, ir.Name) and not is_it(node.target)


def _runs(program: Program, scope: ir.Scope, owner: ir.Class | ir.Module, name: str) -> bool:
    """Whether code of the owner ever runs, as far as is seen: a function of a module that nobody calls, registers by a
    decorator or adds to the container with does not.
    """
    if not isinstance(scope, ir.Function) or isinstance(owner, ir.Class) or scope.decorators or program.callers(scope):
        return True
    return any(scope.span.contains(change.span) for change in changes_of_name(program, owner, name))


def _is_filled(program: Program, owner: ir.Class | ir.Module, name: str) -> bool:
    """Whether the project calls all functions that name a container of a module and put something into anything: then
    one that it does not call is not for others either.
    """
    if isinstance(owner, ir.Class):
        return True
    growing = {scope: None for how in sorted(GROWING) for scope in owner.index.calls.get(how, ())}
    filling = [
        scope
        for scope in growing
        if isinstance(scope, ir.Function)
        and any(isinstance(node, ir.Name) and node.id == name for node in program.structure(scope).nodes)
    ]
    return bool(filling) and all(scope.decorators or program.callers(scope) for scope in filling)


def shown_of(context: Context, asked: frozenset[int], owner: ir.Class | ir.Module, binding: Binding) -> Trim | None:
    """The part of a container that a model is shown: where whatever reads it on the way there takes so much of it.
    `asked` are the ids of the nodes on such ways.
    """
    is_it = itself(context.program, owner, binding)
    found: list[Trim] = []
    for scope in code_of(owner):
        structure = context.program.structure(scope)
        for node in structure.nodes:
            if id(node) not in asked or not isinstance(node, (ir.Name, ir.Member)) or not is_it(node):
                continue
            around = structure.parent(node)
            if isinstance(around, ir.Member):
                around = structure.parent(around)
            if not isinstance(around, (ir.Index, ir.Call)):
                return None
            size = written(1, around.span) if takes_one(around, is_it) else window_of(context, around, is_it)
            if size is None:
                return None
            found.append(Trim(size, written(NOT_SHOWN, around.span)))
    larger = (one for one in found if one.bound.values != (1,))
    return next(larger, found[0]) if found else None


def code_of(owner: ir.Class | ir.Module) -> Iterator[ir.Scope]:
    """The code that may change what a class or module holds: its own, and that of functions in it."""
    if isinstance(owner, ir.Module):
        yield from owner.code
        return
    for method in owner.body:
        if isinstance(method, ir.Function):
            yield from seeing(method)


def _taken(program: Program, owner: ir.Class | ir.Module, name: str) -> Iterator[Setting]:
    """What in the owner's own functions takes something out."""
    for _, node in _takings(program, owner, name):
        yield Setting(Origin.WRITTEN, (True,), node.span)


def _takings(program: Program, owner: ir.Class | ir.Module, name: str) -> Iterator[tuple[ir.Scope, ir.Node]]:
    """The calls and statements that do, with their scopes."""
    inside = owner.body if isinstance(owner, ir.Class) else owner.index.functions
    for scope in (node for node in inside if isinstance(node, ir.Function)):
        if not _runs(program, scope, owner, name) and _is_filled(program, owner, name):
            continue
        calls = program.calls_in(scope) if not isinstance(owner, ir.Module) or _calls_any(owner, scope) else {}
        for method in sorted(TAKING & calls.keys()):
            for call in calls[method]:
                if isinstance(call.callee, ir.Member) and _name(program, call.callee.target) == name:
                    yield scope, call
        yield from ((scope, node) for node in program.structure(scope).nodes if _deletes(program, node, name))


def _name(program: Program, expr: ir.Expr) -> str:
    return callee_name(part_of(program, expr))


def _deletes(program: Program, node: ir.Node, name: str) -> bool:
    """Whether a statement takes an entry out: `del x[k]`, `delete x[k]`."""
    parts: tuple[ir.Node, ...] = ()
    if isinstance(node, ir.Opaque) and node.kind is ir.OpaqueKind.DEL:
        parts = node.parts
    elif isinstance(node, ir.Operator) and node.op is ir.Op.DELETE:
        parts = node.operands
    return any(isinstance(part, ir.Index) and _name(program, part.target) == name for part in parts)


def _passes(program: Program, scope: ir.Scope, node: ir.Node) -> bool:
    """Whether it stands in a `finally`, by itself or in a function that is called there, or runs after a time."""
    if _ends_work(program, scope, node):
        return True
    sites = program.callers(scope) if isinstance(scope, ir.Function) else ()
    if any(not site.escapes and _ends_work(program, site.scope, site.call) for site in sites):
        return True
    calls = program.structure(scope.outer).calls if isinstance(scope, ir.Function) else ()
    return any(callee_name(call.callee) in TIMERS and any(a.value is scope for a in call.args) for call in calls)


def _ends_work(program: Program, scope: ir.Scope, node: ir.Node) -> bool:
    tries: Iterator[ir.Try] = program.structure(scope).enclosing(node, ir.Try)
    return any(last.span.contains(node.span) for each in tries for last in each.final)


def _emptied(program: Program, others: tuple[Binding, ...]) -> Iterator[Setting]:
    """The assignments of an empty container by other methods than the constructor."""
    for other in others:
        if getattr(program.scope_of(other.node), "name", "") == CONSTRUCTOR:
            continue
        is_empty = isinstance(other.value, ir.List) and not other.value.items
        is_empty = is_empty or (isinstance(other.value, ir.Map) and not other.value.entries)
        if is_empty and isinstance(other.node, ir.Assign) and isinstance(other.node.target, ir.Member):
            yield Setting(Origin.WRITTEN, (True,), other.node.span)


def _calls_any(module: ir.Module, scope: ir.Function) -> bool:
    """Whether the index says that a function calls such a method: no other is read."""
    return any(scope in module.index.calls.get(name, ()) for name in TAKING)
