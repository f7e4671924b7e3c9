"""Who calls whom among the project's own functions, found from the callee upwards and only when asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names import classes
from agent_architecture.names.arguments import CALLED, FORWARDING, IN_CONTEXT, LATER, LISTED, arguments_at, named_inside
from agent_architecture.names.callable_objects import CALL, names_of_objects, run_by_call, runners
from agent_architecture.names.callees import counts
from agent_architecture.names.containers import OF_THE_LANGUAGES
from agent_architecture.names.decorations import decorations_by, runs, runs_instead, wrapped_by
from agent_architecture.names.indirect_calls import called_as
from agent_architecture.names.library_callbacks import run_by_library, running
from agent_architecture.names.message_handlers import set_on
from agent_architecture.names.program import CallSite, callee_name
from agent_architecture.names.values import SPREAD, Api, ClassValue, Func, Instance, Unknown, Value, Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.callees import Runs
    from agent_architecture.names.program import Program
    from agent_architecture.names.structure import Structure

CONTAINERS: Final = (ir.Map, ir.List, ir.Spread, ir.Conditional)
"""What a function can stand in when it is handed over."""

RUNNERS: Final = FORWARDING | LISTED | {
    "Thread", "Process", "Timer", "setTimeout", "setInterval", "setImmediate", "queueMicrotask", "nextTick", "then",
    "catch", "finally", "Promise", "map", "forEach", "flatMap", "filter", "reduce", "some", "every", "find", "sort",
    "sorted", "call_later", "run_sync",
}  # fmt: skip
"""Calls of the languages' own libraries that run a function that they are handed, by last name."""

OF_LIBRARIES: Final = CALLED | IN_CONTEXT | {"backOff", "pMap", "pRetry", "retry"}
"""The same of other libraries, and what they make: where it is no function of the project that has the name."""


# ------------------------------------------------------------------------------------------------------------- callers
def find_callers(program: Program, function: ir.Function) -> tuple[CallSite, ...]:
    """The calls that may run `function`, by resolved callee; by a method's unique name where the receiver is not
    readable.
    """
    found: dict[int, CallSite] = {}
    renamed = tuple(_called_otherwise(program, function))
    escapes = tuple(s for s in _escapes(program, function) if not (renamed and _is_to_project(program, s.call)))
    later = (*_later(program, function), *running(program, function, tuple(site.call for site in escapes)))
    for site in (*_calling(program, function), *_handed(program, function), *later, *renamed, *escapes):
        found.setdefault(id(site.call), site)
    return tuple(sorted(found.values(), key=lambda site: site.call.span))


def constructions(program: Program, cls: ir.Class) -> tuple[tuple[ir.Class, ir.Call], ...]:
    """The calls that make an object of a class or of one of its subclasses, with the class that they name."""
    home = program.module_of(cls).role
    family = {cls, *program.subclasses(cls)}
    names = {alias for one in family for alias in (one.name, *program.import_aliases(one.name))}
    found: dict[int, tuple[ir.Class, ir.Call]] = {}
    for name in sorted((names | program.import_aliases("default")) - {""}):
        for site in program.calls(name):
            if counts(program, site, home):
                made = (v.cls for v in program.value_of(site.call.callee) if isinstance(v, ClassValue))
                found.update((id(site.call), (one, site.call)) for one in made if one in family)
    return tuple(sorted(found.values(), key=lambda pair: pair[1].span))


def _calling(program: Program, function: ir.Function) -> Iterator[CallSite]:
    home = program.module_of(function).role
    names = _names(program, function)
    yield from program.sites.under(sorted(names), function)
    for site in decorations_by(program, function, names):
        if counts(program, site, home) and runs(program, site, function):
            yield site


def _called_otherwise(program: Program, function: ir.Function) -> Iterator[CallSite]:
    """The calls that run a function under the name of a parameter, variable or attribute that it was handed to."""
    home = program.module_of(function).role
    for site in called_as(program, function):
        found = program.sites.running(site, function) if counts(program, site, home) else None
        if found is not None:
            yield found
        elif counts(program, site, home) and _is_put_on(program, site.call, function):
            yield site


def _is_put_on(program: Program, call: ir.Call, function: ir.Function) -> bool:
    """Whether a call names a library's object's attribute that the function was put into: `server.once = (…) => …`."""
    store = program.structure(function.outer).parent(function)
    target = store.target if isinstance(store, ir.Assign) else None
    if not isinstance(target, ir.Member) or not isinstance(call.callee, ir.Member) or target.name != call.callee.name:
        return False
    made = {id(value.node) for value in program.value_of(target.target) if isinstance(value, Api)}
    return any(isinstance(v, Api) and id(v.node) in made for v in program.value_of(call.callee.target))


def _is_to_project(program: Program, call: ir.Call) -> bool:
    if program.by_types.methods(call.callee):
        return True
    return any(isinstance(value, (Func, ClassValue)) for value in program.value_of(call.callee))


