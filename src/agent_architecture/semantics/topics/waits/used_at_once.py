"""Which calls of Python are made in the thread of who calls: their answer is used at once, and nothing awaits it.

That a call is not awaited says nothing by itself: a coroutine may be handed on, and awaited there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeGuard

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.exits import is_answer
from agent_architecture.names.program import CallSite, callee_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.names.structure import Structure

PLAIN: Final = frozenset({"str", "len", "dumps", "float", "getattr", "int", "list", "dict", "sorted", "set", "tuple"})
"""Functions of the language that take what they are given apart."""
ASYNCHRONOUS: Final = frozenset({"__aiter__", "__anext__", "aclose", "asend", "athrow"})
"""What an asynchronous generator has and an answer has not: its code runs where somebody awaits the next piece."""
CAST: Final = "cast"
PAIR: Final = 2
STEPS: Final = 2
"""Functions that an answer is handed through, back to who called or on to another one."""


def is_used(program: Program, call: ir.Call, scope: ir.Scope, steps: int = STEPS) -> bool:
    """Whether a function, or who called it, uses the answer of a call at once, without awaiting it."""
    if not isinstance(scope, ir.Function) or not scope.span.path.endswith(".py"):
        return False
    structure = program.structure(scope)
    parent = structure.parent(call)
    while _only_says_type(parent):
        call, parent = parent, structure.parent(parent)
    if isinstance(parent, (ir.Member, ir.Index)):
        return not _is_stream(parent) and not any(isinstance(around, ir.Await) for around in structure.ancestors(call))
    if isinstance(parent, ir.Loop):
        return parent.source is call and not parent.is_async
    if parent is not None and is_answer(parent):
        return _is_used_by_callers(program, scope, steps)
    if not isinstance(parent, ir.Assign) or parent.value is not call or not isinstance(parent.target, ir.Name):
        return False
    return _is_taken_apart(program, structure, parent.target.id, steps)


def _only_says_type(node: ir.Node | None) -> TypeGuard[ir.Call]:
    """Whether a call hands on what it is given: `cast(State, graph.invoke(text))`."""
    return isinstance(node, ir.Call) and callee_name(node.callee) == CAST and len(node.args) == PAIR


def _is_stream(node: ir.Node | None) -> bool:
    """Whether something is asked for its next pieces, which are awaited."""
    return isinstance(node, ir.Member) and node.name in ASYNCHRONOUS


def is_dropped(program: Program, site: CallSite) -> bool:
    """Whether an asynchronous function makes a call and looks at no answer: what nobody awaits would never be done."""
    if not isinstance(site.scope, ir.Function) or not site.scope.is_async:
        return False
    match program.structure(site.scope).parent(site.call):
        case None:
            return True
        case ir.If(then=then, otherwise=otherwise):
            return site.call in (*then, *otherwise)
        case ir.Try(body=body, otherwise=otherwise, final=final):
            return site.call in (*body, *otherwise, *final)
        case ir.With(body=body):
            return site.call in body
        case ir.Loop(kind=kind, body=body):
            return kind != "comprehension" and site.call in body
        case _:
            return False


def _is_used_by_callers(program: Program, scope: ir.Function, steps: int) -> bool:
    """Whether somebody uses at once what an ordinary function gives back."""
    if scope.is_async or not steps:
        return False
    return any(is_used(program, site.call, site.scope, steps - 1) for site in program.callers(scope))


def _is_taken_apart(program: Program, structure: Structure, name: str, steps: int) -> bool:
    """Whether a function uses parts of what a name stands for, by itself or by what it hands it to."""
    if any(_takes(node, name) for node in structure.nodes):
        return False
    scope = structure.scope
    if any(isinstance(node, (ir.Member, ir.Index)) and _is(node.target, name) for node in structure.nodes):
        return True
    if any(_is(value, name) for value in structure.returns) and isinstance(scope, ir.Function):
        return _is_used_by_callers(program, scope, steps)
    return any(_hands_over(program, call, name, steps) for call in structure.calls)


def _hands_over(program: Program, call: ir.Call, name: str, steps: int) -> bool:
    """Whether a call is given what a name stands for, and takes it apart: its parts one by one (`State(**found)`), a
    project's ordinary function, or a plain one of the language.
    """
    argument = next((argument for argument in call.args if _is(argument.value, name)), None)
    if argument is None or argument.spread:
        return argument is not None
    given = argument.value
    callees = program.callees(call)
    if not callees:
        return callee_name(call.callee) in PLAIN
    site = CallSite(call, program.scope_of(call))
    return bool(steps) and all(
        not each.is_async
        and any(
            _is_taken_apart(program, program.structure(each), parameter.name, 0)
            for parameter in each.params
            if passed_argument(site, each, parameter) is given
        )
        for each in callees
    )


def _is(expr: ir.Node | None, name: str) -> bool:
    return isinstance(expr, ir.Name) and expr.id == name


def _takes(node: ir.Node, name: str) -> bool:
    """Whether something asynchronous takes what a name stands for, or its pieces one by one."""
    match node:
        case ir.Await(value=value):
            taken: tuple[ir.Node, ...] = (value,)
        case ir.Loop(is_async=True, source=source) if source is not None:
            taken = (source,)
        case ir.With(is_async=True, items=items):
            taken = tuple(item.value for item in items)
        case ir.Member(target=target) if _is_stream(node):
            taken = (target,)
        case _:
            return False
    return any(_is(inner, name) for inner in ir.walk(*taken))
