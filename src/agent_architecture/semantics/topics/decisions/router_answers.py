"""What the answers and tests of a router are: labels that are written, parts of the state, or always the same."""

from __future__ import annotations

from agent_architecture.names.exits import answer_of
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir


def is_text(expr: ir.Expr) -> bool:
    """Whether an expression is a label that is written: a text, a member of an enumeration."""
    is_member = isinstance(expr, ir.Member) and isinstance(expr.target, ir.Name) and expr.target.id[:1].isupper()
    return is_member or (isinstance(expr, ir.Literal) and isinstance(expr.value, str))


def has_label(node: ir.Node) -> bool:
    """Whether a test compares with a label."""
    return isinstance(node, ir.Operator) and node.op in {ir.Op.EQ, ir.Op.NE} and any(map(is_text, node.operands))


def compares_state(node: ir.Node) -> bool:
    """Whether a test compares a part of the state with a label."""
    members = (
        [o for o in node.operands if isinstance(o, (ir.Member, ir.Index))] if isinstance(node, ir.Operator) else []
    )
    return has_label(node) and any(".state." in f".{dotted(each)}." for each in members)


def is_always(function: ir.Function) -> bool:
    """`async () => true`."""
    body = function.body
    return len(body) == 1 and isinstance(answer := answer_of(body[0]), ir.Literal) and answer.value is True
