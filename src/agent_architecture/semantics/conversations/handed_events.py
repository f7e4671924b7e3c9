"""What steps hand each other as objects of the project's classes: `event.pages` is what whoever made one said.

A step names in its signature which events start it, and its library calls it with one that another step gave back
(LlamaIndex's workflows, AutoGen's message handlers). Follows events by class and field. Must not know what is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.classes import fields
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import ClassValue
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

STEPS: Final = frozenset({"step", "message_handler", "event", "rpc", "handler", "default_subscription"})
"""Decorators of functions that a library calls with what another function of the project made."""


def put_into(program: Program, read: ir.Member) -> tuple[ir.Expr, ...]:
    """What is put into the field that is read of an event, wherever an event of its classes is made."""
    if not isinstance(read.target, ir.Name):
        return ()
    found: dict[ir.Expr, None] = {}
    for binding in visible_bindings(program, read.target):
        function, param = binding.node, binding.extra
        is_step = isinstance(function, ir.Function) and any(map(_is_step, function.decorators))
        if not is_step or binding.steps or not isinstance(param, ir.Parameter) or param.annotation is None:
            return ()
        for cls in _classes(program, param.annotation):
            found |= dict.fromkeys(given_for(program, cls, read.name))
    return tuple(found)


def _is_step(decorator: ir.Expr) -> bool:
    return callee_name(decorator.callee if isinstance(decorator, ir.Call) else decorator) in STEPS


def _classes(program: Program, annotation: ir.Expr) -> Iterator[ir.Class]:
    """The project's classes that a type names, in a union, too."""
    if isinstance(annotation, ir.Operator):
        for operand in annotation.operands:
            yield from _classes(program, operand)
        return
    yield from (value.cls for value in program.value_of(annotation) if isinstance(value, ClassValue))


def given_for(program: Program, cls: ir.Class, field: str) -> Iterator[ir.Expr]:
    """What the calls that make objects of a class give for a field."""
    order = fields(program, cls)
    for site in program.calls(cls.name):
        if not any(isinstance(value, ClassValue) and value.cls is cls for value in program.value_of(site.call.callee)):
            continue
        plain = [argument for argument in site.call.args if argument.keyword is None and not argument.spread]
        named = [argument.value for argument in site.call.args if argument.keyword == field]
        at = order.index(field) if field in order else len(plain)
        yield from named or (argument.value for argument in plain[at : at + 1])
