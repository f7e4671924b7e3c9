"""Changes of a pass that make what it asks with, not what it asks: another client, another agent, another key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.values import Api
from agent_architecture.regexes import regex
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.semantics.matching.context import Context

ACCESS: Final = regex(r"(?:key|token|url|endpoint|timeout|version|headers|region|organization|retries|client)$")
"""What arguments are called that connect a client to its service."""

MADE: Final = ("model_client", "agent")
"""Kinds of what is made to ask with: making it anew says nothing of what was answered."""


def sets_client(context: Context, change: ir.Node) -> bool:
    """Whether a change only makes the client that the model is asked through, or the agent that is run."""
    if not isinstance(change, ir.Assign) or change.value is None:
        return False
    if _is_given_access(change.value):
        return True
    values = context.program.value_of(change.value)
    return bool(values) and all(isinstance(v, Api) and context.at(v.node, *MADE) is not None for v in values)


def _is_given_access(made: ir.Expr) -> bool:
    """Whether something is made of nothing but what a connection needs: `Client(api_key=…, base_url=…)`."""
    if not isinstance(made, ir.Call) or not made.args:
        return False
    named = [argument.keyword for argument in made.args if argument.spread != "**"]
    return bool(named) and all(name is not None and ACCESS.search(name) for name in named)
