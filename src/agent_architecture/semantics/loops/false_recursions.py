"""Recursions that are no conversation: calls that lead back to their function for whoever reads names alone, or after a
failure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.classes import ITSELF
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.callgraph.call_paths import Step

STATUS: Final = frozenset({"code", "status", "statusCode", "status_code"})
"""What a number says in of how a request ended."""
FAILED: Final = 400
"""The first of the numbers by which HTTP says that it failed."""
TOGETHER: Final = 12
"""Functions that a recursion may have. More that can call each other are how a program works on its events and
connections (27 in openai-agents 0.9, `RealtimeSession.on_event`), not how a conversation goes on.
"""


def only_seems_to_lead_back(program: Program, step: Step) -> bool:
    """Whether a call is none by which a function comes back to itself."""
    return _runs_what_it_wraps(program, step) or _hands_on(step) or _tries_again(program, step)


def _tries_again(program: Program, step: Step) -> bool:
    """Whether a call stands where a failure is handled, or a status says that it failed: who comes back to itself by it
    tries again.
    """
    structure = program.structure(step.scope)
    caught = structure.enclosing(step.node, ir.Try)
    refused = (node for node in structure.enclosing(step.node, ir.If) if _says_failed(node.test))
    return any(handler.span.contains(step.node.span) for node in caught for handler in node.handlers) or any(
        part.span.contains(step.node.span) for node in refused for part in node.then
    )


def _says_failed(test: ir.Expr) -> bool:
    """Whether a test asks for the status of a request that may be made again: `response.status == 429`."""
    if not isinstance(test, ir.Operator) or test.op not in {ir.Op.EQ, ir.Op.IN, ir.Op.GE, ir.Op.GT}:
        return False
    asked = any(isinstance(part, ir.Member) and part.name in STATUS for part in test.operands)
    numbers = (node.value for node in ir.walk(*test.operands) if isinstance(node, ir.Literal))
    return asked and any(isinstance(number, int) and number >= FAILED for number in numbers)


def _runs_what_it_wraps(program: Program, step: Step) -> bool:
    """Whether a call runs what the function around its own was given, as a decorator's wrapper does: it would seem to
    join all functions that are wrapped.
    """
    callee = step.node.callee if isinstance(step.node, ir.Call) else None
    bindings = visible_bindings(program, callee) if isinstance(callee, ir.Name) else ()
    return any(binding.kind == "parameter" and binding.node is not step.scope for binding in bindings)


def _hands_on(step: Step) -> bool:
    """Whether a method only does with another object what it is there for: `start` of a host starts its channels. That
    an object with such a method could be the host itself makes no conversation of it.
    """
    callee = step.node.callee if isinstance(step.node, ir.Call) else None
    if not isinstance(callee, ir.Member) or not isinstance(step.scope, ir.Function):
        return False
    is_own = isinstance(callee.target, ir.Name) and callee.target.id in ITSELF
    return callee.name == step.scope.name and isinstance(step.scope.outer, ir.Class) and not is_own
