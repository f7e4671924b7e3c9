"""Where a path of CodeQL's API graphs leads in our name layer: objects of a library by their access path, and what the
project gives to it, as expressions.

Our access paths have one spelling where the API graph has several steps: what is awaited is the object itself, an
object is what its class returns, `module.exports` is the module, a subclass is a class of the project.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from agent_architecture.names import classes
from agent_architecture.names.members import member
from agent_architecture.names.promises import resolutions
from agent_architecture.names.values import (
    Api,
    ClassValue,
    Entries,
    Func,
    Instance,
    Items,
    ModuleValue,
    Value,
    Values,
)
from agent_architecture.syntax import ir
from ecosystem.callgraph.opened import HANDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from ecosystem.callgraph.expectations import Step

_ELEMENT: Final = frozenset({"getASubscript", "getArrayElement"})
_CALLED: Final = frozenset({"getReturn", "getInstance", "getAnnotatedInstance"})


class Reached(NamedTuple):
    """What a path leads to."""

    paths: frozenset[str] = frozenset()
    """Access paths of the library's own objects."""
    values: Values = ()
    """Values of the project: subclasses and their objects, what the package itself offers."""
    given: tuple[ir.Expr, ...] = ()
    """Expressions whose value the library gets."""
    parameters: tuple[ir.Parameter, ...] = ()
    """Parameters of the project's functions that the library gives a value."""
    taker: frozenset[str] = frozenset()
    """The access paths of what gets `given`, whole or in parts."""


def reached(program: Program, steps: Iterable[Step], *, python: bool, own: str) -> Reached:
    """Where a path leads; `own` is the name of the package that the project itself is, "" for none."""
    found = Reached()
    for step in steps:
        if step.kind == "moduleImport":
            found = _module(program, step.name, python=python, own=own)
        elif step.kind == "getPromised":
            more = (expr for one in found.given for expr in _resolved(program, one))
            found = found._replace(given=(*found.given, *more))
        elif step.kind != "getAwaited" and not (step.kind == "getMember" and step.name == "exports"):
            further = _further(program, found, step)
            found = further if further.taker else further._replace(taker=found.taker)
    return found


def _module(program: Program, name: str, *, python: bool, own: str) -> Reached:
    if name == own:
        index = (module for module in program.modules if module.path in {"index.js", f"{own}.js", "tst.js"})
        return Reached(values=tuple(ModuleValue(module) for module in index))
    return Reached(frozenset({f"py:{name}" if python else f"npm:{name}:"}))


def _further(program: Program, found: Reached, step: Step) -> Reached:
    match step.kind:
        case "getMember":
            paths = frozenset(_joined(path, step.name) for path in found.paths)
            values = tuple(_members(program, found, step.name))
            given = (*_written_under(program, found, step.name), *_stored(program, found.paths, step.name))
            return Reached(paths, values, given)
        case "getASubclass":
            return Reached(found.paths, tuple(_subclasses(program, found)))
        case kind if kind in _CALLED:
            paths = frozenset(f"{path}()" for path in found.paths)
            returned = (node for value in _all(program, found) for node in _returned(program, value))
            return Reached(paths, tuple(_made(program, found)), tuple(returned))
        case kind if kind in _ELEMENT:
            inside = (item for value in _all(program, found) for item in _inside(value))
            given = (*inside, *_stored(program, found.paths, None))
            return Reached(frozenset(f"{path}[]" for path in found.paths), (), given)
        case _:
            return _argument(program, found, step)


def _resolved(program: Program, expr: ir.Expr) -> Iterator[ir.Expr]:
    return resolutions(program, expr) if isinstance(expr, ir.Call) else iter(())


def _joined(path: str, name: str) -> str:
    return f"{path}{name}" if path.endswith(":") else f"{path}.{name}"


def _all(program: Program, found: Reached) -> Iterator[Value]:
    yield from found.values
    yield from (value for expr in found.given for value in program.value_of(expr))


def _members(program: Program, found: Reached, name: str) -> Iterator[Value]:
    for value in _all(program, found):
        if not isinstance(value, (Api, Items)):
            at = _somewhere(program)
            yield from member(program, value, name, at)


def _somewhere(program: Program) -> ir.Expr:
    module = next(module for module in program.modules if module.language not in {"json", "markdown"})
    return ir.Name(module.span, "")


def _written_under(program: Program, found: Reached, name: str) -> Iterator[ir.Expr]:
    """The expressions that stand under a name in what the library gets."""
    for value in _all(program, found):
        match value:
            case Entries():
                yield from (expr for key, expr in value.entries if key == name)
            case ClassValue() | Instance():
                for one in program.lineage(value.cls):
                    bound = program.attributes(one).get(name, ())
                    yield from (b.node for b in bound if isinstance(b.node, (ir.Function, ir.Assign)))
            case Func():
                stores = program.put_in(value.function.module).get(name, ())
                yield from (store.value for store in stores if store.value and _is_on(program, store.target, value))


