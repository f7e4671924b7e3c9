"""Tables that a function copies entry by entry, with the texts in them filled in: what comes back to a call has the
entries that this call gave.

`filled(config["clerk"], inputs)` is the clerk's entry, whatever other calls have filled. Texts are as they were
written: `"Clerk of {house}"`. So is a table that a function gives back with entries put in. Knows loops
over the entries of a parameter and comprehensions; must not know what tables are for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.program import CallSite
from agent_architecture.names.values import Const, Entries, Unknown
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.structure import Structure
    from agent_architecture.names.values import Value, Values

FILLING: Final = frozenset(
    {"format", "format_map", "replace", "replaceAll", "strip", "substitute", "safe_substitute", "trim"}
)
"""Methods of a text that leave it the text it was, filled in or cut."""
DEPTH: Final = 6
"""Methods in a row, and choices in each other, that are followed from a value to the entry it is made of."""


def copied(program: Program, function: ir.Function, call: ir.Call) -> Values | None:
    """What a function that copies one of its parameters returns to a call; None for any other function."""
    param = program.once(_copied_parameter, function)
    itself = program.once(_returned_parameter, function) if param is None else None
    kept = param or itself
    given = None if kept is None else passed_argument(CallSite(call, function), function, kept)
    if given is None or isinstance(given, (Unknown, ir.Slice)):
        return None
    values = program.value_of(given)
    if not any(isinstance(value, Entries) for value in values):
        return None
    if itself is not None:
        return _as_returned(program, function, values)
    return tuple(_copy(value, call) for value in values if not _is_nothing(value))


def _as_returned(program: Program, function: ir.Function, given: Values) -> Values | None:
    """What a call gave to a function that gives it back, with what this puts into it; None where that is not told."""
    spans = {value.node.span for value in given if isinstance(value, Entries)}
    every = tuple(value for node in program.structure(function).returns for value in program.value_of(node))
    return tuple(value for value in every if isinstance(value, Entries) and value.node.span in spans) or None


def _copy(value: Value, call: ir.Call) -> Value:
    return value._replace(node=call) if isinstance(value, Entries) else value


def _is_nothing(value: Value) -> bool:
    return isinstance(value, Const) and value.value is None


def _copied_parameter(program: Program, function: ir.Function) -> ir.Parameter | None:
    """The parameter of which a function returns a copy, in all that it returns."""
    if function.is_generator or function.decorators:
        return None
    structure = program.structure(function)
    for param in function.params:
        if not param.kind and param.pattern is None and _is_copied(structure, function, param.name):
            return param
    return None


def _returned_parameter(program: Program, function: ir.Function) -> ir.Parameter | None:
    """The parameter that is all that a function returns, with entries put in, and that it makes nothing else of.

    A function that returns it as it came is a wrapper: what it gives stands where it is called.
    """
    if function.is_generator or function.decorators:
        return None
    structure = program.structure(function)
    for param in function.params:
        returned = bool(structure.returns) and all(_is_name(node, param.name) for node in structure.returns)
        if returned and not param.kind and param.pattern is None and _is_put_into(structure, param.name):
            return None if any(_is_name(node, param.name) for node in _assigned(structure)) else param
    return None


def _is_put_into(structure: Structure, param: str) -> bool:
    return any(_is_into(store.target, param) for store in structure.stores)


def _is_copied(structure: Structure, function: ir.Function, param: str) -> bool:
    """Whether all that a function returns are copies of a parameter, at least one of them, or the parameter itself."""
    returned = [node for node in structure.returns if not _is_name(node, param)]
    goes_over = any(isinstance(node, ir.Loop) and _source(node) == param for node in structure.nodes)
    if not returned or not goes_over or any(_is_name(node, param) for node in _assigned(structure)):
        return False
    return all(_is_copy(structure, function, node, param) for node in returned)


def _is_copy(structure: Structure, function: ir.Function, node: ir.Expr, param: str) -> bool:
    match node:
        case ir.Loop(test=None, body=(key, value)):  # {key: fill(value) for key, value in table.items()}
            pair = _pair(node, param)
            return pair is not None and _is_name(key, pair[0]) and _carries(value, pair[1], function)
        case ir.Name():
            return _is_filled(structure, function, node.id, param)
        case _:
            return False


def _is_filled(structure: Structure, function: ir.Function, copy: str, param: str) -> bool:
    """Whether a variable is an empty table into which nothing but the entries of the parameter are put."""
    if not _begins_empty(structure, copy):
        return False
    stores = [store for store in structure.stores if _is_into(store.target, copy)]
    mentioned = sum(_is_name(each, copy) for each in structure.nodes)
    known = len(stores) + 1 + sum(_is_name(each, copy) for each in structure.returns)
    return bool(stores) and mentioned == known and all(_is_kept(structure, function, one, param) for one in stores)


def _is_kept(structure: Structure, function: ir.Function, store: ir.Assign, param: str) -> bool:
    """Whether `copy[key] = value` keeps an entry of the parameter under its own key."""
    around = next(structure.enclosing(store, ir.Loop), None)
    pair = None if around is None else _pair(around, param)
    if pair is None or store.op is not None or store.value is None or not isinstance(store.target, ir.Index):
        return False
    return _is_name(store.target.key, pair[0]) and _carries(store.value, pair[1], function)


def _pair(loop: ir.Loop, param: str) -> tuple[str, str] | None:
    """The names of key and value in a loop over the entries of a parameter."""
    target = loop.target.target if isinstance(loop.target, ir.Assign) else loop.target
    if not isinstance(target, ir.List) or _source(loop) != param:
        return None
    match target.items:
        case (ir.Name(id=key), ir.Name(id=value)):
            return key, value
        case _:
            return None


def _source(loop: ir.Loop) -> str:
    """The name of the table over whose entries a loop goes: `table.items()`, `Object.entries(table)`."""
    match loop.source:
        case ir.Call(callee=ir.Member(target=ir.Name(id=name), name="items"), args=()):
            return name
        case ir.Call(callee=ir.Member(target=ir.Name(id="Object"), name="entries"), args=(first,)):
            return first.value.id if isinstance(first.value, ir.Name) else ""
        case _:
            return ""


def _carries(node: ir.Node, value: str, function: ir.Function) -> bool:
    """Whether an expression is an entry's value: itself, its text filled in, or a copy by the same function."""
    stack: list[tuple[ir.Node, int]] = [(node, DEPTH)]
    while stack:
        each, depth = stack.pop()
        match each:
            case ir.Name(id=name) if name == value:
                continue
            case ir.Conditional(then=then, otherwise=otherwise) if depth:
                stack += [(then, depth - 1), (otherwise, depth - 1)]
            case ir.Call(callee=ir.Member(target=target, name=name)) if depth and name in FILLING:
                stack.append((target, depth - 1))
            case ir.Call(callee=ir.Name(id=name) | ir.Member(name=name), args=(first, *_)) if depth and name in {
                function.name,
                "Template",
            }:
                stack.append((first.value, depth - 1))
            case _:
                return False
    return True


def _begins_empty(structure: Structure, name: str) -> bool:
    """Whether a variable is an empty table where it is made, and is made once."""
    made = [node for node in structure.nodes if isinstance(node, ir.Assign) and _is_name(node.target, name)]
    return len(made) == 1 and isinstance(made[0].value, ir.Map) and not made[0].value.entries


def _assigned(structure: Structure) -> Iterator[ir.Expr]:
    for node in structure.nodes:
        if isinstance(node, ir.Assign):
            yield node.target


def _is_into(target: ir.Expr, name: str) -> bool:
    return isinstance(target, (ir.Index, ir.Member)) and _is_name(target.target, name)


def _is_name(node: ir.Node | ir.Slice, name: str) -> bool:
    return isinstance(node, ir.Name) and node.id == name
