"""What is inside a container: an element by key or position, and what a destructuring takes out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import classes
from agent_architecture.names.application_state import kept_by_application
from agent_architecture.names.patterns import is_rest, taken_before
from agent_architecture.names.session_state import put
from agent_architecture.names.values import Api, Const, Entries, Func, Instance, Items, Text, Unknown, Value, Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

MOST_ITEMS: Final = 1000
"""Elements kept of one list: beyond, it is marked as not complete (`[*x, *x]` doubles a list as often as it stands)."""
_NEXT: Final = {"__iter__": "__next__", "__aiter__": "__anext__"}
"""What Python asks an iterator for its elements by, for each method that gives one."""


def items(found: tuple[ir.Expr, ...], node: ir.Expr, *, complete: bool = True) -> Items:
    """A list of these elements, or of the first `MOST_ITEMS` of them."""
    return Items(found[:MOST_ITEMS], node, complete and len(found) <= MOST_ITEMS)


def of_library(program: Program, joined: ir.Expr, values: Values) -> tuple[ir.Expr, ...]:
    """What stands for the elements of a list that a library made, where it is joined to another one; none for a list
    that the program spells out.
    """
    made = any(isinstance(value, Api) and value.path.endswith("()") for value in values)
    return (program.made.any_element(joined),) if made else ()


def entries_of(value: Entries) -> tuple[ir.Expr, ...]:
    """Everything that a dictionary is known to hold, whatever the keys."""
    found = tuple(entry for _, entry in value.entries)
    return found if value.others is None else (*found, value.others)


def pairs_of(program: Program, value: Entries) -> tuple[ir.Expr, ...]:
    """The pairs of a dictionary as displays."""
    made, other = program.made, value.others
    known = tuple(made.pair(made.literal(entry, key), entry) for key, entry in value.entries)
    return known if other is None else (*known, made.pair(None, other))


def element(program: Program, target: Value, key: ir.Constant, node: ir.Expr) -> Iterator[Value]:
    """What `target[key]` can be; a key of None is any element."""
    match target:
        case Entries() if isinstance(key, (str, int)) and not isinstance(key, bool):
            found = dict(target.entries).get(str(key))
            if found is not None:
                yield from program.value_of(found)
            elif target.complete:
                yield Const(ir.UNDEFINED, node.span)
            else:
                yield from () if target.others is None else program.value_of(target.others)
                yield Unknown(f"the key {key!r} of a dictionary that is not fully readable", node)
        case Entries():
            for entry in entries_of(target):
                yield from program.value_of(entry)
            if not target.entries or not target.complete:
                yield Unknown("an element of a dictionary that is not fully readable", node)
        case Items() if isinstance(key, int) and target.complete and -len(target.items) <= key < len(target.items):
            yield from program.value_of(target.items[key])
        case Items() if isinstance(key, int) and target.complete and key >= 0:
            yield Const(ir.UNDEFINED, node.span)
        case Items():
            for item in target.items:
                yield from program.value_of(item)
            if not target.items or not target.complete:
                yield Unknown("an element of a list that is not fully readable", node)
        case Api():
            # An element of a library's object is `[]`, whatever its key.
            yield Api(target.path + "[]", node, target)
            yield from put(program, target, key, node) if isinstance(key, str) else ()
            yield from kept_by_application(program, node, key) if isinstance(key, str) else ()
        case Instance():
            yield from _of_object(program, target, key, node)
        case Text() | Const():
            yield Unknown("a part of a text", node)
        case Unknown():
            kept = tuple(kept_by_application(program, node, key)) if isinstance(key, str) else ()
            yield from kept or (Unknown(target.why, node),)
        case _:
            yield Unknown("an element of an object", node)


def _of_object(program: Program, target: Instance, key: ir.Constant, node: ir.Expr) -> Iterator[Value]:
    """An element of a TypedDict by its key, of a NamedTuple by its position."""
    from agent_architecture.names.members import instance_member

    names = classes.fields(program, target.cls)
    name = key if isinstance(key, str) else None
    if isinstance(key, int) and -len(names) <= key < len(names):
        name = names[key]
    if name is not None and name in names:
        yield from instance_member(program, target, name, node)
    else:
        yield Unknown("an element of an object", node)


def taken(program: Program, values: Values, steps: tuple[str, ...], node: ir.Expr) -> Iterator[Value]:
    """What is left of values after taking these steps into them (see `scopes.Binding.steps`)."""
    from agent_architecture.names.members import member

    current = list(values)
    for step in steps:
        if is_rest(step):
            current = [_rest(value, taken_before(step), node) for value in current]
        elif step.startswith("."):
            current = [v for value in current for v in member(program, value, step[1:], node)]
        else:
            inner = step[1:-1]
            key = int(inner) if inner.lstrip("-").isdecimal() else None
            current = [v for value in current for v in element(program, value, key, node)]
    yield from current


def _rest(value: Value, before: frozenset[str], node: ir.Expr) -> Value:
    """What is left of a value after its keys (of a list: its first elements) were taken: of an object, all of it."""
    match value:
        case Entries():
            return value._replace(entries=tuple(entry for entry in value.entries if entry[0] not in before))
        case Items():
            return Items(value.items[len(before) :], node) if value.complete else value
        case Instance() | Api() | Unknown():
            return value
        case _:
            return Unknown("the rest of a destructuring", node)


def iterated(program: Program, value: Value, node: ir.Expr, *, paired: bool = False) -> Iterator[Value]:
    """What a loop over a value gives its variable: of a dictionary the keys, of JavaScript's `Map` the pairs (`paired`
    when the loop takes pairs apart).
    """
    if isinstance(value, Entries) and (paired or (isinstance(value.node, ir.Call) and value.node.is_new)):
        for one in pairs_of(program, value):
            yield from program.value_of(one)
        if not value.complete:
            yield Unknown("a pair of a map that is not fully readable", node)
    elif isinstance(value, Entries):
        yield from (Const(key, entry.span) for key, entry in value.entries)
        if not value.complete or not value.entries:
            yield Unknown("a key of a dictionary that is not fully readable", node)
    elif isinstance(value, Instance):
        yield from tuple(_given_by_iterator(program, value, node)) or element(program, value, None, node)
    else:
        yield from element(program, value, None, node)


def _given_by_iterator(program: Program, value: Instance, node: ir.Expr) -> Iterator[Value]:
    """What an object of the project gives a loop: what its `__iter__` yields, or `__next__` of what that returns."""
    for step in ("__iter__", "__aiter__"):
        for given in _result_of(program, value, step, node):
            if isinstance(given, Instance):
                yield from _result_of(program, given, _NEXT[step], node)
            elif isinstance(given, (Items, Entries)):
                yield from iterated(program, given, node)


def _result_of(program: Program, value: Instance, name: str, node: ir.Expr) -> Iterator[Value]:
    """What a method without arguments returns, if the class has it."""
    from agent_architecture.names.evaluate import returned
    from agent_architecture.names.members import instance_member

    for method in instance_member(program, value, name, node):
        if isinstance(method, Func):
            yield from returned(program, method.function, value)
