"""Changes that bring nothing of an answer into what a loop keeps: fixed words, a number that is counted on."""

from __future__ import annotations

from typing import Final

from agent_architecture.names.program import callee_name
from agent_architecture.syntax import ir

NUMBERS: Final = frozenset({"len", "int", "round", "time", "now"})
LENGTHS: Final = frozenset({"length", "size"})
"""Calls and properties that are numbers."""


def adds_constant(change: ir.Node) -> bool:
    """Whether a change only adds fixed text: `question += "Answer in JSON."` carries nothing of the answer."""
    match change:
        case ir.Assign(value=value) if value is not None:
            added = [value]
        case ir.Call():
            added = [argument.value for argument in change.args]
        case _:
            return False
    return all(isinstance(node, (ir.Literal, ir.Map, ir.List, ir.Template)) for part in added for node in ir.walk(part))


def counts_on(change: ir.Node) -> bool:
    """Whether a change only moves a number: `first += len(portion)` says where a loop is, not what was answered."""
    if not isinstance(change, ir.Assign) or change.op not in {ir.Op.ADD, ir.Op.SUB}:
        return False
    match change.value:
        case ir.Literal(value=value):
            return isinstance(value, (int, float))
        case ir.Call(callee=callee):
            return callee_name(callee) in NUMBERS
        case ir.Member(name=name):
            return name in LENGTHS
        case _:
            return False
