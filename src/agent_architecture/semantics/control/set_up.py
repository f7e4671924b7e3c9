"""Whether a test only asks how the program is set up: that a key is there and of the right form, that a service was
named. Such a test is no policy: it looks neither at what a call is given nor at who makes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.builtins import is_environment, is_whole_environment
from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Const, Instance
from agent_architecture.semantics.control.argument_tests import refuses
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.values import Value

SETTINGS: Final = "BaseSettings"
"""The base class of objects that are filled from the environment."""


def asks_set_up(program: Program, test: ir.Expr) -> bool:
    """Whether all that a test looks at is written in the program or comes from its environment, and some of it from
    there.
    """
    found = [tuple(program.value_of(leaf)) for leaf in _leaves(program, test)]
    known = all(values and all(isinstance(v, Const) or _is_set_up(v) for v in values) for values in found)
    return known and any(_is_set_up(v) for values in found for v in values)


def refuses_by_set_up(program: Program, call: ir.Call) -> bool:
    """Whether all that can make a function of the project raise is how the program is set up."""
    tests = [
        node.test
        for function in program.callees(call)
        for node in own_nodes(function, ir.If)
        if refuses(node.then) or refuses(node.otherwise)
    ]
    return bool(tests) and all(asks_set_up(program, test) for test in tests)


def _is_set_up(value: Value) -> bool:
    if isinstance(value, Instance):
        return any(callee_name(base) == SETTINGS for base in value.cls.bases)
    return is_environment(value) or is_whole_environment(value)


def _leaves(program: Program, expr: ir.Expr) -> Iterator[ir.Expr]:
    """The names and attributes that a test looks at; what is written in it is none."""
    match expr:
        case ir.Literal():
            return
        case ir.Operator(operands=operands):
            for operand in operands:
                yield from _leaves(program, operand)
        case ir.Call(args=()) if answers := _answers(program, expr):
            for answer in answers:
                yield from _leaves(program, answer)
        case ir.Call(callee=callee, args=args) if not any(map(_is_set_up, program.value_of(expr))):
            inner = (callee.target,) if isinstance(callee, ir.Member) else ()
            for part in (*inner, *(argument.value for argument in args)):
                yield from _leaves(program, part)
        case ir.List(items=items):
            for item in items:
                yield from _leaves(program, item)
        case ir.Member(target=target) if any(_is_set_up(value) for value in program.value_of(target)):
            yield target
        case _:
            yield expr


def _answers(program: Program, call: ir.Call) -> tuple[ir.Expr, ...]:
    """What a function of the project answers that only answers: `isMockMode()` for a test of the environment."""
    found = program.callees(call)
    if not found or any(len(function.body) != 1 or function.params for function in found):
        return ()
    return tuple(answer for function in found for answer in program.structure(function).returns)
