"""Where a conversation may be kept: variables and attributes, and what changes them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names import members
from agent_architecture.names.exports import InModule, imported
from agent_architecture.names.handed_containers import handed_at
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.mutations import target_of
from agent_architecture.names.patterns import leaves
from agent_architecture.names.program import CallSite
from agent_architecture.names.values import ClassValue, Instance, ModuleValue
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from agent_architecture.names.definition_sites import Located
    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding

PROPERTIES: Final = 3
"""Properties that one place is followed through."""

ALIASES: Final = 3
"""Names that an alias may have been handed through: `plan = plans[key]`, `states = plan["states"]`."""

PARTS: Final = frozenset({"get", "setdefault", "at", "values", "items", "entries"})
"""Methods that give a part of the object they are called on, not a copy of it."""

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

OF_OTHERS: Final = frozenset({"add", "update"})
"""Those of them that sessions of databases and much else have, too: of what a helper is handed, they say little."""

WHOLE: Final = regex(
    r"(?:get_?|all_?|to_?)*(?:messages|history|chat_?history|conversation|input_?list|turns|transcript)", re.IGNORECASE
)
"""What libraries call the whole of a conversation, on an answer to its last turn."""

Place = tuple[str, str]
"""A variable (its scope's span and qualname, its name) or an attribute (`.` and its class's span, its name)."""


def places_at(program: Program, node: ir.Node, through: int = PROPERTIES) -> Iterator[Place]:
    """The place that a name or member chain denotes; an element belongs to its container, a property to what it
    returns. `through` properties are followed.
    """
    return _places_at(program, node, through) if through < PROPERTIES else iter(program.kept(_places, node))


def _places(program: Program, node: ir.Node) -> tuple[Place, ...]:
    return tuple(_places_at(program, node, PROPERTIES))


def _places_at(program: Program, node: ir.Node, through: int) -> Iterator[Place]:
    match node:
        case ir.Name():
            for binding in visible_bindings(program, node):
                if binding.kind == "import":
                    yield from _imported(program, binding)
                else:
                    yield _variable(program, node, binding.node)
                break
        case ir.Member():
            owners = [v for v in program.value_of(node.target) if isinstance(v, (Instance, ClassValue))]
            for owner in owners:
                for cls in members.lineage(program, owner.cls):
                    yield (f".{cls.span}", node.name)
            modules = [v.module for v in program.value_of(node.target) if isinstance(v, ModuleValue)]
            for module in modules:
                yield from _offered(program.exports.locate(module, node.name))
            if not owners and not modules:
                yield from places_at(program, node.target, through)
            for returned in read_by(program, node) if through else ():
                if isinstance(returned, ir.Member):
                    yield from places_at(program, returned, through - 1)
        case ir.Index():
            yield from places_at(program, node.target, through)
        case _:
            return


def _variable(program: Program, name: ir.Name, bound: ir.Node) -> Place:
    scope: ir.Scope = bound if isinstance(bound, ir.Function) and bound.name != name.id else program.scope_of(bound)
    return (owner_of(scope), name.id)


def _imported(program: Program, binding: Binding) -> Iterator[Place]:
    """The variable of another module that an import brings in."""
    if isinstance(binding.node, ir.Import):
        name = binding.extra if isinstance(binding.extra, ir.ImportedName) else None
        yield from _offered(imported(program.exports, program.module_of(binding.node), binding.node, name))


def _offered(places: Iterable[Located]) -> Iterator[Place]:
    yield from ((owner_of(place.module), place.name) for place in places if isinstance(place, InModule))


def read_by(program: Program, node: ir.Member) -> Iterator[ir.Expr]:
    """What a property returns: to read it is to call it."""
    for owner in program.value_of(node.target):
        for cls in members.lineage(program, owner.cls) if isinstance(owner, Instance) else ():
            for binding in program.attributes(cls).get(node.name, ()):
                if isinstance(binding.node, ir.Function) and members.is_property(binding.node):
                    yield from given_by(program, binding.node)


def given_by(program: Program, function: ir.Function) -> Iterator[ir.Expr]:
    """What a function of the project returns or yields."""
    structure = program.structure(function)
    yield from structure.returns
    yield from (node.value for node in structure.yields if node.value is not None)


def owner_of(scope: ir.Scope) -> str:
    """How a place names the scope of its variable."""
    return f"{scope.span} {scope.qualname}"


def changed(program: Program, nodes: Iterable[ir.Node]) -> Iterator[tuple[Place, ir.Node]]:
    """Each place that is grown or replaced by these nodes, with the node that does it."""
    for node in nodes:
        match node:
            case ir.Assign(target=target) if node.value is not None:
                for leaf in leaves(target):
                    whole = isinstance(leaf.place, ir.Name)
                    for place in places_at(program, leaf.place) if whole else held_at(program, leaf.place):
                        yield place, node
                for place in _carried_on(program, node):
                    yield place, node
            case ir.Call(callee=ir.Member(name=name, target=target)) if name in GROWING:
                for place in held_at(program, target):
                    yield place, node
            case ir.Call():
                for made in program.once(_put_into_handed, node):
                    for place in held_at(program, target_of(made)):
                        yield place, made
            case _:
                continue


def _put_into_handed(program: Program, call: ir.Call) -> tuple[ir.Call | ir.Assign, ...]:
    """What a function of the project puts into what a call hands it, as if it stood where the call stands."""
    return tuple(handed_at(program, CallSite(call, program.scope_of(call)), _is_place, _puts))


def _is_place(expr: ir.Expr) -> bool:
    return isinstance(expr, (ir.Name, ir.Member, ir.Index))


def _puts(program: Program, scope: ir.Scope, is_target: Callable[[ir.Expr], bool]) -> Iterator[ir.Call | ir.Assign]:
    """What a scope's own code puts into something; an attribute that it sets has a place of its own."""
    structure = program.structure(scope)
    for change in (*structure.calls, *structure.stores):
        match change:
            case ir.Call(callee=ir.Member(name=name, target=target)) if name in GROWING - OF_OTHERS and is_target(
                target
            ):
                yield change
            case ir.Assign(target=ir.Index(target=target)) if is_target(target):
                yield change
            case _:
                continue


