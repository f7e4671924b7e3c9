"""Requests to a model that only try whether it answers, for a health route or a check of keys: no agent's work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.semantics.bounds.readiness_probes import tries_model
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.semantics.matching.context import Context


def is_trial(context: Context, node: ir.Node) -> bool:
    """Whether a request to a model is one."""
    program = context.program
    return isinstance(node, ir.Call) and tries_model(program.structure(program.scope_of(node)), node)
