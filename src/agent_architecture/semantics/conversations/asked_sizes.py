"""Sizes that a model asks for: numbers among the arguments of a tool that nothing keeps small."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.effects import ParameterKind
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.predicates import tests_asked
from agent_architecture.names.test_parts import ORDERED
from agent_architecture.names.values import Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.semantics.bounds.spawn_limits import measures_data
from agent_architecture.semantics.callgraph.tool_arguments import Body, of_function, whole
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_architecture.model.system import Tool
    from agent_architecture.names.program import Program

CONVERTING: Final = frozenset({"int", "float", "Number", "parseInt", "parseFloat"})
"""Functions that make a number of what they are given, as large as it is."""
FREE: Final = frozenset({ParameterKind.FREE, ParameterKind.UNTYPED})
DEPTH: Final = 4
"""Names through which a number is followed."""
CALLS: Final = 2
"""Functions that a tool hands a number on through."""


class Asked(NamedTuple):
    """What a model gives to the tool: the code that runs it, and the numbers of which no largest one is declared."""

    body: Body
    unbounded: frozenset[str]


def asked_of(tool: Tool, function: ir.Function) -> Asked:
    """What a model gives to a tool that a function runs, and which numbers of it have no largest one: as declared, for
    a test of an argument may let any number through.
    """
    free = (p.name for p in tool.schema.parameters if p.kind in FREE or p.asked)
    return Asked(of_function(function), frozenset(free))


def is_open(program: Program, asked: Asked, size: ir.Expr, depth: int = DEPTH) -> bool:
    """Whether a size is what a model gives to a tool, and nothing says how large it may be: neither the tool's schema,
    nor a smaller of two, nor a test.
    """
    match size:
        case ir.Operator(op=ir.Op.OR | ir.Op.NULLISH, operands=operands):
            return any(is_open(program, asked, each, depth) for each in operands)
        case ir.Conditional(test=test, then=then, otherwise=otherwise):
            return not _compares(test) and any(is_open(program, asked, each, depth) for each in (then, otherwise))
        case ir.Call(callee=ir.Name(id=name), args=(only,)) if name in CONVERTING:
            return is_open(program, asked, only.value, depth)
        case ir.Name() | ir.Member() | ir.Index() | ir.Call():
            names = {each.name for each in whole(program, asked.body, size)}
            found = visible_bindings(program, size) if isinstance(size, ir.Name) else ()
            later = [b.value for b in found if b.kind == "assign" and b.value is not None and not b.steps]
            if not names or not names <= asked.unbounded or _is_tested(program, asked.body.function, size, names):
                return False
            return not depth or all(is_open(program, asked, value, depth - 1) for value in later)
        case _:
            return False


def is_open_in(program: Program, tools: Mapping[int, Asked], size: ir.Expr, depth: int = CALLS) -> bool:
    """Whether a size is what a model gives to the tool around it with no largest one, or what such a tool hands on to
    the function around it. `tools` says by the id of a function what a model gives to it.
    """
    scope = program.scope_of(size)
    if not isinstance(scope, ir.Function):
        return False
    if (asked := tools.get(id(scope))) is not None:
        return is_open(program, asked, size)
    found = visible_bindings(program, size) if isinstance(size, ir.Name) and depth else ()
    params = [each.extra for each in found if each.node is scope and isinstance(each.extra, ir.Parameter)]
    given = (passed_argument(site, scope, param) for param in params for site in program.callers(scope))
    return any(
        is_open_in(program, tools, each, depth - 1)
        for each in given
        if each is not None and not isinstance(each, Unknown)
    )


def _is_tested(program: Program, function: ir.Function, size: ir.Expr, names: set[str]) -> bool:
    """Whether the tool compares the number, by either name, with something: `if limit > 50`."""
    written = names | {dotted(size)}
    structure = program.structure(function)
    return any(
        isinstance(part, ir.Operator)
        and part.op in ORDERED
        and any(dotted(side).rpartition(".")[2] in written for side in part.operands)
        and not any(measures_data(side) for side in part.operands)
        for test in tests_asked(program, structure.nodes)
        for part in ir.walk(test)
    )


def _compares(test: ir.Expr) -> bool:
    return any(isinstance(part, ir.Operator) and part.op in ORDERED for part in ir.walk(test))