def _names(program: Program, function: ir.Function) -> frozenset[str]:
    """The names under which a function may be called: its own, its class's for a constructor, and aliases."""
    own = {function.name} - {""}
    if function.name == classes.CONSTRUCTOR and isinstance(function.outer, ir.Class):
        family = (function.outer, *program.subclasses(function.outer))
        own |= {cls.name for cls in family} | {"super", "cls"}
    own |= runners(program, function) | {wrapped.name for wrapped in wrapped_by(program, function)}
    aliases = {alias for name in own | {"default"} for alias in program.import_aliases(name)}
    places: tuple[ir.Scope, ...] = (function.module, function.outer)
    for name in sorted(own):
        for place in places:
            aliases |= program.renamed(place, name)
    called = names_of_objects(program, function.outer) if CALL in own and isinstance(function.outer, ir.Class) else ()
    return frozenset((own | aliases) - {""}).union(called)


def run_at(program: Program, site: CallSite) -> Runs:
    """What a call runs; marked as inferred where that is judged by a method's name alone."""
    found: dict[ir.Function, CallSite] = {}
    typed = program.by_types.methods(site.call.callee)
    values = program.value_of(site.call.callee) if typed is None else typed
    for function, seen in _by_values(program, site, values):
        found.setdefault(function, seen)
    for function in _unreadable_methods(program, site.call) if typed is None else ():
        found.setdefault(function, site._replace(inferred=True))
    return found


def _by_values(program: Program, site: CallSite, values: Values) -> Iterator[tuple[ir.Function, CallSite]]:
    for value in values:
        match value:
            case Func():
                seen = site._replace(bound=value.bound, skipped=int(_is_unbound(value, site.call)))
                yield from ((function, seen) for function in runs_instead(program, value.function, site.scope))
            case ClassValue():
                constructor = classes.constructor(program, value.cls)
                yield from () if constructor is None else ((constructor, site),)
            case Instance():
                yield from ((function, site) for function in run_by_call(program, value.cls))
            case _:
                continue


def _is_unbound(value: Func, call: ir.Call) -> bool:
    """Whether a method is called on its class, with its object as the first argument: `Base.run(self, x)`."""
    is_method = value.function.receiver == "self" and isinstance(value.function.outer, ir.Class)
    return is_method and value.receiver is None and value.bound is None and isinstance(call.callee, ir.Member)


def _unreadable_methods(program: Program, call: ir.Call) -> tuple[ir.Function, ...]:
    """The only method of the project with the name of a call on something unreadable, which it can be taken for."""
    callee = call.callee
    if not isinstance(callee, ir.Member) or callee.name.startswith("__") or callee.name in OF_THE_LANGUAGES:
        return ()
    methods = program.methods_named(callee.name, call)
    if len(methods) != 1:
        return ()
    targets = program.value_of(callee.target)
    return methods if targets and all(isinstance(value, Unknown) for value in targets) else ()


def handing(program: Program) -> dict[str, tuple[CallSite, ...]]:
    """The calls of the languages' own runners by the last names of their arguments."""
    found: dict[str, list[CallSite]] = {}
    for runner in sorted(RUNNERS | OF_LIBRARIES):
        for site in program.calls(runner):
            for name in dict.fromkeys(_last_name(argument.value) for argument in site.call.args):
                found.setdefault(name, []).append(site)
    return {name: tuple(sites) for name, sites in found.items()}


def passed_names(program: Program, module: ir.Module) -> frozenset[str]:
    """The last names of what the calls of a module hand to the languages' own runners."""
    calls = (
        call
        for runner in (RUNNERS | OF_LIBRARIES) & module.index.calls.keys()
        for scope in module.index.calls[runner]
        for call in program.calls_in(scope).get(runner, ())
    )
    return frozenset(_last_name(argument.value) for call in calls for argument in call.args)


def _handed(program: Program, function: ir.Function) -> Iterator[CallSite]:
    """Calls of the languages' own libraries that run the function that they are handed by its name."""
    home = program.module_of(function).role
    for site in program.calls_that_pass(function.name) if function.name else ():
        named = [a.value for a in site.call.args if _last_name(a.value) == function.name]
        if counts(program, site, home) and _runs_handed(program, site.call):
            yield from (site._replace(escapes=True),) if any(_is(program, e, function) for e in named) else ()


def _runs_handed(program: Program, call: ir.Call) -> bool:
    """Whether a call is one of the languages' own runners, or of a library that runs what it is handed. What a class
    made runs it (`Retrying()(ask, question)`); what a function gave is as a rule a decorator (`server.tool()(ask)`).
    """
    name, made = callee_name(call.callee), call.callee
    if name in RUNNERS:
        return True
    if isinstance(made, ir.Call) and not callee_name(made.callee)[:1].isupper():
        return False
    return name in OF_LIBRARIES and any(isinstance(value, Api) for value in program.value_of(call.callee))


def _later(program: Program, function: ir.Function) -> Iterator[CallSite]:
    """The calls that put a decorated function on a queue: `task.delay(x)`."""
    if not function.parts.decorators:
        return
    home, names = program.module_of(function).role, {function.name, *program.import_aliases(function.name)}
    for name in sorted(LATER):
        for site in program.calls(name):
            callee = site.call.callee
            if not isinstance(callee, ir.Member) or callee_name(callee.target) not in names:
                continue
            if counts(program, site, home) and _is(program, callee.target, function):
                yield site._replace(escapes=True)


