"""Records of decisions in the state of a graph itself: `state["trace"].append({"went_to": state["next"]})` in the step
that sets the field which an edge goes by, under a key that says it is a record and that somebody reads who is no step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.settings import written
from agent_architecture.model.tracing import Extent, Recording
from agent_architecture.names.keyed_reads import part_read
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.structure import own_nodes
from agent_architecture.semantics.adapters.run_steps import run_steps
from agent_architecture.semantics.conversations.graph_state import States
from agent_architecture.semantics.effects.record_only import speaks_of_records
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_architecture.semantics.matching.context import Context


def recorded_in_state(context: Context, deciding: Iterable[ir.Function]) -> tuple[Recording, ...]:
    """What steps write of the fields that functions of an edge read; nothing where a step sets one untold."""
    states = context.once(States)
    steps = tuple({id(step): step for steps in run_steps(context).values() for step in steps}.values())
    found: list[Recording] = []
    for function in deciding:
        reads = (states.read(node) for node in own_nodes(function) if isinstance(node, (ir.Member, ir.Index, ir.Call)))
        fields = {read.key for read in reads if read is not None and read.key}
        setting = [(step, field) for field in sorted(fields) for step in steps if _sets(step, field)]
        told = [tuple(_entries(context, step, field, steps)) for step, field in setting]
        if not told or not all(told):
            return ()
        found += [record for records in told for record in records]
    return tuple(found)


def _entries(context: Context, step: ir.Function, field: str, steps: tuple[ir.Function, ...]) -> Iterator[Recording]:
    """The entries of records in a state that name a field; one that is made on some ways only is of some ways."""
    structure = context.program.structure(step)
    for call in structure.calls:
        key = _key_of(call.callee.target) if isinstance(call.callee, ir.Member) else None
        is_entry = isinstance(call.callee, ir.Member) and call.callee.name in {"append", "push"}
        if key is None or not is_entry or not speaks_of_records(key):
            continue
        said = [node for argument in call.args for node in _unfolded(context, argument.value)]
        if any(_key_of(node) == field for node in said) and _is_read(context, key, steps):
            by = f"what is added to {key} ({call.span.path}:{call.span.line})"
            whole = all(structure.dominates(call, answer) for answer in structure.returns)
            extent = Extent.WHOLE if whole else Extent.SOME_WAYS
            yield Recording(by, written(value=True, span=call.span), call.span, extent=extent)


def _unfolded(context: Context, expr: ir.Expr) -> Iterator[ir.Node]:
    """An expression and all in it; of a name, what it was bound to."""
    yield from ir.walk(expr)
    for binding in visible_bindings(context.program, expr) if isinstance(expr, ir.Name) else ():
        if binding.value is not None and not binding.steps:
            yield from ir.walk(binding.value)


def _sets(step: ir.Function, field: str) -> bool:
    """Whether a step puts something under a field: into the state that it is given, or into what it returns."""
    for node in own_nodes(step):
        if isinstance(node, ir.Assign) and _key_of(node.target) == field:
            return True
        if isinstance(node, ir.Map):
            keys = (entry.key for entry in node.entries)
            if any(isinstance(key, ir.Literal) and key.value == field for key in keys):
                return True
    return False


def _is_read(context: Context, key: str, steps: tuple[ir.Function, ...]) -> bool:
    """Whether somebody who is no step reads a key: who made the run, or answers for it afterwards."""
    own = set(map(id, steps))
    return any(
        _key_of(node) == key
        for module in context.program.modules
        for function in module.index.functions
        if id(function) not in own
        for node in own_nodes(function)
        if isinstance(node, (ir.Index, ir.Call))
    )


def _key_of(node: ir.Node) -> str | None:
    """The key that an expression reads: `state["trace"]`, `state.trace`, `state.get("trace")`."""
    part = part_read(node)
    return None if part is None else part.key
