"""Whether what a model answered is another agent's word where it enters a message, and no turn of the same agent.

Says so of one message and one answer. Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.outputs import Slot
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.loops.sites import run_agents
from agent_architecture.semantics.topics.premises.alternatives import in_its_place
from agent_architecture.semantics.topics.verification.checks import scope_at
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from agent_architecture.names import flow
    from agent_architecture.semantics.agents.agents import Agents
    from agent_architecture.semantics.conversations.prompt_slots import TextSlot
    from agent_architecture.semantics.conversations.requests import Requests
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match


class OtherAgents:
    """Asked of one message at a time."""

    def __init__(self, context: Context, agents: Agents, requests: Requests) -> None:
        self._context = context
        self._agents = agents
        self._requests = requests
        self._extents: dict[int, frozenset[int]] = {}

    def wrote(self, slot: TextSlot, ask: Match, origin: flow.Origin) -> bool:
        """Whether another agent wrote it: with another request, as the result of a tool, or in a function that neither
        runs the one in which the message is made nor is run by it.
        """
        if slot.slot is Slot.TOOL and self._goes_on(slot.node, ask):
            return False
        if slot.ask is not None and slot.ask.node is not ask.node:
            return not in_its_place(self._context.program, slot.ask.node, ask.node)
        if slot.slot is Slot.TOOL and slot.ask is None:
            if ask.row.kind == "run":
                return True  # an agent that code runs for a call of a tool, told to the model that made the call
            if self._agents.tools_of(ask):
                return False  # its own call of a tool, told back to it
        if slot.slot is Slot.USER and any(self._differ(one, ask) for one in self._requests.joined(slot.node)):
            return True  # what one agent of a conversation says is put into words for another one
        scope = self._context.program.scope_of(slot.node)
        others = {scope_at(self._context.program, span) for span in origin.trail} - {scope}
        return any(
            isinstance(other, ir.Function) and not self._runs(scope, other) and not self._runs(other, scope)
            for other in others
        )

    def _goes_on(self, node: ir.Node, ask: Match) -> bool:
        """Whether a result is told back to the model that asked for it, in a request of its own: the function that made
        the first request runs the one that makes the message.
        """
        asking, telling = (self._context.program.scope_of(each) for each in (ask.node, node))
        return ask.row.kind != "run" and self._runs(asking, telling)

    def _differ(self, one: Match, other: Match) -> bool:
        """Whether two runs are certainly those of different agents."""
        if one.row.kind != "run" or other.row.kind != "run":
            return False
        first, second = ({agent.node for agent in run_agents(self._context, run)} for run in (one, other))
        return bool(first and second) and first.isdisjoint(second)

    def _runs(self, scope: ir.Scope, other: ir.Scope) -> bool:
        if id(scope) not in self._extents:
            found = extent(self._context.program, scope.body, set())
            self._extents[id(scope)] = frozenset(id(function) for function, _ in found.called)
        return id(other) in self._extents[id(scope)]
