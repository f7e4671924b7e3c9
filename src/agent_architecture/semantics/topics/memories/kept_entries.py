"""What a table keeps under its keys that is no conversation: a record of fields, an object that speaks for a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.mutations import added, key_of
from agent_architecture.names.values import Api, Unknown
from agent_architecture.semantics.bounds.container_parts import is_container
from agent_architecture.semantics.conversations.container_names import is_said
from agent_architecture.semantics.conversations.messages import is_turn
from agent_architecture.syntax import ir

SAYING: Final = ("memory", "prompt", "agent", "checkpointer")
"""Kinds of objects that hold, or are, what somebody said."""

if TYPE_CHECKING:
    from agent_architecture.names.values import Value
    from agent_architecture.semantics.matching.context import Context


def is_entry(context: Context, put: ir.Call | ir.Assign) -> bool:
    """Whether something is put under a key that holds no turns and never gets longer."""
    key = key_of(put)
    if key is None or isinstance(key, ir.Literal):
        return False
    return all(_is_record(context, each) or _is_handle(context, each) for each in added(put))


def _is_record(context: Context, expr: ir.Expr) -> bool:
    """Whether a record has fields, none of which is a list of its own or called as a conversation is."""
    if not isinstance(expr, ir.Map) or not expr.entries or is_turn(context, expr):
        return False
    named = (entry for entry in expr.entries if isinstance(entry.key, ir.Literal))
    is_full = all(isinstance(entry.key, ir.Literal) for entry in expr.entries)
    return is_full and not any(is_container(entry.value) or is_said(_word(entry.key)) for entry in named)


def _is_handle(context: Context, expr: ir.Expr) -> bool:
    """Whether a library's class made an object, of which no pack says that it remembers or is a message."""
    values = [value for value in context.program.value_of(expr) if not isinstance(value, Unknown)]
    return bool(values) and all(_is_made(value) and context.made(value, *SAYING) is None for value in values)


def _is_made(value: Value) -> bool:
    if not isinstance(value, Api) or not value.path.endswith("()"):
        return False
    return value.path.removesuffix("()").replace(":", ".").rpartition(".")[2][:1].isupper()


def _word(key: ir.Expr | None) -> str:
    return str(key.value) if isinstance(key, ir.Literal) else ""
