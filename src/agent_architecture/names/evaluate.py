"""What an expression can be: one case for each kind of node.

Context-insensitive: a parameter is what any caller passes. Flow-sensitive within a scope where structure allows it:
an assignment that dominates a use hides the ones before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import arithmetic, builtins, containers, displays, members, mutated_parts, promises
from agent_architecture.names.alternate_constructors import made_objects
from agent_architecture.names.annotations import instances_of_type
from agent_architecture.names.arguments import argument_of, bound_again
from agent_architecture.names.attribute_writes import stored
from agent_architecture.names.classes import enclosing_class
from agent_architecture.names.converted import converted
from agent_architecture.names.copied_tables import copied
from agent_architecture.names.decorations import given_by_library
from agent_architecture.names.dependency_injection import provided
from agent_architecture.names.elements import element, items, of_library
from agent_architecture.names.factories import made_for
from agent_architecture.names.given_keys import selected
from agent_architecture.names.lookup import value_of_name, visible_bindings
from agent_architecture.names.null_checks import absence, given, presence, same
from agent_architecture.names.pass_through import passed
from agent_architecture.names.signatures import promised_result
from agent_architecture.names.values import (
    Api,
    ClassValue,
    Const,
    Entries,
    Func,
    Instance,
    Items,
    ModuleValue,
    Unknown,
    Value,
    Values,
)
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

__all__ = ["argument_of", "call_result", "evaluate", "returned"]

_SUPER: Final = "super"


def evaluate(program: Program, expr: ir.Expr) -> Values:
    """The alternatives of `expr`; may be empty or too many (`Program.value_of` limits them)."""
    match expr:
        case ir.Literal():
            return (Const(expr.value, expr.span),)
        case ir.Name():
            return value_of_name(program, expr)
        case ir.Member():
            return mutated_parts.of_part(program, expr, tuple(_members(program, expr)))
        case ir.Index():
            found = (v for target in program.value_of(expr.target) for v in _element(program, target, expr))
            return mutated_parts.of_part(program, expr, tuple(found))
        case ir.Call():
            return call_result(program, expr)
        case ir.Template():
            return (arithmetic.joined_text(expr.parts, tuple(program.value_of(p) for p in expr.parts), expr),)
        case ir.List():
            return (displays.of_list(program, expr),)
        case ir.Map():
            return (displays.of_map(program, expr),)
        case ir.Operator():
            return _operator(program, expr)
        case ir.Conditional():
            return _chosen(program, expr)
        case ir.Await() if _awaits_parameter(program, expr):
            return tuple(value for value in program.value_of(expr.value) if not isinstance(value, Func)) or (
                Unknown("what a parameter comes to", expr),
            )
        case ir.Await():
            return program.value_of(expr.value)
        case ir.Yield(delegate=True) if expr.value is not None:
            return program.value_of(expr.value)  # what it comes to: `const model = yield* Model` of effect systems
        case ir.Assign() if expr.value is not None:
            return program.value_of(expr.value)
        case ir.Assign() if expr.annotation is not None:
            return instances_of_type(program, expr.annotation)
        case ir.Import():
            return members.imported_module(program, expr)
        case ir.Function():
            return (Func(expr),)
        case ir.Class():
            return (ClassValue(expr),)
        case ir.Loop():
            return (displays.of_comprehension(program, expr),)
        case _:
            return (Unknown("an expression that is not modelled", expr),)


def _awaits_parameter(program: Program, expr: ir.Await) -> bool:
    """Whether code waits for what it was handed: then that was begun elsewhere, and a function that others hand in is
    not what comes of it (`if iscoroutine(task): return await task`).
    """
    awaited = expr.value
    return (
        isinstance(awaited, ir.Name)
        and is_python(awaited.span.path)
        and any(binding.kind == "parameter" for binding in visible_bindings(program, awaited))
    )


def _members(program: Program, expr: ir.Member) -> Iterator[Value]:
    if is_super(expr.target):
        yield from members.super_member(program, expr.name, expr)
        return
    targets = program.value_of(expr.target)
    if len(targets) > 1:
        targets = members.having(program, targets, expr.name)
    later, hides = stored(program, expr, targets)
    yield from later
    for target in targets:
        if not (hides and isinstance(target, (Instance, Entries))):
            yield from members.member(program, target, expr.name, expr)


def is_super(target: ir.Expr) -> bool:
    """Whether an expression stands for the bases of the class around it: `super()`, JavaScript's `super`."""
    called = target.callee if isinstance(target, ir.Call) else target
    return isinstance(called, ir.Name) and called.id == _SUPER


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
    callee = call.callee
    if not isinstance(callee, ir.Member) or callee.name not in containers.METHODS or is_super(callee.target):
        return _of_callee(program, call)
    targets = program.value_of(callee.target)
    results = [containers.method_of_container(program, target, call) for target in targets]
    if all(result is None for result in results):
        return _of_callee(program, call)
    return tuple(
        v for target, result in zip(targets, results, strict=True) for v in _of_method(program, target, result, call)
    )


