"""What rows cannot say of LiveKit Agents, of OpenAI's Swarm and of mcp-agent's swarms: a tool that returns an agent,
alone or with what is said, hands over to it.

Rules: livekit/agents/voice/generation.py (`make_tool_output`), dist/llm/tool_context.js (`handoff`);
mcp_agent/workflows/swarm/swarm.py (`SwarmAgent.call_tool`, `Swarm.post_tool_call`); swarm/core.py
(`Swarm.handle_function_result`).
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

FRAMEWORKS: Final = frozenset({"livekit", "mcp-agent", "openai-swarm"})
WITH_WHAT_IS_SAID: Final = {
    "npm:@livekit/agents:handoff": parse_address("0.agent"),
    "py:swarm.types.Result": parse_address("agent"),
}
"""Where the agent stands in what a tool may return instead of it, by what makes that."""


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
    """What is answered; what stands in a pair with what is said, in a `handoff({agent})` or a `Result(agent=…)`."""
    program = context.program
    for value in program.value_of(answer):
        items = value.items if isinstance(value, Items) else ()
        yield from (inner for item in items for inner in program.value_of(item)) if items else iter((value,))
    if isinstance(answer, ir.Call):
        paths = {context.packs.canonical(api.path) for api in resolved(program, answer.callee)}
        for target in (WITH_WHAT_IS_SAID[path] for path in sorted(paths & WITH_WHAT_IS_SAID.keys())):
            yield from at_call(program, answer, None, target).values
