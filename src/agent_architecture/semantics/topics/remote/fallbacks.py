"""What tells an answer that stands in for another from one more try: whom a call asks, and how an answer says that it
is degraded. For whoever judges what happens when a dependency fails.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names.null_checks import same
from agent_architecture.regexes import regex
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.semantics.loops.reached_work import Work
    from agent_architecture.semantics.matching.match import Match

FLAGGED: Final = regex(r"fallback|fall back|degraded|cached|stale|unavailable", re.IGNORECASE)
"""How an answer says that it stands in for another."""


def is_again(call: ir.Call, other: ir.Node) -> bool:
    """Whether a second call asks the same of the same: one more try, and no fallback."""
    return isinstance(other, ir.Call) and same(call.callee, other.callee) and _whom(call) == _whom(other)


def _whom(call: ir.Call) -> tuple[object, ...]:
    """Whom a call asks, as it is written: its model, else its first argument."""
    options = (
        entry for argument in call.args if isinstance(argument.value, ir.Map) for entry in argument.value.entries
    )
    models = [entry.value for entry in options if isinstance(entry.key, ir.Literal) and entry.key.value == "model"]
    models += [argument.value for argument in call.args if argument.keyword == "model"]
    asked = models or [argument.value for argument in call.args[:1]]
    nodes = (node for expr in asked for node in ir.walk(expr))
    return tuple(n.value if isinstance(n, ir.Literal) else dotted(n) for n in nodes if isinstance(n, _SAYING))


_SAYING: Final = (ir.Literal, ir.Name, ir.Member)


def is_flagged(answer: ir.Expr) -> bool:
    """Whether an answer says that it stands in for another."""
    return any(
        isinstance(node, ir.Literal) and isinstance(node.value, str) and FLAGGED.search(node.value)
        for node in ir.walk(answer)
    )


def written_fallback(work: Work, client: Match) -> bool:
    """Whether a client is told whom to ask instead."""
    address = client.row.relations.get("fallback")
    if address is None:
        return False
    return bool(at_call(work.context.program, client.arguments, client.api.receiver, address).values)
