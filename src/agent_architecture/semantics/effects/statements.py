"""The statements that calls hand to databases, as text.

Must not say what they do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.string_parts import pieces_of, with_gaps
from agent_architecture.regexes import regex
from agent_architecture.semantics.effects.calls import given_to
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Collection

    from agent_architecture.semantics.matching.context import Context


TABLE: Final = r"[`\"\[]?(?:\w+[`\"\]]?\.[`\"\[]?)?(\w+)[`\"\]]?"
"""How a statement names a table, in a schema or not; its own name is a group."""
SET: Final = regex(r"[`\"\[]?(\w+)[`\"\]]?\s*=")
"""How a statement names a column that it sets."""
KEYED: Final = frozenset(
    {
        "get",
        "mget",
        "mGet",
        "hget",
        "hGet",
        "hgetall",
        "hGetAll",
        "hmget",
        "exists",
        "ttl",
        "lrange",
        "lRange",
        "get_one",
    }
)
"""Calls that ask a store by a key: it says which entry is meant, and is no statement."""


def is_keyed(effect: str, name: str) -> bool:
    """Whether a call with an effect, by its last name, asks a store by a key."""
    return effect == "database_read" and name in KEYED


def statements_of(context: Context, call: ir.Call, kinds: Collection[str]) -> tuple[str, ...]:
    """Each statement of a call that has effects of these kinds, in order."""
    return tuple(_text(context, given) for _, given in given_to(context, call, kinds))


def _text(context: Context, given: ir.Expr) -> str:
    """A statement, with `GAP` for each part that cannot be read; a library's wrapper is what it wraps: `text("…")`."""
    if isinstance(given, ir.Call) and len(given.args) == 1 and not context.program.callees(given):
        given = given.args[0].value
    return with_gaps(pieces_of(context.program, given))
