"""Reads of a table that say how many rows they take at most, in their statement or in the chain that makes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.options import keyed
from agent_architecture.names.program import callee_name
from agent_architecture.regexes import regex
from agent_architecture.semantics.effects.requests import texts_in

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.syntax import ir

SELECTING: Final = regex(r"(?is)^\s*(?:with\b.*?\)\s*)?select\b.*\blimit\s")
TAKING: Final = frozenset({"limit", "take"})
"""What a chain, or an option of a read, calls how many rows are taken."""


def takes_few(program: Program, call: ir.Call) -> bool:
    """Whether a call reads no more rows than it says: `query("SELECT … LIMIT $1", [n])`, `find().limit(n)`,
    `findMany({ take: n })`.
    """
    if callee_name(call.callee) in TAKING and call.args:
        return True
    if any(key in TAKING for argument in call.args for key, _ in keyed(program, argument.value)):
        return True
    return any(SELECTING.search(text) is not None for text in texts_in(program, call))
