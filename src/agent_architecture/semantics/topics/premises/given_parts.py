"""What a call is given, part by part, and the names that stand in a part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator


def variables(expr: ir.Expr) -> frozenset[str]:
    """The names in an expression."""
    return frozenset(node.id for node in ir.walk(expr) if isinstance(node, ir.Name))


def given_parts(call: ir.Call) -> Iterator[ir.Expr]:
    """What a call is given, of mappings what they hold."""
    queue = [argument.value for argument in call.args]
    for expr in queue:
        if isinstance(expr, ir.Map):
            queue.extend(entry.value for entry in expr.entries)
        else:
            yield expr
