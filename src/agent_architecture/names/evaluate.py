"""What an expression can be: one case for each kind of node.

Context-insensitive: a parameter is what any caller passes. Flow-sensitive within a scope where structure allows it:
an assignment that
dominates a use hides the ones before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names import builtins, members
from agent_architecture.names.guards import absence, given, presence, same
from agent_architecture.names.lookup import value_of_name
from agent_architecture.names.values import (
    Api,
    ClassValue,
    Const,
    Entries,
    Func,
    Instance,
    Items,
    ModuleValue,
    Text,
    Unknown,
    Value,
    Values,
)
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program


def evaluate(program: Program, expr: ir.Expr) -> Values:
    """The alternatives of `expr`; may be empty or too many (`Program.value_of` limits them)."""
    match expr:
        case ir.Literal():
            return (Const(expr.value, expr.span),)
        case ir.Name():
            return value_of_name(program, expr)
        case ir.Member():
            found = [
                v for target in program.value_of(expr.target) for v in members.member(program, target, expr.name, expr)
            ]
            return tuple(found)
        case ir.Index():
            return tuple(v for target in program.value_of(expr.target) for v in _element(program, target, expr))
        case ir.Call():
            return call_result(program, expr)
        case ir.Template():
            return (_text(program, expr),)
        case ir.List():
            return (_items(program, expr),)
        case ir.Map():
            return (_entries(program, expr),)
        case ir.Operator():
            return _operator(program, expr)
        case ir.Conditional():
            return _chosen(program, expr)
        case ir.Await():
            return program.value_of(expr.value)
        case ir.Assign() if expr.value is not None:
            return program.value_of(expr.value)
        case ir.Import():
            return members.imported_module(program, expr)
        case ir.Function():
            return (Func(expr),)
        case ir.Class():
            return (ClassValue(expr),)
        case ir.Loop():
            parts = tuple(node for node in expr.body if not isinstance(node, ir.Loop))
            return (Items(parts, expr, complete=False),)  # type: ignore[arg-type]
        case _:
            return (Unknown("an expression that is not modelled", expr),)


def _chosen(program: Program, expr: ir.Conditional) -> Values:
    """Either branch; one that its own test guards against None is not None."""
    then, otherwise = program.value_of(expr.then), program.value_of(expr.otherwise)
    if same(presence(expr.test), expr.then):
        then = given(then)
    if same(absence(expr.test), expr.otherwise):
        otherwise = given(otherwise)
    return then + otherwise


def call_result(program: Program, call: ir.Call) -> Values:
    """What a call returns: each value its callee can have, called."""
    shortcut = builtins.method_of_container(program, call)
    if shortcut is not None:
        return shortcut
    return tuple(v for callee in program.value_of(call.callee) for v in _called(program, callee, call))


def _called(program: Program, callee: Value, call: ir.Call) -> Iterator[Value]:
    match callee:
        case Func():
            yield from returned(program, callee.function)
        case ClassValue():
            yield Instance(callee.cls, call)
        case Instance():
            for method in members.member(program, callee, "__call__", call):
                if isinstance(method, Func):
                    yield from returned(program, method.function)
                elif isinstance(method, Api):
                    yield Api(method.path.removesuffix(".__call__") + "()", call, method)
        case Api():
            yield from _called_api(program, callee, call)
        case Unknown():
            yield Unknown(callee.why, call)
        case _:
            yield Unknown("a call of something that is not a function", call)


def _called_api(program: Program, callee: Api, call: ir.Call) -> Iterator[Value]:
    known = builtins.call(program, callee.path, call)
    if known is not None:
        yield from known
        return
    passed = program.library.passes(callee.path)
    if not passed:
        yield Api(callee.path + "()", call, callee)
        return
    argument = next((found for name in passed if (found := argument_of(call, name)) is not None), None)
    if argument is None:
        yield Unknown("an argument that is not given", call)
    else:
        yield from program.value_of(argument)


def argument_of(call: ir.Call, name: str) -> ir.Expr | None:
    """The argument at a position (`"0"`) or with a keyword; None when it is not written as such."""
    if name.isdigit():
        plain = [argument for argument in call.args if argument.keyword is None]
        position = int(name)
        if position < len(plain) and not any(argument.spread for argument in plain[: position + 1]):
            return plain[position].value
        return None
    return next((argument.value for argument in call.args if argument.keyword == name), None)


def returned(program: Program, function: ir.Function) -> Values:
    """What a function of the project returns: its return statements, else its annotation."""
    found: list[Value] = []
    for node in ir.walk(*function.body):
        if isinstance(node, ir.Return) and node.value is not None:
            found.extend(program.value_of(node.value))
    if function.is_generator:
        found = [Items(tuple(_yielded(function)), function, complete=False)]
    if all(isinstance(value, Unknown) for value in found) and function.returns is not None:
        typed = members.instances_of_type(program, function.returns)
        found = list(typed) or found
    return tuple(found) or (Unknown(f"what {function.name or 'a function'}() returns", function),)


def _yielded(function: ir.Function) -> Iterator[ir.Expr]:
    for node in ir.walk(*function.body):
        if isinstance(node, ir.Yield) and node.value is not None:
            yield node.value


def _element(program: Program, target: Value, expr: ir.Index) -> Iterator[Value]:
    keys = program.value_of(expr.key) if not isinstance(expr.key, (ir.Slice, ir.List)) else ()
    key = keys[0].value if len(keys) == 1 and isinstance(keys[0], Const) else None
    yield from members.element(program, target, key, expr)


def _text(program: Program, template: ir.Template) -> Value:
    out: list[str] = []
    for part in template.parts:
        values = program.value_of(part)
        if len(values) != 1 or not isinstance(values[0], Const) or values[0].value is None:
            return Text(template.parts, template)
        out.append(str(values[0].value))
    return Const("".join(out), template.span)


def _items(program: Program, display: ir.List) -> Value:
    items: list[ir.Expr] = []
    complete = True
    for item in display.items:
        if not isinstance(item, ir.Spread):
            items.append(item)
            continue
        inner = [value for value in program.value_of(item.value) if isinstance(value, Items)]
        for value in inner:
            items.extend(value.items)
        complete = complete and bool(inner) and all(value.complete for value in inner)
    return Items(tuple(items), display, complete)


def _entries(program: Program, display: ir.Map) -> Value:
    entries: dict[str, ir.Expr] = {}
    complete = True
    for entry in display.entries:
        if entry.key is None:
            complete = _spread_into(program, entries, entry.value) and complete
            continue
        keys = program.value_of(entry.key)
        if len(keys) == 1 and isinstance(keys[0], Const) and isinstance(keys[0].value, (str, int)):
            entries[str(keys[0].value)] = entry.value
        else:
            complete = False
    return Entries(tuple(entries.items()), display, complete)


def _spread_into(program: Program, entries: dict[str, ir.Expr], spread: ir.Expr) -> bool:
    values = program.value_of(spread)
    known = [value for value in values if isinstance(value, Entries)]
    for value in known:
        entries.update(value.entries)
    return len(values) == 1 and len(known) == 1 and known[0].complete


def _operator(program: Program, expr: ir.Operator) -> Values:
    if expr.op in {"or", "??"}:
        return tuple(_either(program, expr))
    if expr.op == "and":
        return program.value_of(expr.operands[-1])
    operands = [program.value_of(operand) for operand in expr.operands]
    if expr.op in {"+", "|"}:
        joined = _joined(expr, operands)
        if joined is not None:
            return joined
    return (builtins.arithmetic(expr, operands),)


def _either(program: Program, expr: ir.Operator) -> Iterator[Value]:
    """`a or b`: a left side that is certainly given hides the rest; an environment variable on the left leaves its
    default.
    """
    for operand in expr.operands[:-1]:
        for value in program.value_of(operand):
            if builtins.is_environment(value):
                continue
            if isinstance(value, Const) and (value.value is None or value.value is ir.UNDEFINED):
                continue
            if isinstance(value, Const) and expr.op == "or" and not value.value:
                continue
            yield value
            if isinstance(value, Const) and len(program.value_of(operand)) == 1:
                return
    yield from program.value_of(expr.operands[-1])


def _joined(expr: ir.Operator, operands: list[Values]) -> Values | None:
    """Lists that are concatenated, mappings that are merged, library objects that are piped into each other."""
    flat = [value for values in operands for value in values]
    lists = [value for value in flat if isinstance(value, Items)]
    if lists and expr.op == "+":
        items = tuple(item for value in lists for item in value.items)
        return (Items(items, expr, all(value.complete for value in lists) and len(lists) == len(flat)),)
    maps = [value for value in flat if isinstance(value, Entries)]
    if maps and len(maps) == len(flat) and expr.op == "|":
        merged = {key: entry for value in maps for key, entry in value.entries}
        return (Entries(tuple(merged.items()), expr, all(value.complete for value in maps)),)
    if expr.op == "|" and any(isinstance(value, Api) for value in flat):
        return tuple(value for value in flat if isinstance(value, (Api, Instance, Func, ModuleValue)))
    return None