def _of_callee(program: Program, call: ir.Call) -> Values:
    """What each value of the callee returns; where none is readable, what its type says."""
    bound = _bound(program, call) or promises.chained(program, call)
    if bound:
        return bound
    if (cls := _made_by_hand(program, call)) is not None:
        return (Instance(cls),)
    callees = program.value_of(call.callee)
    kept = provided(program, call, callees)
    if kept:
        return kept
    unreadable = all(isinstance(callee, Unknown) for callee in callees)
    promised = promised_result(program, call.callee) if unreadable else ()
    return promised or tuple(v for callee in callees for v in _called(program, callee, call))


def _made_by_hand(program: Program, call: ir.Call) -> ir.Class | None:
    """The class of which `super().__new__(cls)` and `object.__new__(cls)` make an object, in a method of it."""
    match call:
        case ir.Call(callee=ir.Member(name="__new__"), args=(ir.Argument(value=ir.Name(id="cls")), *_)):
            return enclosing_class(program, call)
        case _:
            return None


def _bound(program: Program, call: ir.Call) -> Values:
    """What `f.bind(object, x)` makes of functions of the project."""
    if not isinstance(call.callee, ir.Member) or call.callee.name != "bind" or not call.args:
        return ()
    functions = (value for value in program.value_of(call.callee.target) if isinstance(value, Func))
    return tuple(value._replace(bound=bound_again(value.bound, call)) for value in functions)


def _of_method(program: Program, target: Value, result: Values | None, call: ir.Call) -> Iterator[Value]:
    """What a method returns of one value that its object can be: a container's own, or any other's."""
    if result is not None or not isinstance(call.callee, ir.Member):
        yield from result or ()
        return
    for value in members.member(program, target, call.callee.name, call.callee):
        yield from _called(program, value, call)


def _called(program: Program, callee: Value, call: ir.Call) -> Iterator[Value]:
    match callee:
        case Func():
            own = tuple(given_by_library(program, callee.function, call)) or _own_result(program, callee, call)
            for value in returned(program, callee.function, callee.receiver) if own is None else own:
                yield made_for(program, value, callee.function, call)
        case ClassValue():
            yield Instance(callee.cls, call)
        case Instance():
            for method in members.member(program, callee, "__call__", call):
                if isinstance(method, Func):
                    yield from returned(program, method.function, callee)
                elif isinstance(method, Api):
                    yield Api(method.path.removesuffix(".__call__") + "()", call, method)
        case Api():
            yield from _called_api(program, callee, call)
        case Unknown():
            yield Unknown(callee.why, call)
        case _:
            yield Unknown("a call of something that is not a function", call)


def _own_result(program: Program, callee: Func, call: ir.Call) -> Values | None:
    """What a function gives to one call alone, where it hangs on what that call gives in a way that is read: an entry
    that the call names, a number made of the call's own, a copy of a table.
    """
    if callee.bound is not None:
        return None
    plain = callee.receiver is None
    found = selected(program, callee.function, call) if plain else None
    found = converted(program, callee.function, call) if plain and found is None else found
    return copied(program, callee.function, call) if found is None else found


LONGEST_PATH: Final = 2000
"""Letters of an API path. Each call that no pack knows makes a chain longer, and looking it up takes the square."""


def _called_api(program: Program, callee: Api, call: ir.Call) -> Iterator[Value]:
    if len(callee.path) > LONGEST_PATH:
        yield Unknown("a chain of calls that is too long", call)
        return
    if callee.path.endswith(".bind") and callee.receiver is not None and callee.path.startswith("npm:"):
        is_own = callee.receiver.path.endswith("()") and bool(call.args) and isinstance(call.args[0].value, ir.Map)
        if not is_own:  # a function's; an object that was made has one of its own, which takes options
            yield callee.receiver._replace(bound=bound_again(callee.receiver.bound, call))
            return
    known = builtins.call(program, callee.path, call)
    if known is not None:
        yield from known
        return
    made = made_objects(program, callee.path, call)
    if made:
        yield from made
        return
    ways = program.library.passes(callee.path)
    if not ways:
        yield Api(callee.path + "()", call, callee)
        return
    yield from passed(program, callee, call, ways)


def returned(program: Program, function: ir.Function, receiver: Instance | None = None) -> Values:
    """What a function of the project returns: its return statements, else its annotation.

    A generator gives a list of what it yields. A method that returns `self` gives its very object, where that is known.
    """
    structure = program.structure(function)
    if function.is_generator:
        return (_yielded(program, function),)
    found = [v for node in structure.returns for v in program.value_of(node)]
    if receiver is not None and receiver.call is not None:
        found = [receiver if isinstance(v, Instance) and v == (receiver.cls, None) else v for v in found]
    readable = any(not isinstance(value, Unknown) for value in found)
    if not readable and (found or not structure.returns) and function.returns is not None:
        found = list(instances_of_type(program, function.returns)) or found
    if found or structure.returns:
        return tuple(found)
    return (Unknown(f"what {function.name or 'a function'}() returns", function),)


