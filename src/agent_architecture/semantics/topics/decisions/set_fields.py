"""Records of the field that an edge goes by, in the step that sets it: `logger.info("intent %s", intent)` before
`return {"intent": intent}`. An edge that only reads the field decides nothing anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.null_checks import same
from agent_architecture.names.structure import own_nodes
from agent_architecture.regexes import regex
from agent_architecture.semantics.conversations.graph_state import States
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.model.tracing import Recording
    from agent_architecture.names.program import Program
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.topics.tracing.decision_logs import Logged

ANYTHING: Final = regex("")


def told_where_set(context: Context, logged: Logged, deciding: Iterable[ir.Function]) -> tuple[Recording, ...]:
    """What records the fields of a state that functions of an edge read; nothing where a step sets one untold."""
    states = context.once(States)
    found: list[Recording] = []
    for function in deciding:
        reads = (states.read(node) for node in own_nodes(function) if isinstance(node, (ir.Member, ir.Index, ir.Call)))
        values = [value for read in reads if read is not None for value in read.values]
        own = [value for value in values if not isinstance(value, ir.Literal)]
        told = [logged.among(_speaking(context.program, value, function), ANYTHING)[0] for value in own]
        if not told or not all(told):
            return ()
        found += [record for records in told for record in records]
    return tuple(found)


def _speaking(program: Program, value: ir.Expr, deciding: ir.Function) -> tuple[ir.Call, ...]:
    """The calls of a step that are given the value that it puts under a field."""
    scope = program.scope_of(value)
    if not isinstance(value, (ir.Name, ir.Member)) or not isinstance(scope, ir.Function) or scope is deciding:
        return ()
    calls = program.structure(scope).calls
    return tuple(call for call in calls if any(_names(argument.value, value) for argument in call.args))


def _names(text: ir.Expr, value: ir.Expr) -> bool:
    """Whether a text is put together of a value."""
    return any(isinstance(node, (ir.Name, ir.Member)) and same(node, value) for node in ir.walk(text))