def _last_name(expr: ir.Expr) -> str:
    named = named_inside(expr) or expr
    return callee_name(named) if isinstance(named, (ir.Name, ir.Member)) else ""


def _is(program: Program, expr: ir.Expr, function: ir.Function) -> bool:
    return any(isinstance(v, Func) and v.function is function for v in program.value_of(expr))


def _escapes(program: Program, function: ir.Function) -> Iterator[CallSite]:
    """Calls in the defining scope that are handed the function itself: they may run it."""
    outer = function.outer
    if isinstance(outer, ir.Class):
        return
    structure = program.structure(outer)
    places: list[ir.Node] = [function]
    if function.name and isinstance(outer, ir.Function):
        places.extend(node for node in structure.nodes if isinstance(node, ir.Name) and node.id == function.name)
    for node in places:
        around = _past_containers(structure, node)
        if isinstance(around, ir.Call) and around.callee is not node:
            yield CallSite(around, outer, escapes=True)
        elif isinstance(around, ir.Assign) and around.value is not node and isinstance(around.target, ir.Name):
            yield from _handed_in(program, outer, around.target.id) if isinstance(outer, ir.Function) else ()
        made = set_on(program, around) if node is function else None
        if made is not None:
            yield CallSite(made, program.scope_of(made), escapes=True)


def _past_containers(structure: Structure, node: ir.Node) -> ir.Node | None:
    """What stands around the containers that hold a node."""
    return next((a for a in structure.ancestors(node) if not isinstance(a, CONTAINERS)), None)


def _handed_in(program: Program, owner: ir.Function, name: str) -> Iterator[CallSite]:
    """The calls, in a function and in those inside it, that are handed a variable of it: `options` with a callback."""
    queue: list[ir.Scope] = [owner]
    for scope in queue:
        if scope is not owner and name in program.bindings(scope):
            continue
        structure = program.structure(scope)
        queue.extend(structure.definitions)
        for node in structure.nodes:
            if isinstance(node, ir.Name) and node.id == name:
                around = _past_containers(structure, node)
                if isinstance(around, ir.Call) and around.callee is not node:
                    yield CallSite(around, scope, escapes=True)


# ----------------------------------------------------------------------------------------------------------- arguments
def passed_argument(site: CallSite, function: ir.Function, param: ir.Parameter) -> ir.Expr | Unknown | None:
    """The argument that a call gives to a parameter; None when it leaves the default; Unknown when it cannot be
    told.
    """
    call, arguments = site.call, arguments_at(site, function)
    if arguments is None:
        return Unknown("a callback's caller", call)
    for argument in reversed(arguments):
        if argument.keyword == param.name:
            return argument.value
    position = next((n for n, p in enumerate(function.params) if p is param or p.name == param.name), None)
    plain = [argument for argument in arguments if argument.keyword is None and argument.spread != "**"]
    if position is not None and position < len(plain) and not any(a.spread for a in plain[: position + 1]):
        return plain[position].value
    if any(argument.spread for argument in arguments):
        return Unknown(SPREAD, call)
    return None


# ------------------------------------------------------------------------------------------------------------- callees
def find_callees(program: Program, call: ir.Call) -> tuple[ir.Function, ...]:
    """The project's functions that a call may run, constructors and the callbacks of the languages' libraries
    included.
    """
    typed = program.by_types.methods(call.callee)
    values = program.value_of(call.callee) if typed is None else typed
    found = [function for value in values for function in _run_by(program, value, call)]
    if not found and _runs_handed(program, call):
        handed = (value for argument in call.args for value in _function_values(program, argument.value))
        found.extend(value.function for value in handed)
    if not found and isinstance(call.callee, ir.Member):
        found.extend(_put_on_queue(program, call.callee) or _unreadable_methods(program, call))
    return tuple(dict.fromkeys(found))


def _put_on_queue(program: Program, callee: ir.Member) -> tuple[ir.Function, ...]:
    """The decorated function that `task.delay(x)` puts on a queue."""
    if callee.name not in LATER or not isinstance(callee.target, (ir.Name, ir.Member)):
        return ()
    values = (value.function for value in program.value_of(callee.target) if isinstance(value, Func))
    return tuple(function for function in values if function.parts.decorators)


def _function_values(program: Program, expr: ir.Expr) -> Iterator[Func]:
    if isinstance(expr, (ir.Function, ir.Name, ir.Member)) or named_inside(expr) is not None:
        yield from (value for value in program.value_of(expr) if isinstance(value, Func))


def _run_by(program: Program, value: Value, call: ir.Call) -> Iterator[ir.Function]:
    match value:
        case Func():
            yield from runs_instead(program, value.function, program.scope_of(call))
        case ClassValue():
            constructor = classes.constructor(program, value.cls)
            if constructor is not None:
                yield constructor
        case Instance():
            yield from run_by_call(program, value.cls)
        case Api(receiver=Api()):
            yield from run_by_library(program, value)
        case _:
            return
