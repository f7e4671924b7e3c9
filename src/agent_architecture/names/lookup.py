"""What a bare name can be: the bindings that reach it, innermost scope first, then the language's own names."""

from __future__ import annotations

import builtins as python_builtins
from typing import TYPE_CHECKING, Final

from agent_architecture.names import members, scopes
from agent_architecture.names.guards import absence, given, same
from agent_architecture.names.located import InModule, Outside
from agent_architecture.names.values import Api, ClassValue, Const, Func, Instance, Unknown, Value, Values
from agent_architecture.sources.source import Language
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding

INFINITE: Final = frozenset({"Infinity"})
SCRIPT: Final = frozenset({Language.JAVASCRIPT, Language.TYPESCRIPT, Language.TSX})


def value_of_name(program: Program, name: ir.Name) -> Values:
    """The alternatives of a name at its place."""
    scope = program.scope_of(name)
    if name.id in {"self", "cls"}:
        receiver = _receiver(scope, name.id)
        if receiver is not None:
            return (receiver,)
    found = visible_bindings(program, name)
    if not found:
        return _builtin(program, name)
    filled = _filled_in(program, name, found)
    if filled is None:
        return tuple(value for binding in found for value in value_of_binding(program, binding))
    before = tuple(value for binding in found if binding is not filled for value in value_of_binding(program, binding))
    return given(before) + tuple(value_of_binding(program, filled))


def _filled_in(program: Program, name: ir.Name, found: tuple[Binding, ...]) -> Binding | None:
    """The assignment that gives a name a value where it has none: `if x is None: x = 10`."""
    for binding in found:
        if binding.kind != "assign" or len(found) == 1 or binding.node.span > name.span:
            continue
        around = next(program.structure(program.scope_of(binding.node)).ancestors(binding.node), None)
        if (
            isinstance(around, ir.If)
            and same(absence(around.test), name)
            and any(node is binding.node for node in around.then)
        ):
            return binding
    return None


def visible_bindings(program: Program, name: ir.Name) -> tuple[Binding, ...]:
    """The bindings that a name can refer to at its place; none for a name of the language itself."""
    scope = program.scope_of(name)
    for around in (scope, *scopes.enclosing_scopes(scope)):
        found = program.bindings(around).get(name.id)
        if found and any(binding.kind == "global" for binding in found):
            continue
        if found:
            return _reaching(program, around, name, found) if around is scope else found
    return _starred(program, name)


def _starred(program: Program, name: ir.Name) -> tuple[Binding, ...]:
    """A name that only a star import of its module can give."""
    module = program.module_of(name)
    if "*" not in program.bindings(module):
        return ()
    places = program.exports.locate(module, name.id)
    return tuple(
        b for place in places if isinstance(place, InModule) for b in program.bindings(place.module).get(place.name, ())
    )


def _receiver(scope: ir.Scope, name: str) -> Value | None:
    """The class whose method encloses the scope, as `self` or `cls`."""
    current: ir.Scope = scope
    while not isinstance(current, ir.Module):
        if isinstance(current, ir.Function) and current.receiver == name and isinstance(current.outer, ir.Class):
            return Instance(current.outer) if name == "self" else ClassValue(current.outer)
        current = current.outer
    return None


def _reaching(program: Program, scope: ir.Scope, name: ir.Name, found: tuple[Binding, ...]) -> tuple[Binding, ...]:
    """The bindings that a use can see: not those that an assignment on every way to the use hides."""
    if len(found) == 1:
        return found
    structure = program.structure(scope)
    hidden_before = -1
    for number, binding in enumerate(found):
        if binding.kind == "assign" and structure.dominates(binding.node, name) and not _inside(binding.node, name):
            hidden_before = number
    if hidden_before < 0:
        return found
    in_loop = any(True for _ in structure.enclosing(name, ir.Loop))
    visible = found[hidden_before:]
    if in_loop:
        return visible
    position = (name.span.line, name.span.col)
    return tuple(b for b in visible if (b.node.span.line, b.node.span.col) <= position) or visible


def _inside(outer: ir.Node, inner: ir.Node) -> bool:
    return outer.span.contains(inner.span)


def value_of_binding(program: Program, binding: Binding) -> Iterator[Value]:
    """What a binding gives its name."""
    match binding.kind:
        case "function" | "class":
            yield Func(binding.node) if isinstance(binding.node, ir.Function) else ClassValue(binding.node)  # type: ignore[arg-type]
        case "import":
            yield from members.imported_name(program, binding)
        case "parameter":
            yield from members.parameter(program, binding)
        case "handler":
            yield Unknown("an exception", binding.node)  # type: ignore[arg-type]
        case _ if binding.value is None:
            annotation = binding.node.annotation if isinstance(binding.node, ir.Assign) else None
            if annotation is not None:
                yield from members.instances_of_type(program, annotation)
        case _:
            yield from members.taken(program, program.value_of(binding.value), binding.steps, binding.value)


def _builtin(program: Program, name: ir.Name) -> Values:
    module = program.module_of(name)
    if "*" in program.bindings(module):
        places = program.exports.locate(module, name.id)
        outside = tuple(Api(place.path, name) for place in places if isinstance(place, Outside))
        if outside and not hasattr(python_builtins, name.id):
            return outside
    if module.language in SCRIPT:
        if name.id in INFINITE:
            return (Const(float("inf"), name.span),)
        return (Api(f"npm:globalThis:{name.id}", name),)
    return (Api(f"py:builtins.{name.id}", name),)
