"""Functions that call themselves again where the status of an answer is a bad one, and that no parameter can stop:
`if reply.status_code == 401: self.login(); return self.ask()`.

A test that asks for a parameter, too (`and retry`), is how such a function counts its one further try.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.semantics.bounds.readiness_probes import STATUS
from agent_architecture.semantics.control.condition import Condition
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.control.conditions import Conditions

BAD: Final = 400
"""From this status on an answer is none."""


def asked_again(program: Program, conditions: Conditions, function: ir.Function) -> tuple[ir.Node, ...]:
    """What such a function does before it looks at the status; nothing where it is none."""
    names = {parameter.name for parameter in function.params} - {"self", "cls"}
    for call in program.structure(function).calls:
        if not any(found is function for found in program.callees(call)):
            continue
        known = [each for each in conditions.at(call) if isinstance(each, Condition)]
        bad = [each for each in known if each.holds and _is_bad(each.expr)]
        if bad and not any(isinstance(n, ir.Name) and n.id in names for each in known for n in ir.walk(each.expr)):
            return tuple(each for each in function.body if each.span < bad[0].at.span)
    return ()


def _is_bad(test: ir.Expr) -> bool:
    """Whether a test says that an answer's status is a bad one."""
    if not any(isinstance(node, ir.Member) and node.name in STATUS for node in ir.walk(test)):
        return False
    numbers = [node.value for node in ir.walk(test) if isinstance(node, ir.Literal) and type(node.value) is int]
    told = {node.op for node in ir.walk(test) if isinstance(node, ir.Operator)}
    return any(number >= BAD for number in numbers) and not told & {ir.Op.LT, ir.Op.LE, ir.Op.NE, ir.Op.NOT}
