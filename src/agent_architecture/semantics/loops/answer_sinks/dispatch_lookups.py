"""Calls of what was looked up by a computed key: `tools[name](x)`, `registry.get(name).run(x)`, `getattr(o, name)(x)`.

Gives the key; whose word that is, is for others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.names.flow_steps import OVER
from agent_architecture.names.lookup import visible_bindings
from agent_architecture.names.values import ClassValue
from agent_architecture.semantics.callgraph.lookups import STARTING, Lookup, lookups
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.program import Program


def looked_up(program: Program, call: ir.Call) -> Iterator[Lookup]:
    """The look-ups by a computed key behind what a call runs; data, and classes to make objects of, are not run."""
    callee = call.callee
    if isinstance(callee, ir.Member):
        taken = callee.target
        if not STARTING.search(callee.name) and (callee.name in OVER or not program.callees(call)):
            return
    else:
        taken = callee
        if isinstance(callee, ir.Name) and not _is_variable(program, callee):
            return
    for lookup in lookups(program, taken):
        if not isinstance(lookup.key, (ir.Literal, ir.Slice)) and not _makes(program, callee):
            yield lookup


def _is_variable(program: Program, name: ir.Name) -> bool:
    """Whether a name stands for what an expression gave, and not for one function, class or module."""
    return any(binding.kind in {"assign", "with", "loop"} for binding in visible_bindings(program, name))


def _makes(program: Program, callee: ir.Expr) -> bool:
    """Whether a call makes an object of a class that was looked up."""
    values = program.value_of(callee)
    return bool(values) and all(isinstance(value, ClassValue) for value in values)
