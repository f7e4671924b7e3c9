"""Whether what a model answered is another agent's word where it enters a message, and no turn of the same agent.

Says so of one message and one answer. Must not judge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_architecture.model.outputs import Slot
from agent_architecture.names.values import Api
from agent_architecture.semantics.adapters.run_steps import run_steps
from agent_architecture.semantics.callgraph.reach import extent
from agent_architecture.semantics.conversations.graph_channels import MESSAGES
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
        found = (steps for steps in run_steps(context).values() if len(steps) > 1)
        self._steps = frozenset(id(step) for steps in found for step in steps)

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
        if slot.ask is None and slot.slot is Slot.USER and ask.row.kind == "run" and self._tells_graph(slot.node):
            return True
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

    def _tells_graph(self, message: ir.Node) -> bool:
        """Whether a step of a graph returns a message into the conversation of the graph: the other steps hear it."""
        program = self._context.program
        function = program.scope_of(message)
        if id(function) not in self._steps or not isinstance(function, ir.Function):
            return False
        texts = (text for made in program.structure(function).returns for text in ir.walk(made))
        entries = (entry for text in texts if isinstance(text, ir.Map) for entry in text.entries)
        told = [e.value for e in entries if isinstance(e.key, ir.Literal) and e.key.value == MESSAGES]
        named = (node for text in told for node in ir.walk(text) if isinstance(node, ir.Name))
        return any(text.span.contains(message.span) for text in told) or any(
            isinstance(value, Api) and value.node is message for name in named for value in program.value_of(name)
        )

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
