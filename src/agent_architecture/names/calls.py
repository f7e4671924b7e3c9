"""Who calls whom among the project's own functions, found from the callee upwards and only when asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names import members
from agent_architecture.names.program import CallSite, callee_name
from agent_architecture.names.values import ClassValue, Func, Instance, ModuleValue, Unknown, Value
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program


def find_callers(program: Program, function: ir.Function) -> tuple[CallSite, ...]:
    """The calls that may run `function`, by resolved callee; by a method's unique name where the receiver is not
    readable.
    """
    found = {id(site.call): site for site in _calling(program, function)}
    for site in _escapes(program, function):
        found.setdefault(id(site.call), site)
    return tuple(sorted(found.values(), key=lambda site: site.call.span))


def _calling(program: Program, function: ir.Function) -> Iterator[CallSite]:
    home = program.module_of(function).role
    for name in sorted(_names(program, function)):
        for site in program.calls(name):
            # What an example passes to the application says nothing about the application.
            if program.module_of(site.call).role not in {home, Role.APP}:
                continue
            verdict = _runs(program, site.call, function)
            if verdict is not None:
                yield site._replace(inferred=verdict)


def _names(program: Program, function: ir.Function) -> frozenset[str]:
    """The names under which a function may be called: its own, its class's for a constructor, and import aliases."""
    own = {function.name} if function.name else set()
    if function.name == "__init__" and isinstance(function.outer, ir.Class):
        classes = (function.outer, *program.subclasses(function.outer))
        own = {cls.name for cls in classes} | {"super"}
    aliases: set[str] = set()
    for module in program.modules:
        for _, node in module.index.imports:
            aliases.update(n.alias for n in node.names if n.name != n.alias and n.name in own | {"default"})
    return frozenset(own | aliases) - {""}


def _runs(program: Program, call: ir.Call, function: ir.Function) -> bool | None:
    """False: the call runs the function. True: it does, judged by the name alone. None: it does not."""
    for value in program.value_of(call.callee):
        if isinstance(value, Func) and value.function is function:
            return False
        if isinstance(value, ClassValue) and _constructor(program, value.cls) is function:
            return False
        if isinstance(value, Instance) and function.name == "__call__" and function.outer is value.cls:
            return False
    return _by_name(program, call, function)


def _constructor(program: Program, cls: ir.Class) -> ir.Function | None:
    for ancestor in members.lineage(program, cls):
        for binding in program.attributes(ancestor).get("__init__", ()):
            if isinstance(binding.node, ir.Function):
                return binding.node
    return None


def _by_name(program: Program, call: ir.Call, function: ir.Function) -> bool | None:
    """A method call on something unreadable is taken for the only project method of that name."""
    if (
        not isinstance(call.callee, ir.Member)
        or not isinstance(function.outer, ir.Class)
        or function.name.startswith("__")
    ):
        return None
    if len(program.methods_named(function.name)) != 1:
        return None
    targets = program.value_of(call.callee.target)
    return True if all(isinstance(value, Unknown) for value in targets) else None


def _escapes(program: Program, function: ir.Function) -> Iterator[CallSite]:
    """Calls in the defining scope that are handed the function itself: they may run it."""
    outer = function.outer
    if isinstance(outer, ir.Class):
        return
    structure = program.structure(outer)
    for node in ir.walk(*outer.body):
        if node is function or (
            function.name and isinstance(outer, ir.Function) and isinstance(node, ir.Name) and node.id == function.name
        ):
            for around in structure.ancestors(node):
                if isinstance(around, ir.Call) and around.callee is not node:
                    yield CallSite(around, outer, escapes=True)
                    break
                if not isinstance(around, (ir.Map, ir.List, ir.Conditional)):
                    break


def passed_argument(site: CallSite, function: ir.Function, param: ir.Parameter) -> ir.Expr | Unknown | None:
    """The argument that a call gives to a parameter; None when it leaves the default; Unknown when it cannot be
    told.
    """
    call = site.call
    if site.escapes:
        return Unknown("a callback's caller", call)
    for argument in call.args:
        if argument.keyword == param.name:
            return argument.value
    position = next((n for n, p in enumerate(function.params) if p is param or p.name == param.name), None)
    plain = [argument for argument in call.args if argument.keyword is None and argument.spread != "**"]
    if callee_name(call.callee) == "super":
        return Unknown("a call of super", call)
    if position is not None and position < len(plain) and not any(a.spread for a in plain[: position + 1]):
        return plain[position].value
    if any(argument.spread for argument in call.args):
        return Unknown("arguments that are spread into a call", call)
    return None


def find_callees(program: Program, call: ir.Call) -> tuple[ir.Function, ...]:
    """The project's functions that a call may run, constructors included."""
    found: list[ir.Function] = []
    for value in program.value_of(call.callee):
        found.extend(_run_by(program, value))
    if not found and isinstance(call.callee, ir.Member):
        methods = program.methods_named(call.callee.name)
        found.extend(m for m in methods if _by_name(program, call, m))
    return tuple(dict.fromkeys(found))


def _run_by(program: Program, value: Value) -> Iterator[ir.Function]:
    match value:
        case Func():
            yield value.function
        case ClassValue():
            constructor = _constructor(program, value.cls)
            if constructor is not None:
                yield constructor
        case Instance():
            for method in program.attributes(value.cls).get("__call__", ()):
                if isinstance(method.node, ir.Function):
                    yield method.node
        case ModuleValue():
            return
        case _:
            return
