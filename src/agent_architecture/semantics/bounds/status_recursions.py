"""Functions that call themselves again where the status of an answer is a bad one, and that no parameter can stop:
`if reply.status_code == 401: self.login(); return self.ask()`.

A test that asks for a parameter, too (`and retry`), is how such a function counts its one further try.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.structure import own_nodes
from agent_architecture.semantics.bounds.readiness_probes import STATUS
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program

BAD: Final = 400
"""From this status on an answer is none."""


def asked_again(program: Program, function: ir.Function) -> tuple[ir.Node, ...]:
    """What such a function does before it looks at the status; nothing where it is none."""
    names = {parameter.name for parameter in function.params} - {"self", "cls"}
    for node in own_nodes(function, ir.If):
        if not _is_bad(node.test) or not any(_calls(program, inner, function) for inner in ir.walk(*node.then)):
            continue
        calls = [inner for inner in ir.walk(*node.then) if _calls(program, inner, function)]
        structure = program.structure(function)
        tests = [around.test for call in calls for around in structure.enclosing(call, ir.If)]
        if not any(isinstance(n, ir.Name) and n.id in names for test in tests for n in ir.walk(test)):
            return tuple(each for each in function.body if each.span < node.span)
    return ()


def _is_bad(test: ir.Expr) -> bool:
    """Whether a test says that an answer's status is a bad one."""
    if not any(isinstance(node, ir.Member) and node.name in STATUS for node in ir.walk(test)):
        return False
    numbers = [node.value for node in ir.walk(test) if isinstance(node, ir.Literal) and type(node.value) is int]
    told = {node.op for node in ir.walk(test) if isinstance(node, ir.Operator)}
    return any(number >= BAD for number in numbers) and not told & {ir.Op.LT, ir.Op.LE, ir.Op.NE, ir.Op.NOT}


def _calls(program: Program, node: ir.Node, function: ir.Function) -> bool:
    return isinstance(node, ir.Call) and any(found is function for found in program.callees(node))