def _stored(program: Program, paths: frozenset[str], name: str | None) -> Iterator[ir.Expr]:
    """What is assigned to an attribute of a library's object, or (`name` None) to any element of it."""
    for scope in (scope for module in program.modules for scope in module.code):
        for store in program.structure(scope).stores:
            target = store.target
            is_one = isinstance(target, ir.Index) if name is None else _is_attribute(target, name)
            holders = program.value_of(target.target) if is_one and isinstance(target, (ir.Index, ir.Member)) else ()
            if store.value is not None and any(isinstance(v, Api) and v.path in paths for v in holders):
                yield store.value


def _is_on(program: Program, target: ir.Expr, function: Func) -> bool:
    holders = program.value_of(target.target) if isinstance(target, ir.Member) else ()
    return any(isinstance(one, Func) and one.function is function.function for one in holders)


def _is_attribute(target: ir.Expr, name: str) -> bool:
    return isinstance(target, ir.Member) and target.name == name


def _subclasses(program: Program, found: Reached) -> Iterator[Value]:
    """The project's classes directly below."""
    known = {value.cls for value in found.values if isinstance(value, ClassValue)}
    for module in program.modules:
        for cls in module.index.classes:
            named = [value for base in cls.bases for value in program.value_of(base)]
            is_one = any(isinstance(v, Api) and v.path in found.paths for v in named)
            if is_one or any(isinstance(v, ClassValue) and v.cls in known for v in named):
                yield ClassValue(cls)


def _made(program: Program, found: Reached) -> Iterator[Value]:
    for value in _all(program, found):
        if isinstance(value, ClassValue):
            yield Instance(value.cls)


def _returned(program: Program, value: Value) -> tuple[ir.Expr, ...]:
    return program.structure(value.function).returns if isinstance(value, Func) else ()


def _inside(value: Value) -> tuple[ir.Expr, ...]:
    if isinstance(value, Entries):
        return tuple(expr for _, expr in value.entries)
    return value.items if isinstance(value, Items) else ()


# ----------------------------------------------------------------------------------------------------------- arguments
def _argument(program: Program, found: Reached, step: Step) -> Reached:
    """What calls give at a place; of a function of the project: its parameter, and what the library hands it."""
    parameters: list[ir.Parameter] = []
    handed: set[str] = set()
    for function in _functions(program, _all(program, found)):
        place = _place(function, step)
        if place is not None:
            parameters.append(function.params[place])
            handed.update(f"{path}.{HANDED}.{place}" for path in found.taker)
    given = (expr for path in found.paths for call, callee in _calls(program, path) for expr in _at(call, callee, step))
    return Reached(frozenset(handed), (), tuple(given), tuple(parameters), found.paths)


def _functions(program: Program, values: Iterable[Value]) -> Iterator[ir.Function]:
    for value in values:
        if isinstance(value, Func):
            yield value.function
        elif isinstance(value, ClassValue) and (made := classes.constructor(program, value.cls)) is not None:
            yield made


def _place(function: ir.Function, step: Step) -> int | None:
    for number, param in enumerate(function.params):
        if step.name == (param.name if step.kind == "getKeywordParameter" else str(number)):
            return number
    return None


def _calls(program: Program, path: str) -> Iterator[tuple[ir.Call, Api]]:
    for module in program.modules:
        for scope in module.code:
            for call in (call for calls in program.calls_in(scope).values() for call in calls):
                for value in program.value_of(call.callee):
                    if isinstance(value, Api) and value.path in {path, f"{path}.bind"}:
                        yield call, value


def _at(call: ir.Call, callee: Api, step: Step) -> Iterator[ir.Expr]:
    """The argument of a call that a step names, with what `bind` fixed before; `bind` itself gives its arguments."""
    fixed, own = _fixed(callee), _own(call)
    receiver, arguments = (own[:1], (*fixed, *own[1:])) if callee.path.endswith(".bind") else ((), (*fixed, *own))
    match step.kind:
        case "getReceiver":
            yield from (argument.value for argument in receiver)
        case "getKeywordParameter":
            yield from (argument.value for argument in arguments if argument.keyword == step.name)
        case "getSpreadArgument":
            at = int(step.name)
            yield from (argument.value for argument in arguments[at : at + 1] if argument.spread)
        case _:
            plain = [argument for argument in arguments if argument.keyword is None]
            at = int(step.name)
            yield from (argument.value for argument in plain[at : at + 1])


def _fixed(callee: Api) -> tuple[ir.Argument, ...]:
    """The arguments that `bind` fixed of what is called, or is bound once more."""
    bound = callee.bound if callee.bound is not None else callee.receiver and callee.receiver.bound
    return bound.args[1:] if bound else ()


def _own(call: ir.Call) -> tuple[ir.Argument, ...]:
    """What a call gives: a tag of a template gets its texts, then each part (ECMA-262, Tagged Templates)."""
    first = call.args[0].value if call.args else None
    if not isinstance(first, ir.Template) or first.span.col != call.callee.span.end_col:
        return call.args
    texts = ir.List(first.span, tuple(part for part in first.parts if _is_text(part)))
    return (ir.Argument(None, texts), *(ir.Argument(None, part) for part in first.parts if not _is_text(part)))


def _is_text(part: ir.Expr) -> bool:
    return isinstance(part, ir.Literal) and isinstance(part.value, str)
