"""Calls of functions that are asynchronous, or generators, and whose answers nobody waits for: what such a function
raises or answers comes to nobody, so that nothing is known for its having been called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.names.program import callee_name
from agent_architecture.names.structure import blocks
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names.program import Program


LATER: Final = frozenset({
    "setTimeout", "setInterval", "setImmediate", "queueMicrotask", "nextTick", "create_task", "ensure_future",
    "start_soon", "call_soon", "call_later", "submit", "apply_async", "add_task",
})  # fmt: skip
"""Calls that have something done later, which nobody waits for where they are statements of their own."""
CHAINED: Final = frozenset({"then", "catch", "finally"})
"""Methods of promises."""


def is_dropped(program: Program, call: ir.Call, functions: tuple[ir.Function, ...]) -> bool:
    """Whether what a call runs says nothing where it stands: the call is a statement of its own, and all that it may
    run would have to be awaited or gone through; or what is thrown there is caught and forgotten.
    """
    name = callee_name(call.callee)
    is_later = name in LATER or (name in CHAINED and isinstance(call.callee, ir.Member))
    if not is_later and (not functions or not all(each.is_async or each.is_generator for each in functions)):
        return False
    structure = program.structure(program.scope_of(call))
    node: ir.Node = call
    around = structure.parent(node)
    if isinstance(around, ir.Call) and callee_name(around.callee) in LATER:
        node, around = around, structure.parent(around)
    while isinstance(around, ir.Member) and around.name in CHAINED:
        chained = structure.parent(around)
        if not isinstance(chained, ir.Call):
            return False
        if around.name == "catch" and _forgets(chained):
            return True
        node, around = chained, structure.parent(chained)
    return around is None or any(statement is node for block in blocks(around) for statement in block)


def _forgets(catch: ir.Call) -> bool:
    """Whether `.catch(…)` is handed a function that throws nothing."""
    handlers = [argument.value for argument in catch.args]
    written = [each for each in handlers if isinstance(each, ir.Function)]
    return bool(written) and not any(isinstance(node, ir.Raise) for each in written for node in ir.walk(*each.body))


def is_promise(program: Program, call: ir.Call, functions: tuple[ir.Function, ...]) -> bool:
    """Whether what a call gives is never its answer, but always something that promises one: nobody awaits it here."""
    if not functions or not all(function.is_async or function.is_generator for function in functions):
        return False
    return not isinstance(program.structure(program.scope_of(call)).parent(call), ir.Await)
