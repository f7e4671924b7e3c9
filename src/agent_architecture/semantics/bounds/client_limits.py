"""Limits that a client sends: the field of a request that a route takes, or a parameter of the route, whose number in
the code is only its default.

Such a limit is the client's to choose. What the field admits at most (`Field(20, le=50)`) is the project's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.settings import Origin, Setting
from agent_architecture.names.program import callee_name
from agent_architecture.names.values import ClassValue, Const
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.callgraph.routes import served_by
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program

MOST: Final = ("le", "lt")
"""What a field of a request may be at most."""
OWN: Final = frozenset({"self", "cls"})
SUPPLIED: Final = frozenset({"Depends", "Security", "Inject", "Provide", "FromDishka"})
"""What says that the server makes a parameter by itself: its settings, a session."""


class Sent(NamedTuple):
    """Where the default of what a client sends is written, and what the field admits at most (None: any number)."""

    default: ir.Expr
    most: float | None


def as_sent(program: Program, limit: Setting) -> tuple[Setting, bool]:
    """A limit as a client may choose it: with what it may be at most as its number, where that is written; and whether
    it is a client's to choose without a maximum.
    """
    if limit.origin is not Origin.WRITTEN or limit.span is None or not limit.span.path.endswith(".py"):
        return limit, False
    found = next((s for s in _sent_from(program, limit.span.path) if s.default.span.contains(limit.span)), None)
    if found is None:
        return limit, False
    return (limit, True) if found.most is None else (limit._replace(values=(found.most,)), False)


def _sent_from(program: Program, path: str) -> Iterator[Sent]:
    """What is sent by clients of which the defaults stand in a file."""
    for served in served_by(program):
        for parameter in served.handler.params:
            if parameter.name in OWN or _is_supplied(parameter):
                continue
            if parameter.default is not None and parameter.default.span.path == path:
                yield Sent(parameter.default, _most(program, parameter.default, parameter.annotation))
            for value in program.value_of(parameter.annotation) if parameter.annotation is not None else ():
                if isinstance(value, ClassValue) and value.cls.span.path == path:
                    yield from _fields(program, value.cls)


def _is_supplied(parameter: ir.Parameter) -> bool:
    parts = [part for part in (parameter.default, parameter.annotation) if part is not None]
    nodes = (node for node in ir.walk(*parts) if isinstance(node, (ir.Call, ir.Name)))
    return any((n.id if isinstance(n, ir.Name) else callee_name(n.callee)) in SUPPLIED for n in nodes)


def _fields(program: Program, cls: ir.Class) -> Iterator[Sent]:
    for node in cls.body:
        if isinstance(node, ir.Assign) and node.annotation is not None and node.value is not None:
            yield Sent(node.value, _most(program, node.value, node.annotation))


def _most(program: Program, *parts: ir.Expr | None) -> float | None:
    """The number that a field's call or its annotation says is the largest: `Field(20, le=50)`, `conint(le=50)`."""
    calls = (node for part in parts if part is not None for node in ir.walk(part) if isinstance(node, ir.Call))
    for argument in (each for call in calls if callee_name(call.callee) for each in call.args):
        value = program.value_of(argument.value) if argument.keyword in MOST else ()
        numbers = [v.value for v in value if isinstance(v, Const) and isinstance(v.value, (int, float))]
        if numbers:
            return float(max(numbers))
    return None
