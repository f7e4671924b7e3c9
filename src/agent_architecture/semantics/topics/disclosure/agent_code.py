"""Which code is an agent's: what its tools and steps run, what comes to its model; which files stand beside that.

Records of the rest of an application (its mails, its seeds, its accounts) are none of an agent's. Must not know what
is written.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from agent_architecture.names.reached import reached
from agent_architecture.names.select import imports_of
from agent_architecture.semantics.callgraph.callers import above
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context

ACTING: Final = ("run", "model_call", "agent", "graph", "mcp_server", "mcp_client")
"""What makes a file one of an agent's."""


class AgentCode:
    """Answers for scopes and files; `running` are the functions that models run."""

    def __init__(self, context: Context, agents: Agents) -> None:
        self._context = context
        self._agents = agents

    def runs(self, scope: ir.Scope) -> bool:
        """Whether code runs for an agent: inside of a tool or a step, on the way to a model, or behind such a way."""
        return isinstance(scope, ir.Module) or not self._functions or id(scope) in self._functions

    def is_beside(self, path: str) -> bool:
        """Whether a file has an agent, is imported where one is, or imports one."""
        return path in self._files

    @cached_property
    def _functions(self) -> frozenset[int]:
        program = self._context.program
        asking = [match.node for match in self._context.of_kind("run", "model_call")]
        up = above(program, {id(s): s for s in map(program.scope_of, asking)}.values(), written_in=True)
        begun: list[ir.Scope] = [*up, *self._agents.running().values()]
        inside = {id(scope) for scope in begun}
        for scope in begun:
            if isinstance(scope, ir.Function):
                inside |= {id(function) for function, _ in extent(program, scope.body, ()).called}
        return frozenset(inside)

    @cached_property
    def _files(self) -> frozenset[str]:
        program = self._context.program
        specifiers = program.exports.specifiers
        loads = {m.path: frozenset(imports_of(specifiers, m)) for m in program.modules}
        loaded_by: dict[str, set[str]] = {}
        for path, targets in loads.items():
            for target in targets:
                loaded_by.setdefault(target, set()).add(path)
        own = {program.module_of(match.node).path for match in self._context.of_kind(*ACTING)}
        own |= {function.span.path for function in self._agents.running().values()}
        nothing = frozenset[str]()
        return frozenset(
            (
                *reached(own, lambda path: loads.get(path, nothing)),
                *reached(own, lambda path: loaded_by.get(path, nothing)),
            )
        )
