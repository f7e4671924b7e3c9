"""Methods that only declare what others do."""

from __future__ import annotations

from agent_architecture.syntax import ir


def is_declaration(function: ir.Function) -> bool:
    """Whether a method only declares: a docstring, `...`, `pass`, a raise, or nothing."""
    return all(isinstance(node, (ir.Literal, ir.Opaque, ir.Raise, ir.Name)) for node in function.body)
