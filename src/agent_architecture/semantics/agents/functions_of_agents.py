"""Which functions belong to agents: they come to a model call or a run, are tools or steps of graphs, or are called by
one of these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.semantics.callgraph.callers import above
from agent_architecture.semantics.callgraph.reach import paths_up
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_architecture.model.system import Binding
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.matching.context import Context

ABOVE: Final = 60
"""Functions above one that is asked for among which an agent is looked for."""


class Near:
    """Which functions belong to agents."""

    def __init__(
        self, context: Context, agents: Agents, bindings: Iterable[Binding], steps: Iterable[ir.Function] = ()
    ) -> None:
        self._program = context.program
        asks = [match.node for match in context.of_kind("run", "model_call")]
        calls = [(node, self._program.scope_of(node)) for node in asks if isinstance(node, ir.Call)]
        code = agents.code
        self._own = set(paths_up(self._program, calls).scopes)
        self._own |= {id(code[id(binding.tool)]) for binding in bindings if id(binding.tool) in code}
        self._own |= set(map(id, steps))
        self._known: dict[int, bool] = {}

    def to_agent(self, scope: ir.Scope) -> bool:
        """Whether a function is one of these, or they call it."""
        if id(scope) not in self._known:
            self._known[id(scope)] = self._climbs(scope)
        return self._known[id(scope)]

    def _climbs(self, scope: ir.Scope) -> bool:
        return any(id(each) in self._own for each in above(self._program, [scope]))
