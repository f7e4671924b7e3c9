"""What a recursion counts by: the arguments that it calls itself with, where they start, and the tests before it does.

States what is there; judges nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.values import Unknown
from agent_architecture.semantics.taint.access_paths import owner_of, places_at
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.names.scopes import Binding
    from agent_architecture.semantics.callgraph.reach import Extent
    from agent_architecture.semantics.taint.access_paths import Place


def passed_on(program: Program, first: ir.Scope, extent: Extent) -> Iterator[tuple[Place, ir.Node]]:
    """A recursion counts by what it calls itself with: `depth + 1`, by itself or under a name."""
    for node in (*program.structure(first).calls, *extent.nodes()):
        for argument in node.args if isinstance(node, ir.Call) else ():
            for value in _computed(program, argument.value):
                for operand in value.operands:
                    for place in places_at(program, operand):
                        yield place, value


def _computed(program: Program, value: ir.Expr) -> Iterator[ir.Operator]:
    named = [b.value for b in visible_bindings(program, value)] if isinstance(value, ir.Name) else []
    for one in (value, *named):
        if isinstance(one, ir.Operator) and one.op in {ir.Op.ADD, ir.Op.SUB}:
            yield one


def made_anew(program: Program, first: ir.Scope, members: Extent) -> frozenset[Place]:
    """The variables that each pass of a recursion has for itself: what is counted in them says nothing of passes, but
    for what it hands on.
    """
    functions = (*((first,) if isinstance(first, ir.Function) else ()), *(each for each, _ in members.called))
    inside = set(map(id, functions))
    found: set[Place] = set()
    for function in functions:
        calls = program.structure(function).calls
        again = (call for call in calls if any(id(each) in inside for each in program.callees(call)))
        handed = {n.id for call in again for given in call.args for n in ir.walk(given.value) if isinstance(n, ir.Name)}
        for name, bindings in program.bindings(function).items():
            if name not in handed and all(one.kind == "assign" and one.node is not function for one in bindings):
                found.add((owner_of(function), name))
    return frozenset(found)


def going_on(program: Program, first: ir.Scope, members: Extent) -> Iterator[ir.Expr]:
    """The tests that hold wherever the recursion's first function calls itself (`if depth > 0: descend(depth - 1)`),
    or calls the others, if it never does.
    """
    inside = {id(function) for function, _ in members.called}
    made = [(call, program.callees(call)) for call in program.structure(first).calls]
    itself = [call for call, callees in made if any(function is first for function in callees)]
    calls = itself or [call for call, callees in made if any(id(function) in inside for function in callees)]
    tests = [_before(program, call) for call in calls]
    for key, test in tests[0].items() if tests else ():
        if all(key in others for others in tests):
            yield test


def _before(program: Program, call: ir.Call) -> dict[int, ir.Expr]:
    """The tests of the branches that a call stands in, by id."""
    found: dict[int, ir.Expr] = {}
    child: ir.Node = call
    for around in program.structure(program.scope_of(call)).ancestors(call):
        match around:
            case ir.If(then=then) if any(statement is child for statement in then):
                found[id(around.test)] = around.test
            case ir.Conditional() if around.then is child:
                found[id(around.test)] = around.test
            case _:
                pass
        child = around
    return found


def started_with(program: Program, bindings: Iterable[Binding]) -> Iterator[ir.Expr]:
    """What a parameter is given by the other callers of its function, and what it is when they give nothing."""
    for binding in bindings:
        if binding.kind != "parameter" or not isinstance(binding.node, ir.Function):
            continue
        param = binding.extra if isinstance(binding.extra, ir.Parameter) else None
        if param is not None:
            others = (site for site in program.callers(binding.node) if site.scope is not binding.node)
            given = (passed_argument(site, binding.node, param) for site in others)
            yield from (value for value in given if value is not None and not isinstance(value, Unknown))
            yield from (param.default,) if param.default is not None else ()
