"""What code does with a model's answer that did not pass its check."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from agent_architecture.names import flow
from agent_architecture.names.callers import passed_argument
from agent_architecture.names.exits import answers, some_go_round, some_leave
from agent_architecture.names.keyed_reads import part_read
from agent_architecture.names.program_answers import CallSite
from agent_architecture.names.structure import own_nodes
from agent_architecture.names.values import Unknown
from agent_architecture.regexes import regex
from agent_architecture.semantics.control.conditions_of_project import conditions_of
from agent_architecture.semantics.control.leaving import leavings
from agent_architecture.semantics.matching.context import dotted
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program
    from agent_architecture.semantics.control.leaving import Leaving
    from agent_architecture.semantics.matching.context import Context

FAILED: Final = regex(r"error|fail|invalid|malformed|unable|could ?n[o']t|cannot|unparse|raw", re.IGNORECASE)
"""How code says of an answer that it did not pass."""


def gives_raw(program: Program, handler: ir.Handler, asked: ir.Node) -> bool:
    """Whether the handler of a failed check returns what the call `asked` answered, as it came, and does not say that
    it failed: what follows takes it for what passed.
    """
    return any(
        any(end.node is asked for end in flow.ends(program, part))
        for answer in answers(ir.walk(*handler.body))
        if not any(isinstance(node, ir.Literal) and FAILED.search(str(node.value)) for node in ir.walk(answer))
        for part in _written(answer)
    )


def stops(handler: ir.Handler, name: str) -> bool:
    """Whether a handler keeps what failed from being used: it leaves, goes on with the next, or puts something else in
    its place.
    """
    assigned = any(isinstance(node, ir.Assign) and dotted(node.target) == name for node in ir.walk(*handler.body))
    return assigned or some_leave(*handler.body) or some_go_round(*handler.body)


def is_used_after(scope: ir.Scope, block: ir.Try, name: str) -> bool:
    """Whether a name is read behind a `try`, where what should have given it its value may have failed."""
    behind = (node for node in own_nodes(scope) if node.span > block.span and not block.span.contains(node.span))
    return bool(name) and any(dotted(node) == name for node in behind if isinstance(node, (ir.Name, ir.Member)))


def _written(answer: ir.Expr) -> Iterator[ir.Expr]:
    """The names whose text an answer is, or is joined from; not what a call makes of it."""
    match answer:
        case ir.Name() | ir.Member():
            yield answer
        case ir.Template(parts=parts) | ir.Operator(op=ir.Op.ADD, operands=parts):
            for part in parts:
                yield from _written(part)
        case _:
            return


def refuses(context: Context, scope: ir.Scope, names: set[str]) -> bool:
    """Whether a scope leaves by what it asks of these names, or of what is made from them, or has a helper put
    something else in the place of what it does not list.
    """
    asked = _derived(scope, names)
    left = leavings(conditions_of(context), own_nodes(scope)) if asked else ()
    if any(_asks(leaving, name) for leaving in left for name in asked):
        return True
    calls = (call for call in own_nodes(scope, ir.Call) if asked and call.args)
    return any(_replaces(context.program, call, name) for call in calls for name in asked)


def _replaces(program: Program, call: ir.Call, name: str) -> bool:
    """Whether a helper of the project gives back what it is handed of a name where it is listed, and else another
    value: `kind if kind in KINDS else "other"`.
    """
    if not any(_mentions(argument.value, name) for argument in call.args):
        return False
    site = CallSite(call, program.scope_of(call))
    return any(
        _lists(program, function, parameter.name)
        for function in program.callees(call)
        for parameter in function.params
        if (given := passed_argument(site, function, parameter)) is not None
        and not isinstance(given, Unknown)
        and _mentions(given, name)
    )


def _lists(program: Program, function: ir.Function, parameter: str) -> bool:
    """Whether a function asks whether its parameter is among listed values, and gives it back or something else."""
    asked = (node for node in own_nodes(function, ir.Operator) if node.op == ir.Op.IN)
    if not any(dotted(node.operands[0]) == parameter for node in asked):
        return False
    given = [part for value in program.structure(function).returns for part in _ways_out(value)]
    own = [_mentions(part, parameter) for part in given]
    return any(own) and not all(own)


def _ways_out(value: ir.Expr) -> Iterator[ir.Expr]:
    if isinstance(value, ir.Conditional):
        yield from (part for way in (value.then, value.otherwise) for part in _ways_out(way))
    else:
        yield value


def _asks(leaving: Leaving, name: str) -> bool:
    """Whether code leaves by what it asked of a name, or has a helper ask that comes back for some values alone."""
    if isinstance(leaving.node, ir.Call) and leaving.asked_by_helper():
        return any(_is_part(argument.value, name) for argument in leaving.node.args)
    return any(_mentions(reason.expr, name) for reason in leaving.reasons if reason.holds is not None)


def _is_part(value: ir.Expr, name: str) -> bool:
    """Whether an expression is what stands under a name, or a part of it: `data["kind"]`, `data.get("kind")`."""
    read = part_read(value)
    return dotted(value) == name or (read is not None and _is_part(read.mapping, name))


def _derived(scope: ir.Scope, names: set[str]) -> set[str]:
    """These names, and those that are made from them: `count = found[1] if found else ""`."""
    for node in own_nodes(scope, ir.Assign):
        if node.value is not None and isinstance(node.target, ir.Name):
            value = node.value
            if any(_mentions(value, name) for name in names):
                names = names | {dotted(node.target)}
    return names


def _mentions(test: ir.Expr, name: str) -> bool:
    return any(dotted(node) == name for node in ir.walk(test) if isinstance(node, (ir.Name, ir.Member)))
