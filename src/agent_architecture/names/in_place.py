"""What a function of the project does in any case, read where it is called: `time.sleep(2 ** n)` for `rest(n)` after
`def rest(tries): time.sleep(2 ** tries)`.

For whoever looks for a form of call among the nodes of some code: a helper that only makes that call is one more way to
write it. Told as if it stood there: what the call gives stands for the parameters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from agent_architecture.names.named_functions import given_to, named_function
from agent_architecture.names.program import CallSite
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program

DEPTH: Final = 2
"""Helpers that call each other."""

LONGEST: Final = 12
"""Statements of a helper."""


def with_helpers(program: Program, nodes: Iterable[ir.Node]) -> Iterator[ir.Node]:
    """These nodes, and after each call what the function that it runs does in any case."""
    for node in nodes:
        yield node
        if isinstance(node, ir.Call):
            yield from ir.walk(*in_place(program, node))


def calls_done(program: Program, calls: Iterable[ir.Call]) -> Iterator[ir.Call]:
    """These calls, and after each those that the function which it runs makes in any case."""
    return (node for node in with_helpers(program, calls) if isinstance(node, ir.Call))


def in_place(program: Program, call: ir.Call) -> tuple[ir.Expr, ...]:
    """What a call of a function of the project evaluates in any case, in the order in which it does."""
    return program.once(_done, call) if named_function(program, call.callee) is not None else ()


def value_in_place(program: Program, call: ir.Call) -> ir.Expr | None:
    """What a call gives back, where the function that it runs is one expression."""
    function = named_function(program, call.callee)
    done = in_place(program, call) if function is not None else ()
    return done[0] if function is not None and len(_statements(function)) == 1 and len(done) == 1 else None


def given_back_to(program: Program, scope: ir.Scope) -> tuple[ir.Scope, ...]:
    """The scopes that look at what a call in a scope gave: those that call it, where it is a function which only gives
    back what it evaluates; else itself.
    """
    return tuple(dict.fromkeys(around for _, around in looked_at(program, None, scope)))


_N = TypeVar("_N", bound="ir.Expr | None")


def looked_at(
    program: Program, node: _N, scope: ir.Scope, depth: int = DEPTH
) -> tuple[tuple[_N | ir.Call, ir.Scope], ...]:
    """Where something is looked at that an expression of a scope gave, as `given_back_to`, each with what stands for it
    there: the expression itself, or a call of the function.
    """
    if not depth or not isinstance(scope, ir.Function) or not only_evaluates(scope):
        return ((node, scope),)
    sites = program.callers(scope)
    if not sites or any(site.escapes or named_function(program, site.call.callee) is not scope for site in sites):
        return ((node, scope),)
    return tuple(each for site in sites for each in looked_at(program, site.call, site.scope, depth - 1))


def only_evaluates(function: ir.Function) -> bool:
    """Whether all that a function does is to give back what an expression is."""
    statements = _statements(function)
    alone = statements[0] if len(statements) == 1 else None
    return isinstance(alone, ir.Return) and alone.value is not None and not function.decorators


def called_from(
    program: Program, node: ir.Node, scope: ir.Scope, depth: int = DEPTH
) -> Iterator[tuple[ir.Node, ir.Scope]]:
    """Where something happens: where it stands, and where functions are called that do it in any case."""
    yield node, scope
    if depth and isinstance(scope, ir.Function) and any(node in ir.walk(done) for done in _in_any_case(scope)):
        for site in program.callers(scope):
            if not site.escapes and named_function(program, site.call.callee) is scope:
                yield from called_from(program, site.call, site.scope, depth - 1)


def _done(program: Program, call: ir.Call) -> tuple[ir.Expr, ...]:
    return tuple(_below(program, CallSite(call, program.scope_of(call)), DEPTH))


def _below(program: Program, site: CallSite, depth: int) -> Iterator[ir.Expr]:
    function = named_function(program, site.call.callee)
    if function is None or function.is_generator:
        return
    given = given_to(program, site, function)
    structure = program.structure(site.scope)
    for expr in _in_any_case(function):
        made = program.made.in_place(site.call, expr, given)
        structure.adopt(made, site.call)
        inner = made.value if isinstance(made, ir.Await) else made
        if inner is not made:
            structure.adopt(inner, site.call)
        further = isinstance(inner, ir.Call) and depth > 1
        below = tuple(_below(program, CallSite(inner, site.scope), depth - 1)) if further else ()  # type: ignore[arg-type]
        yield from below if below and len(_statements(function)) == 1 else (made, *below)


def _in_any_case(function: ir.Function) -> Iterator[ir.Expr]:
    """The expressions of a function that every call of it evaluates."""
    for statement in _statements(function)[:LONGEST]:
        match statement:
            case ir.Return(value=value):
                yield from () if value is None else (value,)
                return
            case ir.Assign(value=value) if value is not None:
                yield value
            case ir.If() | ir.Match() | ir.Loop() | ir.Try() | ir.With() | ir.Raise() | ir.Block():
                return
            case ir.Call() | ir.Await():
                yield statement
            case _:
                continue


def _statements(function: ir.Function) -> tuple[ir.Node, ...]:
    """Those of a function, without the text that describes it."""
    body = function.body
    return body[1:] if body and isinstance(body[0], ir.Literal) else body