def _carried_on(program: Program, node: ir.Assign) -> Iterator[Place]:
    """What an object that is replaced by what it makes of itself holds: `log = log.append(message)` changes
    `log.messages`. What a loop runs over is another thing each time.
    """
    value = node.value.value if isinstance(node.value, ir.Await) else node.value
    if not isinstance(value, ir.Call) or not isinstance(value.callee, ir.Member):
        return
    itself = value.callee.target
    root = root_of(itself)
    if root is not None and any(binding.kind == "loop" for binding in visible_bindings(program, root)):
        return  # one of many things, each in its turn
    if dotted(itself) != "" and dotted(itself) == dotted(node.target):
        for owner in program.value_of(itself):
            for cls in members.lineage(program, owner.cls) if isinstance(owner, Instance) else ():
                yield from ((f".{cls.span}", name) for name in program.attributes(cls))


def held_at(program: Program, target: ir.Expr, depth: int = ALIASES) -> Iterator[Place]:
    """The place of something that is changed from inside, and those that hold it under another name."""
    yield from places_at(program, target)
    root = root_of(target)
    for binding in visible_bindings(program, root) if root is not None and depth else ():
        if binding.kind in {"assign", "loop"} and binding.value is not None and (part := _part(binding.value)):
            yield from held_at(program, part, depth - 1)


def hands_back(value: ir.Expr | None) -> bool:
    """Whether an expression reads a whole conversation off something: `result.all_messages()`."""
    read = value.callee if isinstance(value, ir.Call) else value
    return isinstance(read, ir.Member) and WHOLE.fullmatch(read.name) is not None


def root_of(target: ir.Node) -> ir.Name | None:
    """The name that a chain of members and elements begins with."""
    while isinstance(target, (ir.Member, ir.Index)):
        target = target.target
    return target if isinstance(target, ir.Name) else None


def _part(value: ir.Expr) -> ir.Expr | None:
    """The object of which an expression is the whole, or a part that is no copy."""
    match value:
        case ir.Name() | ir.Member() | ir.Index():
            return value
        case ir.Call(callee=ir.Member(name=name, target=target)) if name in PARTS:
            return target
        case ir.Operator(op=ir.Op.OR | ir.Op.NULLISH, operands=(first, *_)):
            return _part(first)
        case _:
            return None
