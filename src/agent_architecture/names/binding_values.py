"""What one binding gives its name. Which bindings reach a use is for `reaching` to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.annotations import instances_of_type
from agent_architecture.names.elements import element, iterated, taken
from agent_architecture.names.exports import SCRIPTS
from agent_architecture.names.imported import imported_name
from agent_architecture.names.null_checks import is_nothing
from agent_architecture.names.values import ClassValue, Entries, Func, Instance, Items, Unknown, Value, Values
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding

ENTERING = ("__enter__", "__aenter__")


def value_of_binding(program: Program, binding: Binding) -> Iterator[Value]:
    """The alternatives that a binding gives its name; none for a declaration that says nothing."""
    node, value = binding.node, binding.value
    if isinstance(node, (ir.Function, ir.Class)) and binding.kind in {"function", "class"}:
        yield Func(node) if isinstance(node, ir.Function) else ClassValue(node)
    elif binding.kind == "import":
        yield from imported_name(program, binding)
    elif binding.kind == "parameter":
        yield from program.shared.parameter(binding)
    elif binding.kind == "handler":
        yield Unknown("an exception", value)
    elif value is None:
        yield from _promised(program, node)
    elif binding.kind == "loop" and binding.steps[:1] == ("[]",):
        paired = len(binding.steps) > 1 and program.module_of(node).language in SCRIPTS  # `for (const [k, v] of map)`
        elements = tuple(v for whole in program.value_of(value) for v in iterated(program, whole, value, paired=paired))
        yield from taken(program, elements, binding.steps[1:], value)
    elif binding.kind == "with":
        inside = tuple(v for manager in program.value_of(value) for v in entered(program, manager, value))
        yield from taken(program, inside, binding.steps, value)
    else:
        found = tuple(taken(program, program.value_of(value), binding.steps, value))
        unreadable = bool(found) and all(isinstance(v, Unknown) or _is_empty(v) for v in found) and not binding.steps
        yield from (_promised(program, node) or found) if unreadable else found
        if all(map(is_nothing, found)) and isinstance(node, ir.Assign) and isinstance(program.scope_of(node), ir.Class):
            yield from _promised(program, node)  # a field that is set later


def _is_empty(value: Value) -> bool:
    """Whether a container is made to be filled: what its annotation promises says more."""
    return (isinstance(value, Items) and not value.items) or (isinstance(value, Entries) and not value.entries)


def _promised(program: Program, node: ir.Node) -> Values:
    annotation = node.annotation if isinstance(node, ir.Assign) else None
    return () if annotation is None else instances_of_type(program, annotation)


def entered(program: Program, manager: Value, node: ir.Expr) -> Iterator[Value]:
    """What `with manager as x` gives x: what its `__enter__` returns, or what a generator under `@contextmanager`
    yields. A library's object is taken to give itself.
    """
    from agent_architecture.names.classes import lineage

    if isinstance(manager, Items) and isinstance(manager.node, ir.Function):
        yield from element(program, manager, None, node) if not manager.items else _each(program, manager)
        return
    if isinstance(manager, Instance):
        for cls in lineage(program, manager.cls):
            methods = [b.node for name in ENTERING for b in program.attributes(cls).get(name, ())]
            if methods:
                yield from (v for m in methods if isinstance(m, ir.Function) for v in _kept(program, m, manager))
                return
    yield manager


def _kept(program: Program, method: ir.Function, manager: Instance) -> Iterator[Value]:
    """What an `__enter__` returns; where that is `self`, the very object. An attribute that it fills and returns is no
    longer what it began as, None.
    """
    from agent_architecture.names.evaluate import returned

    found = returned(program, method)
    for value in [v for v in found if not is_nothing(v)] or found:
        yield manager if isinstance(value, Instance) and value == Instance(manager.cls) else value


def _each(program: Program, value: Items) -> Iterator[Value]:
    for item in value.items:
        yield from program.value_of(item)
