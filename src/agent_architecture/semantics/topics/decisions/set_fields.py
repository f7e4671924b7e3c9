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
from agent_architecture.semantics.topics.tracing.decision_logs import names_itself, recording_by
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
        own = [value for value in values if not _is_constant(value) and context.program.scope_of(value) is not function]
        told = [tuple(_told(context, logged, value, is_step=True)) for value in own]
        if not told or not all(told):
            return ()
        found += [record for records in told for record in records]
    is_whole = all(each.extent is Extent.WHOLE for each in found)
    return tuple(found) if is_whole else tuple(each._replace(extent=Extent.SOME_WAYS) for each in found)


def _told(context: Context, logged: Logged, value: ir.Expr, *, is_step: bool) -> Iterator[Recording]:
    """What a function records of a value that it gives: by the value itself, or, of a step that puts it under a field,
    by words that tell why the work goes on as it does.
    """
    scope = context.program.scope_of(value)
    if not isinstance(scope, ir.Function):
        return
    structure = context.program.structure(scope)
    for call in structure.calls:
        is_name = isinstance(value, (ir.Name, ir.Member))
        is_named = is_name and any(names_itself(argument.value, value) for argument in call.args)
        if is_named or is_step:
            for record in logged.among((call,), ANYTHING if is_named else ROUTES)[0]:
                every = structure.dominates(call, value)
                yield record if every else record._replace(extent=Extent.SOME_WAYS)


def recorded_where_answered(context: Context, logged: Logged, deciding: Iterable[ir.Function]) -> tuple[Recording, ...]:
    """What records, in the functions of an edge, the answer that each gives: `logger.info("%s", way)` before
    `return way`, whatever words are around it, or a line of its own for each constant answer. Where one way is not
    told, it is one of some ways.
    """
    found: list[Recording] = []
    told: list[bool] = []
    for function in deciding:
        answers = context.program.structure(function).returns
        records = [tuple(_answered(context, logged, function, answer)) for answer in answers]
        told += [any(each.extent is Extent.WHOLE for each in one) for one in records] or [False]
        found += [record for one in records for record in one]
    return tuple(found) if all(told) else tuple(each._replace(extent=Extent.SOME_WAYS) for each in found)


def _answered(context: Context, logged: Logged, function: ir.Function, answer: ir.Expr) -> Iterator[Recording]:
    """What records one answer of the function of an edge: what names it, or a line on its way alone that says so."""
    if not isinstance(answer, ir.Literal):
        yield from _told(context, logged, answer, is_step=False)
    spoken = str(answer.value) if isinstance(answer, ir.Literal) else answer.id if isinstance(answer, ir.Name) else ""
    structure = context.program.structure(function)
    others = [other for other in structure.returns if other is not answer]
    for call in structure.calls if others else ():
        alone = structure.dominates(call, answer) and not all(structure.dominates(call, other) for other in others)
        if alone and logged.writes(call) and _speaks_of(call, spoken):
            yield recording_by(call)


def _speaks_of(call: ir.Call, answer: str) -> bool:
    texts = (node.value for argument in call.args for node in ir.walk(argument.value) if isinstance(node, ir.Literal))
    said = " ".join(text for text in texts if isinstance(text, str))
    return bool(said) and (bool(answer and answer in said) or ROUTES.search(said) is not None)


def _is_constant(value: ir.Expr) -> bool:
    """Whether a value is written out: it is nobody's choice, like `[]`, with which a run begins."""
    return isinstance(value, ir.Literal) or (isinstance(value, (ir.List, ir.Map)) and not tuple(ir.children(value)))
