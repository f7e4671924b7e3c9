"""What rows cannot say of LiveKit Agents and mcp-agent's swarms: a tool that returns an agent, alone or with what is
said, hands over to it.

Rules: livekit/agents/voice/generation.py (`make_tool_output`), dist/llm/tool_context.js (`handoff`);
mcp_agent/workflows/swarm/swarm.py (`SwarmAgent.call_tool`, `Swarm.post_tool_call`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agent_architecture.model.system import Handoff
from agent_architecture.names.values import Items
from agent_architecture.semantics.matching.matches import resolved
from agent_architecture.semantics.matching.read import at_call
from agent_architecture.semantics.packs.addresses import parse_address
from agent_architecture.syntax import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_architecture.names.values import Value
    from agent_architecture.semantics.adapters.known_agents import KnownAgents
    from agent_architecture.semantics.matching.context import Context

FRAMEWORKS: Final = frozenset({"livekit", "mcp-agent"})
HANDOFF: Final = "npm:@livekit/agents:handoff"
TARGET: Final = parse_address("0.agent")


def returned_agents(context: Context, agents: KnownAgents) -> Iterator[Handoff]:
    """The hand-overs from each agent to those that its tools return, on the line that returns them."""
    for source in (agent for agent in agents.agents if agent.framework in FRAMEWORKS):
        for function in (agents.code[id(tool)] for tool in source.tools if id(tool) in agents.code):
            for answer in context.program.structure(function).returns:
                values = tuple(_handed_over(context, answer))
                for target in (agents.agent_of(match) for match in context.made_by(values, "agent")):
                    symbol = f"{source.symbol} → {target.symbol}"
                    yield Handoff(answer.span, symbol, source.framework, source, target)


def _handed_over(context: Context, answer: ir.Expr) -> Iterator[Value]:
    """What is answered, and what stands in a pair with what is said, or in a `handoff({agent})`."""
    program = context.program
    for value in program.value_of(answer):
        items = value.items if isinstance(value, Items) else ()
        yield from (inner for item in items for inner in program.value_of(item)) if items else iter((value,))
    if isinstance(answer, ir.Call):
        paths = {context.packs.canonical(api.path) for api in resolved(program, answer.callee)}
        if HANDOFF in paths:
            yield from at_call(program, answer, None, TARGET).values