def _yielded(program: Program, function: ir.Function) -> Value:
    found: list[ir.Expr] = []
    for node in program.structure(function).yields:
        if node.value is not None and not node.delegate:
            found.append(node.value)
        elif node.value is not None:
            found.extend(i for v in program.value_of(node.value) if isinstance(v, Items) for i in v.items)
    return items(tuple(found), function, complete=False)


TYPE_CHOICES: Final = {
    f"py:{module}.{name}": several
    for module in ("typing", "typing_extensions")
    for name, several in (("Annotated", False), ("Optional", False), ("Union", True))
}
"""Names for types that stand for the types in their brackets: whether for all of them, or for the first."""


def _element(program: Program, target: Value, expr: ir.Index) -> Iterator[Value]:
    if isinstance(target, Api) and target.path in TYPE_CHOICES:
        inside = expr.key.items if isinstance(expr.key, ir.List) else (expr.key,)
        chosen = inside if TYPE_CHOICES[target.path] else inside[:1]
        yield from (v for item in chosen for v in program.value_of(item))
        return
    if isinstance(expr.key, ir.Slice) and isinstance(target, Items):
        yield Items(target.items, expr, complete=False)
        return
    keys = program.value_of(expr.key) if not isinstance(expr.key, (ir.Slice, ir.List)) else ()
    key = keys[0].value if len(keys) == 1 and isinstance(keys[0], Const) else None
    if isinstance(target, ClassValue) and isinstance(key, str):
        yield from members.member(program, target, key, expr)  # `Color["RED"]`
    elif isinstance(target, (ClassValue, Func)):
        yield target  # `Box[int]`
    else:
        yield from element(program, target, key, expr)


def _operator(program: Program, expr: ir.Operator) -> Values:
    if expr.op in {ir.Op.OR, ir.Op.NULLISH}:
        return tuple(_either(program, expr))
    if expr.op == ir.Op.AND:
        return program.value_of(expr.operands[-1])
    first = program.value_of(expr.operands[0])
    if expr.op is ir.Op.DIV and program.is_settled(expr.operands[0]) and arithmetic.are_paths(first):
        return arithmetic.below(expr, first)
    operands = [first, *(program.value_of(operand) for operand in expr.operands[1:])]
    settled = all(program.is_settled(operand) for operand in expr.operands)
    if expr.op in {ir.Op.ADD, ir.Op.BITOR}:
        joined = _joined(program, expr, operands, settled=settled)
        if joined is not None:
            return joined
    if not settled:
        # A number or text that is computed from itself has no end.
        return (Unknown("a value that depends on itself", expr),) if all(operands) else ()
    return arithmetic.computed(expr, operands)


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
            if isinstance(value, Const) and expr.op == ir.Op.OR and not value.value:
                continue
            yield value
            if isinstance(value, Const) and len(program.value_of(operand)) == 1 and program.is_settled(operand):
                return
    yield from program.value_of(expr.operands[-1])


def _joined(program: Program, expr: ir.Operator, operands: list[Values], *, settled: bool) -> Values | None:
    """Lists that are concatenated, mappings that are merged, library objects that are piped into each other."""
    flat = [value for values in operands for value in values]
    lists = [value for value in flat if isinstance(value, Items)]
    if lists and expr.op == ir.Op.ADD:
        inside = tuple(
            item
            for operand, values in zip(expr.operands, operands, strict=True)
            for item in (
                *(item for value in values if isinstance(value, Items) for item in value.items),
                *of_library(program, operand, values),
            )
        )
        # A list that is joined to itself has no end either, but only so many elements.
        inside = inside if settled else tuple(sorted(dict.fromkeys(inside), key=lambda item: item.span))
        return (items(inside, expr, complete=settled and all(v.complete for v in lists) and len(lists) == len(flat)),)
    maps = [value for value in flat if isinstance(value, Entries)]
    if maps and len(maps) == len(flat) and expr.op == ir.Op.BITOR:
        merged = {key: entry for value in maps for key, entry in value.entries}
        others: ir.Expr | None = None
        for under in (value.others for value in maps if value.others is not None):
            others = program.made.either(others, under)
        return (Entries(tuple(merged.items()), expr, all(value.complete for value in maps), others),)
    if expr.op == ir.Op.BITOR and any(isinstance(value, (Api, ClassValue)) for value in flat):
        return tuple(value for value in flat if isinstance(value, (Api, ClassValue, Instance, Func, ModuleValue)))
    return None
