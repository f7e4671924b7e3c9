"""Counters that a loop hands, in each pass, to a function of the project that may raise: `check(steps)`.

States what is there; judges nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.classes import ITSELF
from agent_architecture.names.exits import leaves
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.predicates import tests_asked
from agent_architecture.names.program_answers import CallSite
from agent_architecture.semantics.taint.access_paths import places_at
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.taint.access_paths import Place

T = TypeVar("T")


def passed_counters(program: Program, loop: ir.Loop, scope: ir.Scope, counters: Mapping[Place, T]) -> dict[Place, T]:
    """What counts the passes of a loop, by the parameters under which the functions know it that each pass calls."""
    found: dict[Place, T] = {}
    for call in ir.walk(*loop.body):
        if isinstance(call, ir.Call) and call.args and _in_each_pass(program, loop, scope, call):
            for function in program.callees(call):
                found |= {
                    place: counters[given]
                    for place, value in _given(program, CallSite(call, scope), function)
                    for given in places_at(program, value)
                    if given in counters
                }
    return found


def _given(program: Program, site: CallSite, function: ir.Function) -> Iterator[tuple[Place, ir.Expr]]:
    """The places that parameters of a function are, where its tests look at them, and what a call gives for each."""
    for test in tests_asked(program, program.structure(function).nodes):
        for name in ir.walk(test):
            for binding in visible_bindings(program, name) if isinstance(name, ir.Name) else ():
                if binding.node is function and isinstance(binding.extra, ir.Parameter):
                    value = passed_argument(site, function, binding.extra)
                    value = value.target if isinstance(value, ir.Assign) else value  # `check(++passes)`
                    if isinstance(value, ir.Name) or (isinstance(value, ir.Member) and _is_own(value)):
                        yield from ((place, value) for place in places_at(program, name))


def _is_own(value: ir.Member) -> bool:
    """Whether an attribute is one of the object that the loop belongs to; of another one, too little is known."""
    return isinstance(value.target, ir.Name) and value.target.id in ITSELF


def _in_each_pass(program: Program, loop: ir.Loop, scope: ir.Scope, call: ir.Call) -> bool:
    """Whether nothing inside the loop decides whether a call is made, and nothing there catches what it raises."""
    for around in program.structure(scope).ancestors(call):
        if around is loop:
            return True
        if isinstance(around, (ir.If, ir.Match, ir.Conditional, ir.Loop, ir.Function)):
            return False
        if isinstance(around, ir.Try) and not all(any(map(leaves, each.body)) for each in around.handlers):
            return False
    return False
