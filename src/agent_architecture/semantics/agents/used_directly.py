"""Objects of a library's tools that code uses by itself: `search = TavilySearch()`, then `search.invoke(query)`.

No model is offered what a function makes, calls and forgets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.closure_writes import nested_functions
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program
    from agent_architecture.names.structure import Structure

RUNNING: Final = frozenset({"invoke", "ainvoke", "run", "arun", "_run", "_arun", "call", "batch", "abatch", "results"})
"""Methods by which libraries let code run a tool."""


def is_used_directly(program: Program, node: ir.Node) -> bool:
    """Whether a call's result has a name in a function, where all that is done with it is to run or to read it."""
    scope = program.scope_of(node)
    if not isinstance(node, ir.Call) or not isinstance(scope, ir.Function) or nested_functions(scope):
        return False
    structure = program.structure(scope)
    assigned = structure.parent(node)
    if not isinstance(assigned, ir.Assign) or assigned.value is not node or not isinstance(assigned.target, ir.Name):
        return False
    name = assigned.target.id
    uses = [n for n in structure.nodes if isinstance(n, ir.Name) and n.id == name and n is not assigned.target]
    return bool(uses) and all(_is_direct(structure, use) for use in uses)


def _is_direct(structure: Structure, use: ir.Name) -> bool:
    around = structure.parent(use)
    if isinstance(around, ir.Call):
        return around.callee is use
    if not isinstance(around, ir.Member):
        return False
    caller = structure.parent(around)
    called = isinstance(caller, ir.Call) and caller.callee is around
    return around.name in RUNNING if called else not isinstance(caller, ir.List)
