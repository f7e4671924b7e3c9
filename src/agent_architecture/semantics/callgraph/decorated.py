"""The calls by which the project's own decorators run what they decorate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.values import Func
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program


def decorated_calls(program: Program, function: ir.Function) -> Iterator[ir.Call]:
    """The calls by which the wrappers of the project's own decorators run a function that they decorate."""
    for decorator in function.decorators:
        callee = decorator.callee if isinstance(decorator, ir.Call) else decorator
        for value in program.value_of(callee):
            if isinstance(value, Func):
                yield from _runs_of_first(program, value.function)


def _runs_of_first(program: Program, decorator: ir.Function) -> Iterator[ir.Call]:
    for definition in program.structure(decorator).definitions:
        if not isinstance(definition, ir.Function) or _gives_back(program, decorator):
            continue
        makers = (decorator, definition)
        names = {maker.params[0].name for maker in makers if maker.params}
        inner = [d for d in program.structure(definition).definitions if isinstance(d, ir.Function)]
        for wrapper in (definition, *(() if _gives_back(program, definition) else inner)):
            for call in program.structure(wrapper).calls:
                if isinstance(call.callee, ir.Name) and call.callee.id in names and wrapper is not decorator:
                    bound = visible_bindings(program, call.callee)
                    if any(b.kind == "parameter" and b.node in makers and b.node is not wrapper for b in bound):
                        yield call


def _gives_back(program: Program, decorator: ir.Function) -> bool:
    """Whether a decorator only gives back what it is given, whatever it defines beside it."""
    names = {parameter.name for parameter in decorator.params}
    given = program.structure(decorator).returns
    return bool(given) and all(isinstance(value, ir.Name) and value.id in names for value in given)
