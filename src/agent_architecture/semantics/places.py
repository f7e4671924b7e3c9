"""Where a conversation is kept: the variables and attributes whose content reaches a model call, and what changes
them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import members
from agent_architecture.names.calls import passed_argument
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.values import ClassValue, Instance, Unknown
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program

LIMIT: Final = 300
"""Expressions followed back from one model call."""

PROPERTIES: Final = 3
"""Properties that one place is followed through."""

GROWING: Final = frozenset(
    {
        "append",
        "extend",
        "push",
        "unshift",
        "insert",
        "add",
        "add_message",
        "add_messages",
        "addMessage",
        "appendleft",
        "concat",
        "update",
    }
)
"""Methods that put something into the object they are called on."""

Place = tuple[str, str]
"""A variable (its scope's span and qualname, its name) or an attribute (`.` and its class's span, its name)."""


def places_of(program: Program, call: ir.Call) -> frozenset[Place]:
    """Every place whose content may be part of what a call is given."""
    found: set[Place] = set()
    seen: set[int] = set()
    queue: list[ir.Node] = [argument.value for argument in call.args]
    if isinstance(call.callee, ir.Member):
        queue.append(call.callee.target)
    keep: list[ir.Node] = []
    while queue and len(seen) < LIMIT:
        node = queue.pop(0)
        if id(node) in seen:
            continue
        seen.add(id(node))
        keep.append(node)
        found.update(places_at(program, node))
        queue.extend(_sources(program, node))
    return frozenset(found)


def places_at(program: Program, node: ir.Node, through: int = PROPERTIES) -> Iterator[Place]:
    """The place that a name or member chain denotes; an element belongs to its container, a property to what it
    returns. `through` properties are followed.
    """
    match node:
        case ir.Name():
            for binding in visible_bindings(program, node):
                yield _variable(program, node, binding.node)
                break
        case ir.Member():
            owners = [v for v in program.value_of(node.target) if isinstance(v, (Instance, ClassValue))]
            for owner in owners:
                for cls in members.lineage(program, owner.cls):
                    yield (f".{cls.span}", node.name)
            if not owners:
                yield from places_at(program, node.target, through)
            for returned in _read_by(program, node) if through else ():
                if isinstance(returned, ir.Member):
                    yield from places_at(program, returned, through - 1)
        case ir.Index():
            yield from places_at(program, node.target, through)
        case _:
            return


def _variable(program: Program, name: ir.Name, bound: ir.Node) -> Place:
    scope: ir.Scope = bound if isinstance(bound, ir.Function) and bound.name != name.id else program.scope_of(bound)
    return (f"{scope.span} {scope.qualname}", name.id)


def _sources(program: Program, node: ir.Node) -> Iterator[ir.Node]:
    match node:
        case ir.Name():
            for binding in visible_bindings(program, node):
                if (
                    binding.kind == "parameter"
                    and isinstance(binding.node, ir.Function)
                    and isinstance(binding.extra, ir.Parameter)
                ):
                    for site in program.callers(binding.node):
                        argument = passed_argument(site, binding.node, binding.extra)
                        if argument is not None and not isinstance(argument, Unknown):
                            yield argument
                elif binding.value is not None:
                    yield binding.value
        case ir.Member():
            yield node.target
            yield from _read_by(program, node)
        case ir.Call():
            yield from ir.children(node)
            for function in program.callees(node):
                yield from _given_by(program, function)
        case ir.Function() | ir.Class():
            return
        case _:
            yield from ir.children(node)


def _read_by(program: Program, node: ir.Member) -> Iterator[ir.Node]:
    """What a property returns: to read it is to call it."""
    for owner in program.value_of(node.target):
        for cls in members.lineage(program, owner.cls) if isinstance(owner, Instance) else ():
            for binding in program.attributes(cls).get(node.name, ()):
                if isinstance(binding.node, ir.Function) and members.is_property(binding.node):
                    yield from _given_by(program, binding.node)


def _given_by(program: Program, function: ir.Function) -> Iterator[ir.Node]:
    """What a function of the project returns or yields: a call of it reaches what that is made of."""
    structure = program.structure(function)
    yield from structure.returns
    yield from (node.value for node in structure.yields if node.value is not None)


def changed(program: Program, nodes: Iterable[ir.Node]) -> Iterator[tuple[Place, ir.Node]]:
    """Each place that is grown or replaced by these nodes, with the node that does it."""
    for node in nodes:
        match node:
            case ir.Assign(target=ir.Name() | ir.Member() | ir.Index() as target) if node.value is not None:
                for place in places_at(program, target):
                    yield place, node
            case ir.Call(callee=ir.Member(name=name, target=target)) if name in GROWING:
                for place in places_at(program, target):
                    yield place, node
            case _:
                continue
