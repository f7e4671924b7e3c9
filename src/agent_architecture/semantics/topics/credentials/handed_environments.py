"""Whether a function of the project that is handed all variables of the process hands them on, or only reads some.

Follows parameters through the project's own calls; must not know what the variables are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.callers import passed_argument
from agent_architecture.names.program import CallSite, callee_name
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program

DEPTH: Final = 4
"""Functions that hand a parameter to each other."""
ASKING: Final = frozenset({"get", "has", "hasOwn", "hasOwnProperty", "isinstance"})
"""Calls that read one variable of what they are given."""


def hands_on(program: Program, function: ir.Function, name: str, left: int = DEPTH) -> bool:
    """Whether a parameter goes on as a whole: returned, kept, or given to a call that does more than read a part."""
    structure = program.structure(function)
    for node in structure.nodes:
        if not (isinstance(node, ir.Name) and node.id == name):
            continue
        around = structure.parent(node)
        if isinstance(around, (ir.Member, ir.Index)) and around.target is node:
            continue
        if isinstance(around, ir.Call) and left and _only_read_by(program, around, node, left - 1):
            continue
        if not isinstance(around, (ir.Operator, ir.If, ir.Conditional, ir.Parameter)):
            return True
    return False


def _only_read_by(program: Program, call: ir.Call, given: ir.Name, left: int) -> bool:
    """Whether a call of the project's own functions only reads parts of what it is given."""
    if callee_name(call.callee) in ASKING:
        return True
    called = program.callees(call)
    site = CallSite(call, program.scope_of(call))
    params = [(f, p) for f in called for p in f.params if passed_argument(site, f, p) is given]
    return bool(params) and not any(hands_on(program, f, p.name, left) for f, p in params)
