"""Records of the field that an edge goes by, in the step that sets it: `logger.info("intent %s", intent)` before
`return {"intent": intent}`. An edge that only reads the field decides nothing anew.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.model.tracing import Extent
from agent_architecture.names.structure import own_nodes
from agent_architecture.regexes import regex
from agent_architecture.semantics.conversations.graph_state import States
from agent_architecture.semantics.topics.tracing.decision_logs import names_itself
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.model.tracing import Recording
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.topics.tracing.decision_logs import Logged

ANYTHING: Final = regex("")
ROUTES: Final = regex(r"rout(?:e|ing)|decid|decision|intent(?!ional)|classif|hand_?off", re.IGNORECASE)
"""What a record says that tells why the step goes on as it does, whatever field it sets."""


def recorded_where_set(context: Context, logged: Logged, deciding: Iterable[ir.Function]) -> tuple[Recording, ...]:
    """What records the fields of a state that functions of an edge read; nothing where a step sets one untold. A record
    that not every way to the answer of the step passes is one of some ways.
    """
    states = context.once(States)
    found: list[Recording] = []
    for function in deciding:
        reads = (states.read(node) for node in own_nodes(function) if isinstance(node, (ir.Member, ir.Index, ir.Call)))
        values = [value for read in reads if read is not None for value in read.values]
        own = [value for value in values if not isinstance(value, ir.Literal)]
        told = [tuple(_told(context, logged, value, function)) for value in own]
        if not told or not all(told):
            return ()
        found += [record for records in told for record in records]
    is_whole = all(each.extent is Extent.WHOLE for each in found)
    return tuple(found) if is_whole else tuple(each._replace(extent=Extent.SOME_WAYS) for each in found)


def _told(context: Context, logged: Logged, value: ir.Expr, deciding: ir.Function | None) -> Iterator[Recording]:
    """What a step that puts a value under a field records of it."""
    scope = context.program.scope_of(value)
    if not isinstance(value, (ir.Name, ir.Member)) or not isinstance(scope, ir.Function) or scope is deciding:
        return
    structure = context.program.structure(scope)
    for call in structure.calls:
        is_named = any(names_itself(argument.value, value) for argument in call.args)
        if is_named or deciding is not None:
            for record in logged.among((call,), ANYTHING if is_named else ROUTES)[0]:
                every = structure.dominates(call, value)
                yield record if every else record._replace(extent=Extent.SOME_WAYS)


def recorded_where_answered(context: Context, logged: Logged, deciding: Iterable[ir.Function]) -> tuple[Recording, ...]:
    """What records, in the functions of an edge, the answer that each gives: `logger.info("%s", way)` before
    `return way`, whatever words are around it. Where one way is not told, it is one of some ways.
    """
    found: list[Recording] = []
    told: list[bool] = []
    for function in deciding:
        answers = context.program.structure(function).returns
        records = [tuple(_told(context, logged, answer, None)) for answer in answers]
        told += [any(each.extent is Extent.WHOLE for each in one) for one in records] or [False]
        found += [record for one in records for record in one]
    return tuple(found) if all(told) else tuple(each._replace(extent=Extent.SOME_WAYS) for each in found)
