"""Who runs a function that is only looked up: `handlers[name](args)`, by the function.

A call of a name finds the functions of that name; what stands in a table is called by whatever name the code gives it.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from agent_architecture.names.program import CallSite
from agent_architecture.semantics.callgraph.lookups import STARTING, lookups
from agent_architecture.sources.source import Role
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.semantics.matching.context import Context


class Picked:
    """The calls of the application that run what they take out of a collection by a key that code works out."""

    def __init__(self, context: Context) -> None:
        self._program = program = context.program
        self._running: dict[int, list[CallSite]] = defaultdict(list)
        for scope in (scope for module in program.modules if module.role is Role.APP for scope in module.code):
            for call in program.structure(scope).calls:
                if self._is_looked_up(call.callee):
                    for function in program.callees(call):
                        self._running[id(function)].append(CallSite(call, scope))

    def running(self, function: ir.Function) -> tuple[CallSite, ...]:
        """The calls that run a function so."""
        return tuple(self._running.get(id(function), ()))

    def _is_looked_up(self, callee: ir.Expr) -> bool:
        if isinstance(callee, ir.Member):
            return bool(STARTING.search(callee.name)) and any(True for _ in lookups(self._program, callee.target))
        return isinstance(callee, (ir.Name, ir.Index)) and any(True for _ in lookups(self._program, callee))
