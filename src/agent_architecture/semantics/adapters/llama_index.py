"""Handoffs within a team whose members may hand over to every other one: LlamaIndex's AgentWorkflow, Strands' Swarm.

Rule: llama_index/core/agent/workflow/multi_agent_workflow.py (`_get_handoff_tool`: `can_handoff_to` None means all the
others; an empty list means none; the agents that are named are read by rows); strands/multiagent/swarm.py
(`_inject_swarm_tools`: `handoff_to_agent` reaches every node).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.system import Handoff
from agent_architecture.names.values import Const
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.packs.addresses import parse_address

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.semantics.adapters.known_agents import KnownAgents
    from agent_architecture.semantics.matching.context import Context
    from agent_architecture.semantics.matching.match import Match

TEAMS: Final = (
    "py:llama_index.core.agent.workflow.AgentWorkflow",
    "py:strands.multiagent.Swarm",
    "npm:@strands-agents/sdk:Swarm",
)
ALLOWED: Final = parse_address("can_handoff_to")


def open_handoffs(context: Context, agents: KnownAgents) -> Iterator[Handoff]:
    """The edges between the agents of a team that may hand over to anybody, on the line that puts them into it."""
    for workflow in context.of_kind("agent"):
        if context.packs.canonical(workflow.api.path) not in TEAMS:
            continue
        members = [
            (member, expr.span)
            for expr, values in agents.bound(workflow, "agents")
            for member in context.made_by(values, "agent")
        ]
        for member, place in members:
            source = agents.agent_of(member)
            for other, _ in members if _is_open(context, member) else ():
                if other is not member:
                    target = agents.agent_of(other)
                    yield Handoff(place, f"{source.symbol} → {target.symbol}", source.framework, source, target)


def _is_open(context: Context, agent: Match) -> bool:
    """Whether an agent leaves it open to whom it may hand over."""
    values = at_call(context.program, agent.arguments, None, ALLOWED).values
    return all(isinstance(value, Const) and value.value is None for value in values)
