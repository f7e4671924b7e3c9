"""One step back from an expression: the expressions that it takes its value from, as the languages say.

A step knows by which calls the way came in, and which part of the value is wanted. Walking is for `flow`, what stands
inside objects and calls for `flow_parts`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import flow_parts, mutations
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.flow_paths import Origin, Step, further, is_place
from agent_architecture.names.kept_keys import keys_gone_through
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.narrowing import is_error
from agent_architecture.names.parameter_defaults import without_filling
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import Api, Const, Entries, Func, Instance, Items, Text, Unknown
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.flow_paths import Calls, Entered, Fields
    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.names.scopes import Binding

TESTS: Final = frozenset(
    {ir.Op.EQ, ir.Op.NE, ir.Op.LT, ir.Op.LE, ir.Op.GT, ir.Op.GE, ir.Op.IN, ir.Op.NOT, ir.Op.INSTANCEOF, ir.Op.TYPEOF}
)
"""Operators whose result is true or false (or a type's name), whoever wrote the operands."""
_CHOICES: Final = frozenset({ir.Op.OR, ir.Op.AND, ir.Op.NULLISH, ir.Op.BITOR})
"""Operators whose result is one of the operands, or has all of their entries."""

OVER: Final = frozenset(
    {"map", "forEach", "flatMap", "filter", "reduce", "some", "every", "find", "sort", "sorted", "then", "pMap"}
)
"""Calls of the languages' own libraries that hand the function that they are given what they run over."""
NUMBERED: Final = frozenset({"map", "forEach", "flatMap", "filter", "some", "every", "find"})
"""Those that, as methods, hand it the number of the element as well, in the second place."""


def back(program: Program, node: ir.Expr, way: Entered, fields: Fields) -> Iterator[Step | Origin]:
    """The expressions that a node takes its value from, or the origin that it is."""
    match node:
        case ir.Literal():
            yield Origin("constant", node)
        case ir.Name():
            yield from _name(program, node, way, fields)
        case ir.Member():
            yield from flow_parts.member(program, node, way, fields)
        case ir.Index():
            yield from flow_parts.index(program, node, way, fields)
        case ir.Call():
            yield from flow_parts.call(program, node, way, fields)
        case ir.Map() if fields:
            yield from flow_parts.entries(program, node, fields)
        case ir.List() if fields and is_place(fields[-1]):
            yield from flow_parts.items(node, fields)
        case ir.Loop():  # what it runs over comes in by the names of its body
            yield from (Step(part) for part in node.body)  # type: ignore[arg-type]
        case ir.Function() | ir.Class():
            yield Origin("name", node, node.qualname)
        case ir.Conditional():
            yield Step(node.then)
            yield Step(node.otherwise)
        case ir.Operator() if node.op in TESTS:
            yield Origin("constant", node)
        case ir.Operator() | ir.Template():
            kept = fields if isinstance(node, ir.Operator) and node.op in _CHOICES else ()
            yield from (Step(part, fields=kept) for part in ir.children(node))  # type: ignore[arg-type]
        case _:
            yield from (Step(part) for part in ir.children(node))  # type: ignore[arg-type]


# --------------------------------------------------------------------------------------------------------------- names
def _name(program: Program, node: ir.Name, way: Entered, fields: Fields) -> Iterator[Step | Origin]:
    visible = visible_bindings(program, node)
    is_given = any(binding.kind == "parameter" for binding in visible)  # else no call says which of them count
    bindings = without_filling(program, node, visible, way.calls if is_given else ())
    calls = way.calls if node.id == "self" and not bindings else ()
    receiver = calls[-1].callee if calls else None
    if isinstance(receiver, ir.Member):
        yield Step(receiver.target, calls=calls[:-1])
    elif not bindings or is_error(program, node):
        yield Origin("name", node, node.id)
        return
    for binding in bindings:
        if binding.kind == "parameter":
            yield from _parameter(program, binding, way.calls, fields)
            yield from _grown(program, binding.node, node, fields)  # type: ignore[arg-type]
            yield from () if fields else _filled_parts(program, binding.node, node.id)  # type: ignore[arg-type]
        elif binding.kind == "import":
            yield from _imported(program, node)
        elif (keys := keys_gone_through(program, binding)) is not None:
            yield from (Step(key) for key in keys)
        elif binding.value is not None:
            yield Step(binding.value, fields=further(fields, binding.steps))
            yield from _grown(program, program.scope_of(binding.node), node, fields)
            if not fields and isinstance(binding.value, ir.Map):
                yield from _filled(program, program.scope_of(binding.node), node.id, binding.value)
        else:
            yield Origin("name", node, node.id)


def _grown(program: Program, scope: ir.Scope, node: ir.Name, fields: Fields) -> Iterator[Step]:
    """What is put into a container after it was made, and into the part of it that is wanted."""
    name = node.id
    for change in mutations.changes_of_name(program, scope, name):
        if not _comes_after(program, change, node):
            yield from flow_parts.added(program, change, fields)
    for inner, parts in flow_parts.parts_of(fields):
        for change in mutations.changes_of_part(program, scope, name, *parts):
            yield from flow_parts.added(program, change, inner)


def _comes_after(program: Program, change: ir.Call | ir.Assign, name: ir.Name) -> bool:
    """Whether a helper puts something in only while the call runs that a name is handed to: `answer = talk(items)`. In
    a loop, the next pass hands it over. Such a change stands at the call, its parts in the helper (`StandIns.handed`).
    """
    written = change.callee if isinstance(change, ir.Call) else change.target
    if change.span.contains(written.span) or not change.span.contains(name.span):
        return False
    return not any(True for _ in program.structure(program.scope_of(name)).enclosing(name, ir.Loop))


def _filled(program: Program, scope: ir.Scope, name: str, made: ir.Map) -> Iterator[Step]:
    """What is put into the containers of a mapping that is handed on whole: `page["rows"].append(row)`."""
    for entry in made.entries:
        key = entry.key.value if isinstance(entry.key, ir.Literal) else None
        if isinstance(key, str) and isinstance(entry.value, (ir.List, ir.Map)):
            for change in mutations.changes_of_part(program, scope, name, key):
                yield from flow_parts.added(program, change, ())


def _filled_parts(program: Program, function: ir.Function, name: str) -> Iterator[Step]:
    """The same for a mapping that a function is given: it says itself which parts it fills."""
    for call in program.structure(function).calls:
        match call.callee:
            case ir.Member(name=how, target=ir.Index(target=ir.Name(id=held), key=ir.Literal(value=str()))):
                if held == name and how in mutations.GROWING:
                    yield from flow_parts.added(program, call, ())
            case _:
                continue


def _imported(program: Program, node: ir.Name) -> Iterator[Step | Origin]:
    for value in program.value_of(node):
        origin = getattr(value, "node", None)
        if isinstance(value, (Items, Entries, Text)) and origin is not None:
            yield Step(origin)
        elif isinstance(value, Api) and isinstance(value.node, ir.Call):
            yield Step(value.node)
        elif isinstance(value, Instance) and value.call is not None:
            yield Step(value.call)
        elif isinstance(value, Const):
            yield Origin("constant", ir.Literal(value.span, value.value))
        else:
            yield Origin("name", node, value.path if isinstance(value, Api) else node.id)


# ---------------------------------------------------------------------------------------------------------- parameters
def _parameter(program: Program, binding: Binding, calls: Calls, fields: Fields) -> Iterator[Step | Origin]:
    """What the call gives that the way came in by; what all callers give, where it came in by none."""
    function, param = binding.node, binding.extra
    if not isinstance(function, ir.Function) or not isinstance(param, ir.Parameter):
        return
    yield Origin("parameter", function, param.name)
    # What one of the functions under a decorator says is not what the others do.
    sites = tuple(site for site in program.callers(function) if not site.decorates)
    entered, outside = _entered(sites, calls)
    wanted = further(fields, binding.steps)
    is_left_out = not entered
    for site in entered or sites:
        arguments = tuple(_arguments(program, site, function, param, wanted))
        is_left_out = is_left_out or not arguments
        yield from (step._replace(calls=outside) for step in arguments)
    if param.default is not None and is_left_out:
        yield Step(param.default)


def _entered(sites: tuple[CallSite, ...], calls: Calls) -> tuple[tuple[CallSite, ...], Calls]:
    """By which of the calls that give a parameter the way came into its function, and the calls before that: the last
    one, but for what a function inside of it reads, which was entered later.
    """
    for number in range(len(calls) - 1, -1, -1):
        found = tuple(site for site in sites if site.call is calls[number])
        if found:
            return found, calls[:number]
    return (), ()


def _arguments(
    program: Program, site: CallSite, function: ir.Function, param: ir.Parameter, wanted: Fields
) -> Iterator[Step]:
    """What a call gives to a parameter: an argument, those that `*args` and `**kwargs` collect, what is spread into
    the call; a callback is given what its runner runs over.
    """
    call = site.call
    if site.escapes and callee_name(call.callee) in OVER:
        if _is_number(call, function, param):
            return
        yield from (Step(a.value, fields=wanted) for a in call.args if not _is_function(program, a.value))
        if isinstance(call.callee, ir.Member):
            yield Step(call.callee.target, fields=wanted)
        return
    if param.kind:
        yield from _collected(call, function, param, wanted)
        return
    found = passed_argument(site, function, param)
    if isinstance(found, Unknown):
        for argument in call.args:
            if argument.spread:
                yield Step(argument.value, fields=(*wanted, param.name) if argument.spread == "**" else wanted)
    elif found is not None:
        yield Step(found, fields=wanted)


def _is_number(call: ir.Call, function: ir.Function, param: ir.Parameter) -> bool:
    """Whether a callback is told by a parameter which element it is given."""
    is_method = isinstance(call.callee, ir.Member) and callee_name(call.callee) in NUMBERED
    return is_method and len(function.params) > 1 and function.params[1].name == param.name


def _collected(call: ir.Call, function: ir.Function, param: ir.Parameter, wanted: Fields) -> Iterator[Step]:
    named = {other.name for other in function.params if not other.kind}
    for argument in call.args:
        if argument.spread == param.kind:
            yield Step(argument.value, fields=wanted)
        elif argument.spread or argument.keyword in named or (argument.keyword is None) is (param.kind == "**"):
            continue
        elif param.kind == "**" and wanted:
            if argument.keyword == wanted[-1]:
                yield Step(argument.value, fields=wanted[:-1])
        else:
            yield Step(argument.value, fields=wanted)


def _is_function(program: Program, expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Function) or any(isinstance(value, Func) for value in program.value_of(expr))
