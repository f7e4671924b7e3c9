"""Branches of a function that one call of it does not come to: `if not tools: ask(…) else: run(…)` runs nothing for the
call that hands in no tools, whatever other calls hand in.

What all callers together leave off is for `switches`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.exits import always, leaves_function
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.mutations import changes_of_name
from agent_architecture.names.structure import blocks, own_nodes
from agent_architecture.names.switches import answered
from agent_architecture.names.values import Const, Unknown
from agent_architecture.records import NamedTuple
from agent_architecture.sources.languages import is_python
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import CallSite, Program
    from agent_architecture.names.values import Value


class Branch(NamedTuple):
    """Statements of a function that run where a test of what it was handed is answered so."""

    test: ir.Expr
    holds: bool
    statements: tuple[ir.Node, ...]


def comes_to(program: Program, site: CallSite, node: ir.Node) -> bool:
    """Whether a call of the function around a node may come to that node: not where a test in front of it is answered
    otherwise by what the call hands in.
    """
    function = program.scope_of(node)
    if not isinstance(function, ir.Function):
        return True
    inside = (each for each in branches(program, function) if any(s.span.contains(node.span) for s in each.statements))
    return all(enters(program, site, function, branch) for branch in inside)


def enters(program: Program, site: CallSite, function: ir.Function, branch: Branch) -> bool:
    """Whether a call of a function may come to a branch of it."""
    if site.escapes or site.decorates:
        return True
    said = answered(branch.test, lambda part: _handed(program, site, function, part))
    return said is None or said is branch.holds


def branches(program: Program, function: ir.Function) -> tuple[Branch, ...]:
    """The branches of a function whose tests ask for one of its parameters."""
    return program.kept(_branches, function) if function.params else ()


def _branches(program: Program, function: ir.Function) -> tuple[Branch, ...]:
    own = {param.name for param in function.params if not param.kind}
    asking = [
        node
        for node in own_nodes(function, ir.If)
        if any(n.id in own for n in ir.walk(node.test) if isinstance(n, ir.Name))
    ]
    found = [
        Branch(node.test, side, node.then if side else node.otherwise) for node in asking for side in (True, False)
    ]
    leaving = (node for node in asking if not node.otherwise and always(node.then, leaves_function))
    found.extend(Branch(node.test, False, _behind(program, function, node)) for node in leaving)
    return tuple(branch for branch in found if branch.statements)


def _behind(program: Program, function: ir.Function, node: ir.If) -> tuple[ir.Node, ...]:
    """The statements behind one, in its block."""
    around = program.structure(function).parent(node)
    for block in blocks(around) if around is not None else (function.body,):
        for at, statement in enumerate(block):
            if statement is node:
                return block[at + 1 :]
    return ()


def _handed(program: Program, site: CallSite, function: ir.Function, part: ir.Expr) -> Iterator[Value]:
    """What a part of a test is in the pass that a call begins: what it hands in, or the default; nothing where the part
    is no parameter, or was given another value since.
    """
    bindings = visible_bindings(program, part) if isinstance(part, ir.Name) else ()
    only = bindings[0] if len(bindings) == 1 else None
    if only is None or only.node is not function or not isinstance(only.extra, ir.Parameter) or only.extra.kind:
        return
    if changes_of_name(program, function, only.extra.name):
        return  # filled, or emptied, on the way to the test
    passed = passed_argument(site, function, only.extra)
    if isinstance(passed, Unknown):
        return
    given = passed if passed is not None else only.extra.default
    if isinstance(given, (ir.List, ir.Map)) and not ir.children(given) and is_python(given.span.path):
        yield Const(False, given.span)
    elif given is not None:
        yield from program.value_of(given)
    elif not is_python(function.span.path):
        yield Const(ir.UNDEFINED, site.call.span)
